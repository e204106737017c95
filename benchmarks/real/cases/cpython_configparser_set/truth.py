"""A percent sign belongs to the syntax of references, unless it is doubled."""

import random
import re

from real.points import Point
from real.texts import texts

SOURCE = "CPython documentation, configparser.BasicInterpolation; before_set: invalid interpolation syntax"
PACKAGES: list[str] = []
KIND = "text"
CONDITION = "value contains a % that is neither doubled nor the start of a reference %(name)s"
EXAMPLES = (
    "secret",
    "100%",
    "50%% off",
    "%(home)s/data",
    "p%40ss",
    "%d.%m.%Y",
    "a=b",
    "# no comment",
    "%()s",
    "two words",
    "%(home)",
    "$HOME",
    "%%(a)s",
    "%%%",
    "%%%%",
)


def fails(config: Point) -> bool:
    rest = config["value"].replace("%%", "")
    return "%" in re.sub(r"%\([^)]+\)s", "", rest)


def points(rng: random.Random) -> list[Point]:
    return [
        {"option": rng.choice(("password", "url", "format")), "value": value, "spaces": rng.random() < 0.5}
        for value in texts(rng, EXAMPLES, "%%()sd $a0=#", 1500)
    ]
