"""A link has at most 2079 characters after its spaces were escaped as %20."""

import random

from real.points import Point, both_sides, grid

SOURCE = "https://xlsxwriter.readthedocs.io/worksheet.html#write_url"
PACKAGES = ["XlsxWriter==3.2.0"]
KIND = "values"
CONDITION = "length of kind + length + 3 * spaces + 1 > 2079"


def fails(config: Point) -> bool:
    return len(config["kind"]) + config["length"] + 3 * config["spaces"] + 1 > 2079


def points(rng: random.Random) -> list[Point]:
    kinds = ("http://", "https://", "mailto:", "ftp://")
    lengths = [1, 4000, *range(2060, 2081), *(rng.randrange(1, 4001) for _ in range(20))]
    spaces = [0, 1, 2, 500, *(rng.randrange(501) for _ in range(10))]
    found = grid(kind=kinds, length=lengths, spaces=spaces, caption=(1, 2, 100, 255))
    return [*found, *both_sides(fails, found, rng, 3000)]
