"""A ZIP archive stores the year in 7 bits from 1980 on, and only every second second."""

import random

from real.points import Point, beside

SOURCE = "CPython documentation, zipfile: timestamps before 1980 and after 2107; the time format of MS-DOS"
PACKAGES: list[str] = []
KIND = "two failures"
CONDITION = "ValueError: year < 1980; error (of struct): year > 2107; Changed: 1980 <= year <= 2107 and second is odd"


def fails(config: Point) -> bool | str:
    if config["year"] < 1980:
        return "ValueError"
    if config["year"] > 2107:
        return "error"
    return "Changed" if config["second"] % 2 else False


def points(rng: random.Random) -> list[Point]:
    years = [*beside(1980, 2107, 2043, far=3), 1900, 2200, 1970, 1999, 2000, 2038, 2100]
    rest = {"month": (1, 12), "day": (1, 28), "hour": (0, 23), "minute": (0, 59)}
    found = [
        {"year": year, **{name: rng.randint(*bounds) for name, bounds in rest.items()}, "second": second}
        for year in [*years, *range(1900, 2201, 7)]
        for second in range(60)
        for _ in range(2)
    ]
    return [{**point, "compress": rng.random() < 0.5} for point in found]
