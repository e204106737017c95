"""The length is computed with rounded numbers: often there is one value too many."""

import math
import random

from real.points import Point, grid

SOURCE = (
    "NumPy documentation, arange: with a non-integer step, the length of the output might not be numerically stable"
)
PACKAGES = ["numpy==1.26.4"]
KIND = "no simple condition"
CONDITION = "((start + count * step) - start) / step, computed in doubles, is rounded to more than count"


def fails(config: Point) -> bool:
    start, step = float(config["start"]), float(config["step"])
    return math.ceil(((start + config["count"] * step) - start) / step) != config["count"]


def points(rng: random.Random) -> list[Point]:
    starts = [round(tenth / 10, 1) for tenth in range(101)]
    steps = [round(tenth / 10, 1) for tenth in range(1, 11)]
    return rng.sample(grid(start=starts, step=steps, count=range(1, 51)), 20_000)
