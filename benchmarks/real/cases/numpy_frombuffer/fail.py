"""Read numbers from a buffer behind a header."""

import json
import sys

import numpy


def run(config: dict) -> None:
    numpy.frombuffer(bytes(config["size"]), config["dtype"], config["count"], config["offset"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
