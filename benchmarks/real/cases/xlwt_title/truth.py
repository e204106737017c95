"""Titles that Excel does not accept are refused."""

import random

from real.points import Point, grid
from real.texts import texts

SOURCE = "Utils.py of xlwt 1.3.0, valid_sheet_name"
PACKAGES = ["xlwt==1.3.0"]
KIND = "text"
CONDITION = "title is empty or longer than 31, or starts with an apostrophe, or contains one of [ ] : \\ ? / * or NUL"


def fails(config: Point) -> bool:
    title = config["title"]
    return not title or len(title) > 31 or title[0] == "'" or any(one in title for one in "[]:\\?/*\x00")


def points(rng: random.Random) -> list[Point]:
    examples = ["Sales", "Q1/2024", "Data (old)", "total: all", "[draft]", "'quoted'", "''", "x" * 100]
    examples += [one * length for one in "aä" for length in (30, 31, 32)]
    characters = "".join(map(chr, range(32, 127))) + "\n\täö€"
    return grid(title=texts(rng, examples, characters, max_length=40), hidden=(False, True))
