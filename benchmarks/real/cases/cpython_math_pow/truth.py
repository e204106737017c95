"""The result must be real, and not too large for a float."""

import math
import random

from real.points import Point, beside

SOURCE = "CPython documentation, math.pow: ValueError and OverflowError"
PACKAGES: list[str] = []
KIND = "two failures"
CONDITION = (
    "ValueError: base < 0 and exponent is no integer, or base = 0 and exponent < 0. "
    "OverflowError: |base| ** exponent >= 2 ** 1024, except where it is a ValueError"
)


def fails(config: Point) -> bool | str:
    base, exponent = config["base"], config["exponent"]
    if (base < 0 and exponent % 1) or (base == 0 and exponent < 0):
        return "ValueError"
    return "OverflowError" if base and exponent * math.log2(abs(base)) >= 1024 else False


def points(rng: random.Random) -> list[Point]:
    found = []
    for base in range(-100, 101):
        limit = 4 * 1024 / math.log2(abs(base)) if abs(base) > 1 else 0
        near = beside(round(limit), 0, far=5, lo=-1200, hi=1200)
        for quarters in [*near, -1200, 1200, *(rng.randint(-1200, 1200) for _ in range(20))]:
            found.append({"base": base, "exponent": quarters / 4, "digits": rng.randint(0, 10)})
        for _ in range(5):
            found.append({"base": base, "exponent": float(rng.randint(-300, 300)), "digits": rng.randint(0, 10)})
    return found
