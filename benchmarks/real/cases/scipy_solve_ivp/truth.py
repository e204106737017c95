"""The solution, start / (1 - rate * start * time), becomes infinite at a finite time.

Close to the border, it depends on the error of the method, so points within 3% of the border are left out.
"""

import random

from real.points import Point

SOURCE = "SciPy documentation, integrate.solve_ivp: status -1; blow-up of y' = a * y**2 at the time 1 / (a * y(0))"
PACKAGES = ["numpy==1.26.4", "scipy==1.11.4"]
KIND = "simulator"
CONDITION = "rate * start * duration > 1"
MARGIN = 0.03


def product(config: Point) -> float:
    return float(config["rate"] * config["start"] * config["duration"])


def fails(config: Point) -> bool:
    return product(config) > 1


def decides(config: Point) -> bool:
    return abs(product(config) - 1) > MARGIN


def points(rng: random.Random) -> list[Point]:
    found = []
    while len(found) < 6000:
        point = {
            "rate": rng.choice((rng.uniform(0.01, 2), 10 ** rng.uniform(-2, 0.3))),
            "start": rng.choice((rng.uniform(0.1, 10), 10 ** rng.uniform(-1, 1))),
            "duration": rng.choice((rng.uniform(0.1, 10), 10 ** rng.uniform(-1, 1))),
            "method": rng.choice(("RK23", "RK45", "DOP853")),
            "rtol": rng.choice((0.001, 0.0001, 0.000001)),
        }
        if len(found) % 2:  # close to the border
            point["rate"] *= (1 + rng.choice((-1, 1)) * rng.uniform(MARGIN, 0.3)) / product(point)
        if 0.01 <= point["rate"] <= 2 and decides(point):
            found.append(point)
    return found
