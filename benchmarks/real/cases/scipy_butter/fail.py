"""Design a Butterworth filter for a band."""

import json
import sys

import scipy.signal


def run(config: dict) -> None:
    band = [config["low"], config["high"]]
    scipy.signal.butter(config["order"], band, config["kind"], fs=config["rate"], output=config["output"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
