"""The day must exist in the other month."""

import random

from real.points import Point, grid

SOURCE = "CPython documentation, datetime.replace: ValueError if the resulting date would be invalid"
PACKAGES: list[str] = []
KIND = "values"
CONDITION = (
    "day = 31 and month is 4, 6, 9 or 11; or month = 2 and day > 29; or month = 2, day = 29 and year is no leap year "
    "(no multiple of 4, or 2100)"
)


def fails(config: Point) -> bool:
    year, month, day = config["year"], config["month"], config["day"]
    if month == 2:
        leap = year % 4 == 0 and year != 2100
        return bool(day > (29 if leap else 28))
    return day == 31 and month in (4, 6, 9, 11)


def points(rng: random.Random) -> list[Point]:
    found = grid(year=range(1990, 2111), month=range(1, 13), day=range(27, 32))
    early = grid(year=range(1990, 2111), month=range(1, 13), day=range(1, 27))
    february = grid(year=range(1990, 2111), month=(1, 2, 3), day=(28, 29), hour=(0, 9, 23))
    return [*february, *({**one, "hour": rng.randint(0, 23)} for one in [*found, *rng.sample(early, 6000)])]
