"""Make a number of equidistant values."""

import json
import sys

import numpy


def run(config: dict) -> None:
    end = config["start"] + config["count"] * config["step"]
    assert len(numpy.arange(config["start"], end, config["step"])) == config["count"]


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
