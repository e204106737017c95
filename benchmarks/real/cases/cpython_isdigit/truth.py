"""Superscripts and circled digits are digits for str.isdigit, but not for int."""

import random

from real.points import Point, grid
from real.texts import texts

SOURCE = "CPython documentation, str.isdigit: includes superscript digits, which int refuses"
PACKAGES: list[str] = []
KIND = "text"
CONDITION = "quantity consists of digits, and at least one of them is no decimal digit (such as ² or ①)"
EXAMPLES = ("1", "42", "007", "-3", "1.5", "12 ", "x", "²", "10²", "٣", "①", "\uff11\uff12", "½", "3³", "99")


def fails(config: Point) -> bool:
    return config["quantity"].isdigit() and not config["quantity"].isdecimal()


def points(rng: random.Random) -> list[Point]:
    drawn = texts(rng, EXAMPLES, "0123456789²³¹①⑨٣\uff11½⅓Ⅳ一.- x", 1500, max_length=5)
    return grid(quantity=drawn, unit=("m", "kg", "pieces"))
