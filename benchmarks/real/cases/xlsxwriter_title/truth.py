"""Titles that Excel does not accept are refused; an empty title is replaced by a usual one."""

import random

from real.points import Point, grid
from real.texts import texts

SOURCE = "https://xlsxwriter.readthedocs.io/workbook.html#add_worksheet"
PACKAGES = ["XlsxWriter==3.2.0"]
KIND = "text"
CONDITION = "title is longer than 31, or starts or ends with an apostrophe, or contains one of [ ] : * ? / \\"


def fails(config: Point) -> bool:
    title = config["title"]
    quoted = title.startswith("'") or title.endswith("'")
    return len(title) > 31 or quoted or any(one in title for one in "[]:*?/\\")


def points(rng: random.Random) -> list[Point]:
    examples = ["Sales", "Q1/2024", "Data (old)", "total: all", "[draft]", "'quoted'", "''", "x" * 100]
    examples += [one * length for one in "aä" for length in (30, 31, 32)]
    characters = "".join(map(chr, range(32, 127))) + "\n\täö€"
    return grid(title=texts(rng, examples, characters, max_length=40), hidden=(False, True))
