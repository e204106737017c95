"""At most 1000 parameters are read."""

import random

from real.points import Point, beside, grid

SOURCE = "https://github.com/ljharb/qs#parsing-objects (parameterLimit)"
PACKAGES = ["npm:qs@6.11.0"]
KIND = "values"
CONDITION = "count > 1000"


def fails(config: Point) -> bool:
    return config["count"] > 1000


def points(rng: random.Random) -> list[Point]:
    counts = [1, 2, 20, 21, 22, 3000, *beside(1000, 500, 2000), *(rng.randrange(1, 3001) for _ in range(40))]
    return grid(count=counts, delimiter="&;", prefix=(False, True), arrays=(False, True))
