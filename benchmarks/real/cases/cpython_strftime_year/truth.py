"""strftime does not pad the year; strptime needs four digits, and takes them from the month if nothing separates."""

import random

from real.points import Point, beside, both_sides, grid

SOURCE = "https://github.com/python/cpython/issues/57514"
PACKAGES: list[str] = []
PYTHON = ((3, 11), (3, 14))
KIND = "two failures"
CONDITION = (
    "ValueError: year < 1000, except where another date is read. OtherDate: format = %Y%m%d and year < 1000 and "
    "enough digits follow the four that are read as the year"
)


def fails(config: Point) -> bool | str:
    year, month, day = config["year"], config["month"], config["day"]
    if year >= 1000:
        return False
    if config["format"] != "%Y%m%d":
        return "ValueError"
    rest = f"{year}{month:02}{day:02}"[4:]
    return "OtherDate" if _is_month_and_day(rest) else "ValueError"


def _is_month_and_day(digits: str) -> bool:
    """Return True if strptime reads these digits as %m%d: one or two digits each, without rest."""
    splits = [(digits[:2], digits[2:]), (digits[:1], digits[1:])]
    for month, day in splits:
        if month and day and len(day) <= 2 and 1 <= int(month) <= 12 and 1 <= int(day) <= 31:
            return True
    return False


def points(rng: random.Random) -> list[Point]:
    formats = ("%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y", "%Y%m%d", "%Y/%j")
    years = [
        *beside(1, 10, 100, 1000, far=2, lo=1),
        9999,
        *(rng.randrange(1, 9999) for _ in range(10)),
        *(rng.randrange(1, 1000) for _ in range(10)),
    ]
    found = grid(year=years, month=(1, 2, 9, 10, 11, 12), day=(1, 2, 9, 10, 11, 19, 20, 21, 28), format=formats)
    return [*found, *both_sides(fails, found, rng)]
