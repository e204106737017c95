"""Deeper levels become part of a key."""

import random

from real.points import Point, grid

SOURCE = "https://github.com/ljharb/qs#parsing-objects (depth)"
PACKAGES = ["npm:qs@6.11.0"]
KIND = "values"
CONDITION = "depth > limit"


def fails(config: Point) -> bool:
    return config["depth"] > config["limit"]


def points(rng: random.Random) -> list[Point]:
    return grid(depth=range(31), limit=range(21), dots=(False, True))
