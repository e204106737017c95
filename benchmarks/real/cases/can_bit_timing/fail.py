"""Configure the bit timing of a CAN bus."""

import json
import sys

from can import BitTiming


def run(config: dict) -> None:
    BitTiming(
        f_clock=config["clock"],
        brp=config["brp"],
        tseg1=config["tseg1"],
        tseg2=config["tseg2"],
        sjw=config["sjw"],
        nof_samples=config["samples"],
        strict=config["strict"],
    )


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
