"""The jump width, the sample point, and with strict the smallest ranges of ISO 11898 limit the timing."""

import random

from real.points import Point, both_sides

SOURCE = "python-can documentation, BitTiming: ValueError; bit_timing.py, _validate and _restrict_to_minimum_range"
PACKAGES = ["python-can==4.3.1"]
KIND = "values"
CONDITION = (
    "sjw > tseg2, or tseg2 > tseg1 + 1; or strict, and tseg1 + tseg2 < 7, or brp > 32, "
    "or clock > 1000000 * brp * (1 + tseg1 + tseg2)"
)
CLOCKS = (8_000_000, 16_000_000, 20_000_000, 40_000_000, 80_000_000)


def fails(config: Point) -> bool:
    brp, tseg1, tseg2 = config["brp"], config["tseg1"], config["tseg2"]
    if config["sjw"] > tseg2 or tseg2 > tseg1 + 1:
        return True
    too_fast = config["clock"] > 1_000_000 * brp * (1 + tseg1 + tseg2)
    return bool(config["strict"] and (tseg1 + tseg2 < 7 or brp > 32 or too_fast))


def points(rng: random.Random) -> list[Point]:
    found = [
        {
            "clock": rng.choice(CLOCKS),
            "brp": rng.choice((rng.randint(1, 64), rng.randint(1, 12), rng.randint(30, 35))),
            "tseg1": rng.randint(1, 16),
            "tseg2": rng.randint(1, 8),
            "sjw": rng.randint(1, 4),
            "samples": rng.choice((1, 3)),
            "strict": rng.random() < 0.6,
        }
        for _ in range(8000)
    ]
    return [*found, *both_sides(fails, found, rng, 4000, listed=("clock", "samples"))]
