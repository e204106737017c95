"""Text in the shape of a date is converted to a date, also if that day does not exist."""

import random

from real.points import Point, grid

SOURCE = "https://yaml.org/type/timestamp.html; constructor.py of PyYAML 6.0.1, construct_yaml_timestamp"
PACKAGES = ["pyyaml==6.0.1"]
KIND = "values"
CONDITION = (
    "month in (4, 6, 9, 11) and day = 31, or month = 2 and day > 29, or month = 2 and day = 29 and year % 4 != 0"
)


def fails(config: Point) -> bool:
    year, month, day = config["year"], config["month"], config["day"]
    if month == 2:
        return day > (29 if year % 4 == 0 else 28)
    return month in (4, 6, 9, 11) and day > 30


def points(rng: random.Random) -> list[Point]:
    return grid(year=range(1990, 2031), month=range(1, 13), day=range(1, 32))
