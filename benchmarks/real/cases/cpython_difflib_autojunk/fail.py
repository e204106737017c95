"""Find a word in a list of words that contains it several times."""

import difflib
import json
import sys


class NoMatch(Exception):
    """The word was not found."""


def run(config: dict) -> None:
    count = min(config["count"], config["length"])
    words = [f"word {i}" for i in range(config["length"] - count)] + ["end"] * count
    matcher = difflib.SequenceMatcher(None, ["end"], words, autojunk=config["autojunk"])
    if matcher.find_longest_match().size == 0:
        raise NoMatch


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
