"""A number is a date only at midnight; above 20,000,000,000, it is in milliseconds."""

import random

from real.points import Point, beside, grid

SOURCE = "pydantic 2.5 documentation, Datetimes: date from int; speedate MS_WATERSHED = 20000000000"
PACKAGES = ["pydantic==2.5.3"]
KIND = "values"
CONDITION = (
    "strict; or value % 86400 != 0 or value < -11676096000 (the year 1600) if -20000000000 <= value <= 20000000000; or "
    "value % 86400000 != 0 otherwise"
)
WATERSHED = 20_000_000_000
DAY = 86_400
YEAR_1600 = -11_676_096_000


def fails(config: Point) -> bool:
    value = config["value"]
    if abs(value) > WATERSHED:
        return config["strict"] or value % (1000 * DAY) != 0
    return config["strict"] or value % DAY != 0 or value < YEAR_1600


def points(rng: random.Random) -> list[Point]:
    limit = 10**11
    numbers = [*beside(0, WATERSHED, -WATERSHED, limit, -limit, far=3, lo=-limit, hi=limit), 1_700_000_000]
    near = [
        -YEAR_1600,
        -YEAR_1600 - DAY,
        -YEAR_1600 + DAY,
        WATERSHED // DAY * DAY,
        (WATERSHED // DAY + 1) * DAY,
        WATERSHED // (1000 * DAY) * 1000 * DAY + 1000 * DAY,
    ]
    numbers += [sign * number for number in near for sign in (-1, 1)]
    for _ in range(800):
        size = rng.choice((10**6, 10**9, WATERSHED, limit))
        whole = rng.randint(-size, size) // DAY * DAY
        thousand = rng.randint(-limit, limit) // (1000 * DAY) * 1000 * DAY
        numbers += [
            rng.randint(-size, size),
            whole,
            whole + rng.choice((-1, 1, 3600, 43_200)),
            thousand,
            thousand + DAY,
        ]
    inside = [number for number in numbers if abs(number) <= limit]
    return grid(value=inside, strict=(False,)) + grid(value=inside[::7], strict=(True,))
