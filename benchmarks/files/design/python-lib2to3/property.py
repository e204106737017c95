"""Parse with two parsers that disagree."""

import ast
import sys
import warnings

warnings.simplefilter("ignore")
from lib2to3 import pygram, pytree  # noqa: E402
from lib2to3.pgen2 import driver, parse, tokenize  # noqa: E402

PARSER = driver.Driver(pygram.python_grammar_no_print_and_exec_statement, convert=pytree.convert)


def judge(path: str) -> int:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return 0
    try:
        PARSER.parse_string(text + "\n")
    except parse.ParseError:
        return 1
    except (tokenize.TokenError, IndentationError):
        return 0
    return 0


if __name__ == "__main__":
    sys.exit(judge(sys.argv[1]))
