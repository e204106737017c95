"""Arrays are compatible if their sides are equal or 1."""

import random

from real.points import Point, grid

SOURCE = "NumPy documentation, Broadcasting: operands could not be broadcast together"
PACKAGES = ["numpy==1.26.4"]
KIND = "values"
CONDITION = (
    "rows != other_rows and rows != 1 and other_rows != 1; or columns != other_columns and columns != 1 and "
    "other_columns != 1"
)


def fails(config: Point) -> bool:
    pairs = ((config["rows"], config["other_rows"]), (config["columns"], config["other_columns"]))
    return any(one != other and 1 not in (one, other) for one, other in pairs)


def points(rng: random.Random) -> list[Point]:
    sides = range(1, 9)
    return grid(rows=sides, columns=sides, other_rows=sides, other_columns=sides, dtype=("float64", "int32"))
