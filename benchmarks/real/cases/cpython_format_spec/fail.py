"""Format a value."""

import json
import sys

VALUES = {"integer": 1234, "float": 1234.5, "text": "abc"}


def run(config: dict) -> None:
    zero, alternate = "0" * config["zero"], "#" * config["alternate"]
    spec = config["align"] + config["sign"] + alternate + zero + config["width"]
    format(VALUES[config["value"]], spec + config["grouping"] + config["precision"] + config["type"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
