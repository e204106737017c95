"""Looking back, only the current year is searched for a 29th of February."""

import random

from real.points import Point, grid

SOURCE = "croniter 1.3.8, get_prev: CroniterBadDateError, failed to find prev date"
PACKAGES = ["croniter==1.3.8"]
KIND = "values"
CONDITION = "expression = 0 0 29 2 * and (year % 4 != 0 or month <= 2)"


def fails(config: Point) -> bool:
    return config["expression"] == "0 0 29 2 *" and (config["year"] % 4 != 0 or config["month"] <= 2)


def points(rng: random.Random) -> list[Point]:
    expressions = ("0 0 29 2 *", "0 0 28 2 *", "0 0 1 * *", "0 0 31 12 *")
    return grid(year=range(2000, 2012), month=range(1, 13), day=range(1, 29), expression=expressions)
