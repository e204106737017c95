"""Read a YAML document with a date."""

import json
import sys

import yaml


def run(config: dict) -> None:
    yaml.safe_load("released: {year:04}-{month:02}-{day:02}".format(**config))


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
