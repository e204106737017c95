"""Conversions that take quadratic time are limited; those in bases that are powers of two are not."""

import random

from real.points import Point, beside, both_sides, grid

SOURCE = "https://docs.python.org/3.11/library/stdtypes.html#integer-string-conversion-length-limitation"
PACKAGES: list[str] = []
KIND = "values"
CONDITION = "digits > 4300 and base is no power of 2"


def fails(config: Point) -> bool:
    return config["digits"] > 4300 and config["base"] in (3, 10, 36)


def points(rng: random.Random) -> list[Point]:
    digits = [1, 2, 20000, *beside(4300, 8600, 640, 4096), *(rng.randrange(1, 20001) for _ in range(60))]
    found = grid(digits=digits, base=(2, 3, 8, 10, 16, 32, 36), sign=("", "-", "+"), underscores=(False, True))
    return [*found, *both_sides(fails, found, rng, 500, listed=["base"])]
