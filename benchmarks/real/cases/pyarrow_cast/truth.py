"""A safe cast refuses to lose a fraction of the unit, and nanoseconds in 64 bits reach from 1677 to 2262."""

import random

from real.points import Point, both_sides

SOURCE = "Apache Arrow documentation, Array.cast: safe; 'would lose data', 'would result in out of bounds timestamp'"
PACKAGES = ["numpy==1.26.4", "pyarrow==15.0.2"]
KIND = "values"
CONDITION = (
    "safe, and unit = s and microsecond > 0, or unit = ms and microsecond % 1000 > 0, "
    "or unit = ns and (year < 1678 or year > 2261)"
)
UNITS = ("s", "ms", "us", "ns")


def fails(config: Point) -> bool:
    if not config["safe"]:
        return False
    if config["unit"] == "ns":
        return not 1678 <= config["year"] <= 2261
    return bool(config["microsecond"] % {"s": 1_000_000, "ms": 1000, "us": 1}[config["unit"]])


def points(rng: random.Random) -> list[Point]:
    found = [
        {
            "year": rng.choice((rng.randint(1500, 2500), rng.randint(1676, 1680), rng.randint(2259, 2264), 2024)),
            "hour": rng.randint(0, 23),
            "microsecond": rng.choice(
                (0, rng.randint(0, 999_999), 1000 * rng.randint(0, 999), 1000 * rng.randint(1, 999) + 1, 1)
            ),
            "unit": rng.choice(UNITS),
            "zone": rng.choice(("", "UTC")),
            "safe": rng.random() < 0.8,
        }
        for _ in range(8000)
    ]
    return [*found, *both_sides(fails, found, rng, 3000)]
