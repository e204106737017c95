"""Print a text in a table."""

import json
import sys

import tabulate


class ChangedText(Exception):
    """The table shows another text."""


def run(config: dict) -> None:
    table = tabulate.tabulate(
        [[config["text"]]], tablefmt="plain", numalign=config["numalign"], stralign=config["stralign"]
    )
    if table.strip() != config["text"].strip():
        raise ChangedText(table)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
