"""Raise a number to a power."""

import json
import math
import sys


def run(config: dict) -> None:
    result = math.pow(config["base"], config["exponent"])
    round(result, config["digits"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
