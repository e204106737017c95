"""A ring falls apart if the jump and the number of machines have a common divisor; numbers start at zero."""

import math
import random

from real.points import Point

SOURCE = "NetworkX documentation, shortest_path: NodeNotFound and NetworkXNoPath; circulant_graph"
PACKAGES = ["networkx==3.2.1"]
KIND = "two failures"
CONDITION = (
    "NodeNotFound: source >= machines or target >= machines. NetworkXNoPath: both are smaller, and source - target is "
    "no multiple of the greatest common divisor of machines and jump"
)


def fails(config: Point) -> bool | str:
    machines, source, target = config["machines"], config["source"], config["target"]
    if max(source, target) >= machines:
        return "NodeNotFound"
    return "NetworkXNoPath" if (source - target) % math.gcd(machines, config["jump"]) else False


def points(rng: random.Random) -> list[Point]:
    found = []
    for number in range(12000):
        machines = rng.randint(3, 60)
        source, target = (rng.randint(0, 59) for _ in range(2))
        if number % 3:
            source, target = (rng.randrange(machines) for _ in range(2))
        if number % 6 == 5:
            target = min(59, machines + rng.randint(-2, 1))
        if number % 6 == 0:
            source = min(59, machines + rng.randint(-2, 1))
        more = {"source": source, "target": target, "weighted": rng.random() < 0.5}
        found.append({"machines": machines, "jump": rng.randint(1, 12), **more})
    return found
