"""Read a number that is written in hexadecimal bytes."""

import json
import sys


def run(config: dict) -> None:
    int.from_bytes(bytes.fromhex(config["text"]), config["order"], signed=config["signed"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
