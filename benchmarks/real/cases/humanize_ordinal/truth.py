"""The remainder of a negative number is positive: -2 % 10 is 8."""

import random

from real.points import Point, grid

SOURCE = "number.py of humanize 4.4.0: ordinal(-2) is -2th"
PACKAGES = ["humanize==4.4.0"]
KIND = "values"
CONDITION = (
    "n < 0 and (abs(n) % 10 in (1, 2, 3) and abs(n) % 100 not in (11, 12, 13), or abs(n) % 10 in (7, 8, 9) and "
    "abs(n) % 100 not in (87, 88, 89))"
)


def fails(config: Point) -> bool:
    size = -config["n"]
    if size <= 0:
        return False
    if size % 10 in (1, 2, 3):
        return size % 100 not in (11, 12, 13)
    return size % 10 in (7, 8, 9) and size % 100 not in (87, 88, 89)


def points(rng: random.Random) -> list[Point]:
    return grid(n=range(-1000, 1001), gender=("male", "female"))
