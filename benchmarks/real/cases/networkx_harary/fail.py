"""Make a network that stays connected when links fail."""

import json
import sys

import networkx
from networkx.generators.harary_graph import hnm_harary_graph


def run(config: dict) -> None:
    kind = networkx.MultiGraph if config["multigraph"] else networkx.Graph
    hnm_harary_graph(config["nodes"], config["edges"], create_using=kind)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
