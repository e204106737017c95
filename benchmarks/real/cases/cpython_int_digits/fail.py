"""Read a long integer."""

import json
import sys


def run(config: dict) -> None:
    separator = "_" if config["underscores"] else ""
    int(config["sign"] + separator.join("1" * config["digits"]), config["base"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
