"""An index above the limit makes an object instead of an array."""

import random

from real.points import Point, grid

SOURCE = "https://github.com/ljharb/qs#parsing-arrays (arrayLimit)"
PACKAGES = ["npm:qs@6.11.0"]
KIND = "values"
CONDITION = "index > limit or not parse_arrays"


def fails(config: Point) -> bool:
    return config["index"] > config["limit"] or not config["parse_arrays"]


def points(rng: random.Random) -> list[Point]:
    return grid(index=range(101), limit=range(61), parse_arrays=(False, True))
