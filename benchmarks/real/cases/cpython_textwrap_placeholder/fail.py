"""Wrap a paragraph into a limited number of lines."""

import json
import sys
import textwrap

TEXT = "The quick brown fox jumps over the lazy dog, and the dog, being lazy, does not mind at all. " * 5


def run(config: dict) -> None:
    textwrap.wrap(
        TEXT,
        config["width"],
        initial_indent=" " * config["indent"],
        subsequent_indent=" " * config["hanging_indent"],
        placeholder=config["placeholder"],
        max_lines=config["max_lines"],
        break_long_words=config["break_long_words"],
    )


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
