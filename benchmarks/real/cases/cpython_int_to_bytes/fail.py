"""Write a number as bytes."""

import json
import sys


def run(config: dict) -> None:
    config["value"].to_bytes(config["length"], config["byteorder"], signed=config["signed"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
