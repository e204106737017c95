"""An argument that begins with a minus sign is an option unless it is a plain negative number."""

import random
import re

from real.points import Point, grid
from real.texts import texts

SOURCE = "CPython documentation, argparse: arguments containing -"
PACKAGES: list[str] = []
PYTHON = ((3, 11), (3, 12, 8))
KIND = "text"
CONDITION = (
    "separator = space, value starts with -, is not - alone, is no number such as -5 or -0.5, and contains no space "
    "(if it starts with -o, it may)"
)
NUMBER = re.compile(r"^-\d+$|^-\d*\.\d+$")
VALUES = (
    "5",
    "-5",
    "-0.5",
    "-.5",
    "-1e5",
    "-1_000",
    "-x",
    "--",
    "-",
    "- 5",
    "abc",
    "-inf",
    "-1-2",
    "-٣",
    "-5.",
    "-5 6",
    "-a b",
    "-o",
    "-o 3",
)


def fails(config: Point) -> bool:
    value = config["value"]
    if config["separator"] == "equals" or not value.startswith("-") or value == "-":
        return False
    return value == "--" or value.startswith("-o") or not (NUMBER.match(value) or " " in value)


def points(rng: random.Random) -> list[Point]:
    drawn = texts(rng, VALUES, "-0123456789._ exabo+", 700, max_length=6)
    return grid(value=drawn, separator=("space", "equals"), option=("--offset", "-o"))
