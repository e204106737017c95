"""A driver who looks only tau seconds ahead, but decides only once in a longer step, stops too late."""

import random

from real.points import Point, grid

SOURCE = "SUMO documentation, Car-Following Models: tau must not be below the step length"
PACKAGES = ["eclipse-sumo==1.28.0", "libsumo==1.28.0"]
KIND = "simulator"
CONDITION = "model = Krauss and step_length > tau"


def fails(config: Point) -> bool:
    return bool(config["model"] == "Krauss" and round(10 * config["step_length"]) > round(10 * config["tau"]))


def points(rng: random.Random) -> list[Point]:
    tenths = [round(tenth / 10, 1) for tenth in range(1, 21)]
    return grid(step_length=tenths, tau=tenths, speed=(8, 20, 28), model=("Krauss", "IDM"))
