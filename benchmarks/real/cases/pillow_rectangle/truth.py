"""In newer versions of Pillow, the corners must be in order."""

import random

from real.points import Point, both_sides

SOURCE = "Pillow, ImageDraw.rectangle: ValueError: x1 must be greater than or equal to x0"
PACKAGES = ["pillow==10.2.0"]
KIND = "values"
CONDITION = "right < left or bottom < top, and something is drawn: fill or width > 0"


def fails(config: Point) -> bool:
    drawn = config["fill"] or config["width"] > 0
    return bool(drawn and (config["right"] < config["left"] or config["bottom"] < config["top"]))


def points(rng: random.Random) -> list[Point]:
    found = []
    for _ in range(5000):
        left, top = rng.randint(-50, 300), rng.randint(-50, 300)
        right = rng.choice((rng.randint(-50, 300), min(300, max(-50, left + rng.randint(-3, 3)))))
        bottom = rng.choice(
            (rng.randint(top, 300), rng.randint(-50, 300), min(300, max(-50, top + rng.randint(-3, 3))))
        )
        box = {"left": left, "top": top, "right": right, "bottom": bottom}
        found.append({**box, "width": rng.randint(0, 10), "fill": rng.random() < 0.5})
    return [*found, *both_sides(fails, found, rng, 1000)]
