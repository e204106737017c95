"""The polynomial must have fewer coefficients than the window has values, and the window must fit into the signal."""

import random

from real.points import Point

SOURCE = "SciPy documentation, savgol_filter: polyorder must be less than window_length; mode interp"
PACKAGES = ["scipy==1.11.4", "numpy==1.26.4"]
KIND = "values"
CONDITION = "polynomial >= window, or mode = interp and window > samples"


def fails(config: Point) -> bool:
    too_long = config["mode"] == "interp" and config["window"] > config["samples"]
    return bool(config["polynomial"] >= config["window"] or too_long)


def points(rng: random.Random) -> list[Point]:
    found = []
    for _ in range(8000):
        window = rng.choice((rng.randint(1, 61), rng.randint(1, 14)))
        samples = rng.choice((rng.randint(1, 60), min(60, max(1, window + rng.randint(-2, 2)))))
        polynomial = rng.choice((rng.randint(0, 10), min(10, max(0, window + rng.randint(-2, 2)))))
        mode = rng.choice(("interp", "interp", "nearest", "mirror", "constant"))
        found.append({"samples": samples, "window": window, "polynomial": polynomial, "mode": mode})
    return found
