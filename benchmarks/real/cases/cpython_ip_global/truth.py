"""Only parts of 192.0.0.0/24 were known as not global."""

import random

from real.points import Point, both_sides, grid

SOURCE = "https://github.com/python/cpython/issues/113171"
PACKAGES: list[str] = []
KIND = "values"
CONDITION = "a = 192 and b = 0 and c = 0 and (d = 8 or 11 <= d <= 169 or d >= 172)"
PYTHON = ((3, 11), (3, 11, 10))


def fails(config: Point) -> bool:
    d = config["d"]
    return (config["a"], config["b"], config["c"]) == (192, 0, 0) and d >= 8 and d not in (9, 10, 170, 171)


def points(rng: random.Random) -> list[Point]:
    special = grid(a=(191, 192, 193), b=(0, 1, 168), c=(0, 1, 2), d=range(256))
    near = grid(
        a=(0, 9, 10, 100, 127, 169, 172, 192, 198, 203, 240, 255),
        b=(0, 16, 51, 64, 113, 168, 254, 255),
        c=(0, 2, 100),
        d=(0, 8, 113, 255),
    )
    drawn = [{name: rng.randrange(256) for name in "abcd"} for _ in range(2000)]
    return [*special, *near, *drawn, *both_sides(fails, [*special, *drawn], rng)]
