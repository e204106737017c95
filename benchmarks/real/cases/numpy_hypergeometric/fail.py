"""Draw balls from an urn."""

import json
import sys

import numpy


def run(config: dict) -> None:
    generator = numpy.random.default_rng(config["seed"])
    generator.hypergeometric(config["white"], config["black"], config["draws"], size=config["size"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
