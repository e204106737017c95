"""Decode a file of one byte, perhaps with a byte order mark in front of it."""

import codecs
import json
import sys


def run(config: dict) -> None:
    data = bytes([config["byte"]])
    (codecs.BOM_UTF8 + data if config["bom"] else data).decode(config["encoding"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
