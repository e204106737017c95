"""Smooth a signal."""

import json
import sys

import numpy
from scipy.signal import savgol_filter


def run(config: dict) -> None:
    savgol_filter(numpy.ones(config["samples"]), config["window"], config["polynomial"], mode=config["mode"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
