"""Find a path in a ring of machines, each of which is linked to the one some places further."""

import json
import sys

import networkx


def run(config: dict) -> None:
    ring = networkx.circulant_graph(config["machines"], [config["jump"]])
    networkx.shortest_path(ring, config["source"], config["target"], weight="weight" if config["weighted"] else None)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
