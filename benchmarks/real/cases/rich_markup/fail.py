"""Show a message on a console."""

import io
import json
import sys

from rich.console import Console


def run(config: dict) -> None:
    console = Console(file=io.StringIO(), width=config["width"])
    console.print(config["message"], markup=config["markup"], emoji=config["emoji"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
