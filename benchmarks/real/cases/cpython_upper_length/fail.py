"""Write a name in capitals into a column of the same width."""

import json
import sys


def run(config: dict) -> None:
    letter = chr(config["code"])
    name = letter + "abc" if config["position"] == "start" else "abc" + letter
    assert len(name.upper()) == len(name), name.upper()


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
