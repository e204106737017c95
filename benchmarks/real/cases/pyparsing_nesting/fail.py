"""Parse a formula in parentheses."""

import json
import sys
from pathlib import Path

import pyparsing

sys.path.append(str(Path(__file__).parents[2]))

from steps import limit_calls

MAX_CALLS = 100_000
OPERATORS = ("^", "*", "+", "<")


def run(config: dict) -> None:
    pyparsing.ParserElement.disable_memoization()
    if config["packrat"]:
        pyparsing.ParserElement.enable_packrat()
    levels = [(operator, 2, pyparsing.opAssoc.LEFT) for operator in OPERATORS[: config["operators"]]]
    grammar = pyparsing.infix_notation(pyparsing.Word(pyparsing.nums), levels)
    formula = "(" * config["depth"] + "^".join(["1"] * config["terms"]) + ")" * config["depth"]
    limit_calls(lambda: grammar.parse_string(formula, parse_all=True), MAX_CALLS)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
