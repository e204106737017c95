"""A rule that never holds is tried until the year 9999: on the 31st of months that are always short."""

import random

from real.points import Point, grid

SOURCE = "dateutil documentation, rrule: dates that do not exist are skipped"
PACKAGES = ["python-dateutil==2.8.2"]
KIND = "slow"
CONDITION = "interval % 12 = 0, and day > 29 in month 2 or day > 30 in months 4, 6, 9 and 11"


def fails(config: Point) -> bool:
    longest = {2: 29, 4: 30, 6: 30, 9: 30, 11: 30}.get(config["month"], 31)
    return config["interval"] % 12 == 0 and config["day"] > longest


def points(rng: random.Random) -> list[Point]:
    found = grid(month=range(1, 13), day=(1, 15, 27, 28, 29, 30, 31), interval=range(1, 37), hour=(0,))
    found += grid(month=range(1, 13), day=range(1, 32), interval=(1, 6, 12, 24, 36), hour=(0,))
    return [{**point, "hour": rng.randint(0, 23)} for point in found]
