"""No more balls can be drawn than there are."""

import random

from real.points import Point, both_sides

SOURCE = "NumPy documentation, random.Generator.hypergeometric: nsample must not be larger than ngood + nbad"
PACKAGES = ["numpy==1.26.4"]
KIND = "values"
CONDITION = "draws > white + black"


def fails(config: Point) -> bool:
    return bool(config["draws"] > config["white"] + config["black"])


def points(rng: random.Random) -> list[Point]:
    found = []
    for _ in range(6000):
        white, black, draws = (rng.choice((rng.randint(0, 1000), rng.randint(0, 300))) for _ in range(3))
        if rng.random() < 0.5:
            draws = min(1000, max(0, white + black + rng.randint(-3, 3)))
        more = {"size": rng.randint(1, 100), "seed": rng.randint(0, 10000)}
        found.append({"white": white, "black": black, "draws": draws, **more})
    return [*found, *both_sides(fails, found, rng, 2000)]
