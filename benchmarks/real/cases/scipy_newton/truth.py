"""Newton's method for arctan diverges if it starts beyond the solution of 2 u = (1 + u**2) arctan(u).

Halley's method would converge from everywhere, but SciPy falls back to Newton's step if abs(u * arctan(u)) >= 1. At the
border itself rounding decides, so points within a millionth of it are left out.
"""

import random

from real.points import Point

SOURCE = "SciPy documentation, optimize.newton: RuntimeError if it fails to converge; _zeros_py.py: abs(adj) < 1"
PACKAGES = ["scipy==1.11.4", "numpy==1.26.4"]
KIND = "simulator"
CONDITION = "abs(gain * (start - root)) > 1.3917452"
LIMIT = 1.3917452002707
MARGIN = 1e-6


def ratio(config: Point) -> float:
    """Return 1 at the border, more where it diverges."""
    return abs(float(config["gain"] * (config["start"] - config["root"]))) / LIMIT


def fails(config: Point) -> bool:
    return ratio(config) > 1


def decides(config: Point) -> bool:
    return abs(ratio(config) - 1) > MARGIN


def points(rng: random.Random) -> list[Point]:
    found: list[Point] = []
    while len(found) < 8000:
        point = {
            "gain": rng.choice((10 ** rng.uniform(-1, 1.3), rng.uniform(0.1, 20))),
            "root": rng.uniform(-10, 10),
            "start": rng.uniform(-10, 10),
            "method": rng.choice(("newton", "halley")),
            "tolerance": rng.choice((1e-9, 1e-8, 1e-6, 1e-4)),
        }
        if len(found) % 2:  # close to the border
            distance = LIMIT / point["gain"] * (1 + rng.choice((-1, 1)) * 10 ** rng.uniform(-5, -0.5))
            point["start"] = point["root"] + rng.choice((-1, 1)) * distance
        if 0.1 <= point["gain"] <= 20 and -10 <= point["start"] <= 10 and decides(point):
            found.append(point)
    return found
