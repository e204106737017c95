"""Write a sound in a chosen format."""

import io
import json
import sys

import numpy
import soundfile


def run(config: dict) -> None:
    sound = numpy.zeros((config["frames"], config["channels"]), config["dtype"])
    soundfile.write(io.BytesIO(), sound, config["rate"], format=config["format"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
