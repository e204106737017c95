"""The number is rounded after its unit was chosen."""

import random

from real.points import Point, beside, both_sides, grid

SOURCE = "https://github.com/python-humanize/humanize/pull/329"
PACKAGES = ["humanize==4.4.0"]
KIND = "values"
CONDITION = (
    "without binary and gnu: 999950 <= n < 10**6 or 999950000 <= n < 10**9; with one of them: "
    "1048525 <= n < 2**20 or 1073689396 <= n < 2**30"
)
DECIMAL = (999_950, 10**6), (999_950_000, 10**9)
BINARY = (1_048_525, 2**20), (1_073_689_396, 2**30)


def fails(config: Point) -> bool:
    ranges = BINARY if config["binary"] or config["gnu"] else DECIMAL
    return any(low <= config["n"] < end for low, end in ranges)


def points(rng: random.Random) -> list[Point]:
    ends = [end for pair in (*DECIMAL, *BINARY) for end in pair]
    n = [
        *beside(*ends, 0, 2 * 10**9, far=20, lo=0, hi=2 * 10**9),
        *(int(2 * 10 ** rng.uniform(0, 9)) for _ in range(1500)),
    ]
    n += [rng.randrange(low, end) for low, end in (*DECIMAL, *BINARY) for _ in range(200)]
    found = grid(n=n, binary=(False, True), gnu=(False, True))
    return [*found, *both_sides(fails, found, rng)]
