"""Every edge has two ends, and a node has no more neighbours than there are others."""

import random

from real.points import Point, grid

SOURCE = "NetworkX documentation, random_regular_graph: n * d must be even; 0 <= d < n"
PACKAGES = ["networkx==3.2.1"]
KIND = "values"
CONDITION = "degree * nodes is odd, or degree >= nodes"


def fails(config: Point) -> bool:
    degree, nodes = config["degree"], config["nodes"]
    return degree * nodes % 2 == 1 or degree >= nodes


def points(rng: random.Random) -> list[Point]:
    return grid(degree=range(13), nodes=range(1, 41), seed=range(10))
