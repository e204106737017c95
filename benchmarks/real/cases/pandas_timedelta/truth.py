"""A duration has 63 bits of nanoseconds."""

import random

from real.points import Point, both_sides, grid

SOURCE = "https://pandas.pydata.org/pandas-docs/version/1.5.3/user_guide/timedeltas.html#timedelta-limitations"
PACKAGES = ["numpy==1.26.4", "pandas==1.5.3"]
KIND = "values"
CONDITION = "abs(1440 * days + 60 * hours + minutes) > 153722867 (minutes in 2**63 nanoseconds)"


def fails(config: Point) -> bool:
    return abs(1440 * config["days"] + 60 * config["hours"] + config["minutes"]) > 153722867


def points(rng: random.Random) -> list[Point]:
    days = [0, 200000, *range(106707, 106796, 4), 106751, 106752, *(rng.randrange(200001) for _ in range(8))]
    hours = [-1000, -24, -23, -1, 0, 1, 23, 24, 47, 48, 1000, *(rng.randrange(-1000, 1001) for _ in range(6))]
    found = grid(days=[*days, *(-day for day in days if day)], hours=hours, minutes=(0, 1, 46, 47, 48, 59))
    return [*found, *both_sides(fails, found, rng, 3000)]
