"""What a large value adds to the sum is not removed exactly when it leaves the window, unless the window is a pair."""

import random

from real.points import Point, grid

SOURCE = "https://pandas.pydata.org/pandas-docs/version/1.5.3/user_guide/window.html (numerical imprecision)"
PACKAGES = ["numpy==1.26.4", "pandas==1.5.3"]
KIND = "values"
CONDITION = "outlier >= 1e10 and window > 2 and position + window < length"


def fails(config: Point) -> bool:
    leaves = config["position"] + config["window"] < config["length"]
    return config["outlier"] >= 1e10 and config["window"] > 2 and leaves


def points(rng: random.Random) -> list[Point]:
    outliers = (1.0, 100.0, 1e4, 1e6, 1e10, 1e12, 1e16)
    return grid(length=range(5, 21), position=range(20), window=range(2, 7), outlier=outliers)
