"""The converter splits at the space and the colons, and keeps six characters of the fraction."""

import random

from real.points import Point, grid

SOURCE = "https://github.com/python/cpython/issues/73285"
PACKAGES: list[str] = []
KIND = "options"
CONDITION = "separator = T, or offset is not empty and digits < 6"


def fails(config: Point) -> bool:
    return config["separator"] == "T" or (config["offset"] != "" and config["digits"] < 6)


def points(rng: random.Random) -> list[Point]:
    return grid(separator=(" ", "T"), digits=range(10), offset=("", "Z", "+00:00", "-05:00", "+05:30"), hour=range(24))
