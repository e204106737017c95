"""Looking back, a 29th of February is never reached."""

import random

from real.points import Point, grid

SOURCE = "https://github.com/pallets-eco/croniter/issues/62"
PACKAGES = ["croniter==1.3.8"]
KIND = "options"
CONDITION = "day_of_month = 29 and months = 2"


def fails(config: Point) -> bool:
    return config["day_of_month"] == 29 and config["months"] == "2"


def points(rng: random.Random) -> list[Point]:
    return grid(
        year=range(2000, 2007), month=range(1, 13), day=range(1, 29), day_of_month=(1, 15, 28, 29), months=("*", "2")
    )
