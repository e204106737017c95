"""A duration is at most 10,000 years, its nanoseconds are less than a second, and both have the same sign."""

import random

from real.points import Point, both_sides

SOURCE = "Protocol Buffers, duration.proto: range of seconds and nanos, which must be of the same sign"
PACKAGES = ["protobuf==4.25.3"]
KIND = "values"
CONDITION = "abs(seconds) > 315576000000, or abs(nanos) > 999999999, or seconds * nanos < 0"
MOST = 315_576_000_000


def fails(config: Point) -> bool:
    seconds, nanos = config["seconds"], config["nanos"]
    return abs(seconds) > MOST or abs(nanos) > 999_999_999 or seconds * nanos < 0


def points(rng: random.Random) -> list[Point]:
    found = [
        {
            "seconds": rng.choice(
                (
                    rng.randint(-500_000_000_000, 500_000_000_000),
                    rng.choice((-1, 1)) * (MOST + rng.randint(-2, 2)),
                    rng.randint(-(10**9), 10**9),
                    rng.randint(-3, 3),
                )
            ),
            "nanos": rng.choice(
                (
                    rng.randint(-2_000_000_000, 2_000_000_000),
                    rng.choice((-1, 1)) * (10**9 + rng.randint(-3, 2)),
                    rng.randint(-999_999_999, 999_999_999),
                    rng.randint(-3, 3),
                )
            ),
            "indent": rng.randint(0, 4),
            "ensure_ascii": rng.random() < 0.5,
        }
        for _ in range(8000)
    ]
    return [*found, *both_sides(fails, found, rng, 4000)]
