"""Patterns and local versions can be compared only with == and !=, and ~= needs two numbers."""

import random

from real.points import Point, grid

SOURCE = "PEP 440, Version specifiers; packaging documentation, InvalidSpecifier"
PACKAGES = ["packaging==23.2"]
KIND = "options"
CONDITION = "suffix is .* or +local and operator is not ==, != or ===; or operator is ~= and numbers = 1"
OPERATORS = ("==", "!=", "~=", "<", "<=", ">", ">=", "===")


def fails(config: Point) -> bool:
    exact = config["operator"] in ("==", "!=", "===")
    too_short = config["operator"] == "~=" and config["numbers"] == 1
    return too_short or (config["suffix"] in (".*", "+local") and not exact)


def points(rng: random.Random) -> list[Point]:
    return grid(
        operator=OPERATORS,
        numbers=range(1, 6),
        suffix=("", ".*", "+local", "rc1", ".dev1", ".post1"),
        epoch=(False, True),
        space=(False, True),
    )
