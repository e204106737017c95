"""No more numbers can be drawn than there are."""

import random

from real.points import Point, both_sides

SOURCE = "CPython documentation, random.sample: ValueError if the sample is larger than the population"
PACKAGES: list[str] = []
KIND = "values"
CONDITION = "count > the length of the range, which is (stop - start) / step rounded up, or 0 if stop <= start"


def fails(config: Point) -> bool:
    length = max(0, -((config["start"] - config["stop"]) // config["step"]))
    return bool(config["count"] > length)


def points(rng: random.Random) -> list[Point]:
    found = [
        {
            "start": rng.randint(0, 200),
            "stop": rng.randint(0, 500),
            "step": rng.randint(1, 10),
            "count": rng.randint(1, 60),
            "seed": rng.randint(0, 1000),
        }
        for _ in range(6000)
    ]
    return [*found, *both_sides(fails, found, rng, 4000)]
