"""Split a table into parts."""

import json
import sys

import numpy


def run(config: dict) -> None:
    table = numpy.zeros((config["rows"], config["columns"]), config["dtype"])
    numpy.split(table, config["parts"], config["axis"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
