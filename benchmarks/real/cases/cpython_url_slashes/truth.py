"""An empty host is forgotten."""

import random

from real.points import Point, grid

SOURCE = "https://github.com/python/cpython/issues/67693"
PACKAGES: list[str] = []
KIND = "options"
CONDITION = "slashes >= 4, or slashes = 3 and scheme is empty"
PYTHON = ((3, 11), (3, 12, 2))


def fails(config: Point) -> bool:
    return config["slashes"] >= (4 if config["scheme"] else 3)


def points(rng: random.Random) -> list[Point]:
    return grid(
        scheme=("", "http", "https", "ftp"),
        slashes=range(2, 9),
        path=("a", "a/b", "example.org/a", "index.html"),
        query=("", "?q=1", "?q=1&r=2"),
        fragment=("", "#top"),
    )
