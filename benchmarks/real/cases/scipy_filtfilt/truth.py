"""The signal must be longer than the padding: three times the number of coefficients. A band needs twice as many."""

import random

from real.points import Point, grid

SOURCE = "SciPy, filtfilt: ValueError 'The length of the input vector x must be greater than padlen'"
PACKAGES = ["scipy==1.11.4", "numpy==1.26.4"]
KIND = "values"
CONDITION = "padding != none, and samples <= 3 * (order + 1); for bandpass and bandstop samples <= 3 * (2 * order + 1)"


def fails(config: Point) -> bool:
    order = 2 * config["order"] if config["kind"].startswith("band") else config["order"]
    return config["padding"] != "none" and config["samples"] <= 3 * (order + 1)


def points(rng: random.Random) -> list[Point]:
    kinds = ("lowpass", "highpass", "bandpass", "bandstop")
    found = grid(order=range(1, 11), kind=kinds, samples=range(1, 71), padding=("odd", "none"))
    found = [{**point, "padding": rng.choice(("odd", "even", "constant", point["padding"]))} for point in found]
    return found + grid(order=range(1, 11), kind=kinds, samples=range(71, 501, 9), padding=("odd", "none"))
