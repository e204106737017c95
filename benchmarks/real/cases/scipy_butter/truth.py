"""The band must be between zero and half the sampling rate, and its edges in the right order."""

import random

from real.points import Point, both_sides

SOURCE = "SciPy 1.11.4, signal.iirfilter: critical frequencies must be 0 < Wn < fs/2; Wn[0] must be less than Wn[1]"
PACKAGES = ["numpy==1.26.4", "scipy==1.11.4"]
KIND = "values"
CONDITION = "low = 0, or low >= high, or 2 * high >= rate"


def fails(config: Point) -> bool:
    return bool(config["low"] == 0 or config["low"] >= config["high"] or 2 * config["high"] >= config["rate"])


def points(rng: random.Random) -> list[Point]:
    found = []
    for number in range(6000):
        rate = rng.randint(100, 2000)
        low, high = rng.randint(0, 500), rng.randint(1, 1000)
        if number % 3 == 0:
            high = min(1000, max(1, rate // 2 + rng.randint(-2, 2)))
        if number % 3 == 1:
            low = min(500, max(0, high + rng.randint(-2, 2)))
        if number % 4 == 0:
            low = rng.randint(0, 2)
        if number % 2:
            high = min(high, rate // 2 - rng.randint(0, 2))
        more = {"kind": rng.choice(("bandpass", "bandstop")), "output": rng.choice(("ba", "sos", "zpk"))}
        found.append({"order": rng.randint(1, 6), "low": low, "high": high, "rate": rate, **more})
    return [*found, *both_sides(fails, found, rng, 2000)]
