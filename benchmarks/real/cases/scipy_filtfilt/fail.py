"""Filter a short signal forwards and backwards."""

import json
import sys

import numpy
from scipy import signal


def run(config: dict) -> None:
    edge = [0.2, 0.4] if config["kind"].startswith("band") else 0.3
    b, a = signal.butter(config["order"], edge, config["kind"])
    padding = None if config["padding"] == "none" else config["padding"]
    signal.filtfilt(b, a, numpy.ones(config["samples"]), padtype=padding)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
