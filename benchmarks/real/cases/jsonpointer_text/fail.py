"""Look up a part of a document, or list the steps to it."""

import json
import sys

from jsonpointer import JsonPointer


def run(config: dict) -> None:
    pointer = JsonPointer(config["pointer"])
    if config["lookup"]:
        pointer.resolve({}, None)
    else:
        pointer.get_parts()


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
