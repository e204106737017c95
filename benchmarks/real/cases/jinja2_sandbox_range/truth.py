"""The sandbox refuses ranges of more than 100,000 numbers."""

import random

from real.points import Point, both_sides

SOURCE = "Jinja2 documentation, sandbox: range is limited to MAX_RANGE = 100000; Python: a step of 0 is an error"
PACKAGES = ["jinja2==3.1.3", "markupsafe==2.1.5"]
KIND = "two failures"
CONDITION = "OverflowError: (stop - start) / step > 100000; ValueError: step = 0"


def fails(config: Point) -> bool | str:
    if config["step"] == 0:
        return "ValueError"
    return "OverflowError" if (config["stop"] - config["start"]) / config["step"] > 100_000 else False


def points(rng: random.Random) -> list[Point]:
    found = []
    for step in range(-20, 21):
        for _ in range(60):
            start = rng.randint(-500_000, 500_000)
            found.append((start, rng.randint(-500_000, 500_000), step))
            stop = start + 100_000 * step + rng.randint(-25, 25)
            if abs(stop) <= 500_000:
                found.append((start, stop, step))
    drawn = [
        {"start": start, "stop": stop, "step": step, "autoescape": rng.random() < 0.5} for start, stop, step in found
    ]
    return [*drawn, *both_sides(fails, drawn, rng)]
