"""Invert a number modulo another."""

import json
import sys


def run(config: dict) -> None:
    pow(config["number"], -1, config["modulus"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
