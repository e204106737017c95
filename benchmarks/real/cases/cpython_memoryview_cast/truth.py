"""The rest after the header must consist of whole numbers of the new size."""

import random

from real.points import Point, both_sides, grid

SOURCE = "CPython, Objects/memoryobject.c: cast_to_1D: length is not a multiple of itemsize"
PACKAGES: list[str] = []
KIND = "values"
CONDITION = (
    "header < length, and length - header is not a multiple of the size of the code: 2 for h and H, 4 for i and f, "
    "8 for d"
)
SIZES = {"B": 1, "h": 2, "H": 2, "i": 4, "f": 4, "d": 8}


def fails(config: Point) -> bool:
    rest = config["length"] - config["header"]
    return bool(rest > 0 and rest % SIZES[config["code"]])


def points(rng: random.Random) -> list[Point]:
    found = grid(length=range(257), header=range(65), code=SIZES)
    chosen = [*rng.sample(found, 6000), *rng.sample([one for one in found if not fails(one)], 4000)]
    chosen = [{**one, "fill": rng.randint(0, 255)} for one in chosen]
    return [*chosen, *both_sides(fails, chosen, rng, 2000)]
