"""Write the size of a file: the number must stay below the next unit, such as 1000 kB for 1 MB."""

import json
import re
import sys

import humanize


def run(config: dict) -> None:
    text = humanize.naturalsize(config["n"], binary=config["binary"], gnu=config["gnu"])
    number = float(re.match(r"[\d.]+", text).group())
    if number >= (1024 if config["binary"] or config["gnu"] else 1000):
        raise AssertionError(text)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
