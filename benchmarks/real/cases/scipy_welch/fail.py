"""Estimate the spectrum of a recording."""

import json
import sys

import numpy
from scipy import signal


def run(config: dict) -> None:
    recording = numpy.sin(numpy.arange(config["samples"]))
    signal.welch(recording, 1000, config["window"], config["segment"], config["overlap"], config["fft_length"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
