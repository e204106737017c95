"""A sign that has a meaning must be quoted or escaped."""

import random

from real.points import Point, grid

SOURCE = "CPython documentation, csv: Error 'need to escape, but no escapechar set'"
PACKAGES: list[str] = []
KIND = "options"
CELLS = ("plain", "a,b", "a;b", "a\tb", 'say "hi"', "two\nlines", "", "back\\slash")
CONDITION = (
    "escapechar = none, and quoting = none and cell contains the delimiter, a quote or a newline, or doublequote is "
    "off and cell contains a quote"
)


def fails(config: Point) -> bool:
    cell, delimiter = config["cell"], "\t" if config["delimiter"] == "tab" else config["delimiter"]
    if config["escapechar"] != "none":
        return False
    special = config["quoting"] == "none" and any(sign in cell for sign in (delimiter, '"', "\n"))
    return special or (not config["doublequote"] and '"' in cell)


def points(rng: random.Random) -> list[Point]:
    return grid(
        quoting=("minimal", "all", "nonnumeric", "none"),
        doublequote=(False, True),
        escapechar=("none", "backslash"),
        delimiter=(",", ";", "tab"),
        cell=CELLS,
    )
