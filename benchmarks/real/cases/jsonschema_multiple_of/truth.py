"""The quotient is converted to an integer, even if it is infinite."""

import math
import random

from real.points import Point, both_sides, grid

SOURCE = "https://github.com/python-jsonschema/jsonschema/issues/743"
PACKAGES = ["jsonschema==3.2.0", "setuptools==65.5.0"]
KIND = "values"
CONDITION = "x / multiple overflows: abs(x) / multiple > 1.7976931348623157e308"


def fails(config: Point) -> bool:
    return math.isinf(config["x"] / config["multiple"])


def points(rng: random.Random) -> list[Point]:
    x = [
        0.0,
        1.0,
        1e300,
        1.7e308,
        *(10 ** rng.uniform(300, 308.2) for _ in range(60)),
        *(10 ** rng.uniform(-5, 300) for _ in range(20)),
    ]
    multiples = [1e-6, 0.5, 0.999, 1.0, 1.001, 2.0, 1000.0, *(10 ** rng.uniform(-6, 3) for _ in range(40))]
    found = grid(x=[*x, *(-one for one in x)], multiple=multiples)
    return [*found, *both_sides(fails, found, rng)]
