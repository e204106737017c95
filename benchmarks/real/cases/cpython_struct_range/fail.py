"""Pack a number."""

import json
import struct
import sys


def run(config: dict) -> None:
    struct.pack(config["order"] + config["code"], config["value"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
