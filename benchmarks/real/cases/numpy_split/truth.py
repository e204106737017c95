"""The parts must have the same size."""

import random

from real.points import Point, grid

SOURCE = "NumPy documentation, split: ValueError if the split does not result in equal division"
PACKAGES = ["numpy==1.26.4"]
KIND = "values"
CONDITION = "axis = 0 and rows % parts != 0, or axis = 1 and columns % parts != 0"


def fails(config: Point) -> bool:
    length = config["columns"] if config["axis"] else config["rows"]
    return bool(length % config["parts"])


def points(rng: random.Random) -> list[Point]:
    found = grid(rows=range(1, 61), columns=range(1, 61), parts=range(1, 13), axis=(0, 1), dtype=("float64", "int32"))
    passing = [point for point in found if not fails(point)]
    return [*rng.sample(found, 8000), *rng.sample(passing, 8000)]
