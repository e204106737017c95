"""The driver brakes at once, but with at most 6 m/s**2; the cars are 5 m long.

At the border itself, rounding decides. So points within 5 cm of it are left out.
"""

import random

from real.points import Point, grid

SOURCE = "highway-env documentation, IDMVehicle: the acceleration is limited to ACC_MAX = 6.0 m/s2"
PACKAGES = ["highway-env==1.10.1", "numpy==1.26.4"]
KIND = "simulator"
CONDITION = "gap < 5 + speed**2 / 12 + speed / (2 * frequency)"
MARGIN = 0.05


def surplus(config: Point) -> float:
    """Return the metres that are left when the car has stopped."""
    speed = config["speed"]
    return float(config["gap"] - 5 - speed**2 / 12 - speed / (2 * config["frequency"]))


def fails(config: Point) -> bool:
    return surplus(config) < 0


def decides(config: Point) -> bool:
    return abs(surplus(config)) > MARGIN


def points(rng: random.Random) -> list[Point]:
    every = [
        point for point in grid(speed=range(1, 41), gap=range(6, 201), frequency=(5, 10, 15, 30)) if decides(point)
    ]
    return [*(point for point in every if abs(surplus(point)) < 1), *rng.sample(every, 100)]
