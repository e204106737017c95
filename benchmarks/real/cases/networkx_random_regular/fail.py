"""Make a random graph in which every node has the same number of neighbours."""

import json
import sys

import networkx


def run(config: dict) -> None:
    networkx.random_regular_graph(config["degree"], config["nodes"], seed=config["seed"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
