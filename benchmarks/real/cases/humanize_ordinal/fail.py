"""Write a number as an ordinal: the ending is that of the number without its sign."""

import json
import sys

import humanize


class WrongEnding(Exception):
    """The ending is not that of English."""


def run(config: dict) -> None:
    size = abs(config["n"])
    ending = "th" if size % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(size % 10, "th")
    text = humanize.ordinal(config["n"], config["gender"])
    if not text.endswith(ending):
        raise WrongEnding(text)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
