"""Frequent items of a long sequence count as junk."""

import random

from real.points import Point, grid

SOURCE = "https://docs.python.org/3.11/library/difflib.html (automatic junk heuristic)"
PACKAGES: list[str] = []
KIND = "values"
CONDITION = "autojunk and length >= 200 and count > length // 100 + 1"


def fails(config: Point) -> bool:
    return config["autojunk"] and config["length"] >= 200 and config["count"] > config["length"] // 100 + 1


def points(rng: random.Random) -> list[Point]:
    return grid(length=range(1, 301), count=range(1, 31), autojunk=(False, True))
