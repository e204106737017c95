"""The number of variables in one statement is limited."""

import random

from real.points import Point, both_sides

SOURCE = "https://www.sqlite.org/limits.html, Maximum Number Of Host Parameters In A Single SQL Statement"
PACKAGES: list[str] = []
KIND = "values"
CONDITION = "one_statement and rows * columns > 999"


def fails(config: Point) -> bool:
    return config["one_statement"] and config["rows"] * config["columns"] > 999


def points(rng: random.Random) -> list[Point]:
    found = []
    for _ in range(5000):
        columns = rng.randint(1, 40)
        near = min(400, max(1, 999 // columns + rng.randint(-1, 2)))
        found.append(
            {
                "rows": rng.choice((near, rng.randint(1, 400))),
                "columns": columns,
                "one_statement": rng.random() < 0.8,
                "index": rng.random() < 0.5,
            }
        )
    return [*found, *both_sides(fails, found, rng, 3000)]
