"""Add two arrays."""

import json
import sys

import numpy


def run(config: dict) -> None:
    first = numpy.zeros((config["rows"], config["columns"]), config["dtype"])
    first + numpy.zeros((config["other_rows"], config["other_columns"]), config["dtype"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
