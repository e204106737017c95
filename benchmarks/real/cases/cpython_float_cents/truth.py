"""Most prices are no binary fractions; where the product is rounded down, a cent is lost."""

import random
from fractions import Fraction

from real.points import Point, grid

SOURCE = "CPython documentation, Floating Point Arithmetic: Issues and Limitations"
PACKAGES: list[str] = []
KIND = "no simple condition"
CONDITION = "the double nearest to cents / 100, times 100 and rounded to a double, is less than cents"


def fails(config: Point) -> bool:
    cents = config["cents"]
    product = Fraction(float(Fraction(cents, 100))) * 100
    return Fraction(float(product)) < cents


def points(rng: random.Random) -> list[Point]:
    return grid(cents=range(10_000), currency=("EUR", "USD"))
