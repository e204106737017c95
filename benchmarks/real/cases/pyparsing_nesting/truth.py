"""Without memory, each operator parses what is in parentheses twice: the work grows as 2**(operators * depth)."""

import random

from real.points import Point, grid

SOURCE = "pyparsing documentation, infix_notation: use enable_packrat for nested expressions"
PACKAGES = ["pyparsing==3.0.9"]
KIND = "slow"
CONDITION = (
    "packrat is off and depth >= D, where D is 9, 5, 3, 2 for 1 to 4 operators; one less for 1 operator and more than "
    "2 terms, and for 2 operators and more than 1 term"
)
FIRST_SLOW = {1: (9, 9, 8, 8), 2: (5, 4, 4, 4), 3: (3, 3, 3, 3), 4: (2, 2, 2, 2)}
"""The least depth that takes more than 100,000 calls, for each number of operators and of terms."""


def fails(config: Point) -> bool:
    return not config["packrat"] and config["depth"] >= FIRST_SLOW[config["operators"]][config["terms"] - 1]


def points(rng: random.Random) -> list[Point]:
    return grid(depth=range(10), operators=range(1, 5), terms=range(1, 5), packrat=(False, True))
