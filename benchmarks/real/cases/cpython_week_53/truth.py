"""Few years have a week 53."""

import random

from real.points import Point, grid

SOURCE = "CPython documentation, date.fromisocalendar: ValueError 'Invalid week: 53'"
PACKAGES: list[str] = []
KIND = "values"
CONDITION = "week = 53 and year not in {2004, 2009, 2015, 2020, 2026, 2032, 2037}"
LONG_YEARS = {2004, 2009, 2015, 2020, 2026, 2032, 2037}


def fails(config: Point) -> bool:
    return config["week"] == 53 and config["year"] not in LONG_YEARS


def points(rng: random.Random) -> list[Point]:
    return grid(year=range(2000, 2041), week=range(1, 54), weekday=range(1, 8))
