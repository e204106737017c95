"""A connected graph has at least one edge less than nodes, and at most one edge for each pair of nodes."""

import random

from real.points import Point, beside, grid

SOURCE = "NetworkX documentation, hnm_harary_graph: m >= n - 1 and m <= n * (n - 1) // 2"
PACKAGES = ["networkx==3.2.1"]
KIND = "values"
CONDITION = "edges < nodes - 1, or edges > nodes * (nodes - 1) / 2"


def fails(config: Point) -> bool:
    nodes, edges = config["nodes"], config["edges"]
    return not nodes - 1 <= edges <= nodes * (nodes - 1) // 2


def points(rng: random.Random) -> list[Point]:
    found = grid(nodes=range(1, 41), edges=range(0, 401, 3), multigraph=(False, True))
    for nodes in range(1, 41):
        edges = beside(nodes - 1, nodes * (nodes - 1) // 2, far=3, lo=0, hi=400)
        found += grid(nodes=(nodes,), edges=edges, multigraph=(False, True))
    return found
