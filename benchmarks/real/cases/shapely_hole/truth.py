"""A hole must lie inside of the shell, and may touch it in single points only, not along an edge."""

import random

from real.points import Point, both_sides

SOURCE = "Shapely 2.0 user manual, Polygons: rings of a valid polygon may not cross, and touch in a single point only"
PACKAGES = ["numpy==1.26.4", "shapely==2.0.6"]
KIND = "values"
CONDITION = "hole_x = 0 or hole_y = 0 or hole_x + hole_width >= width or hole_y + hole_height >= height"


def fails(config: Point) -> bool:
    x, y = config["hole_x"], config["hole_y"]
    right, top = x + config["hole_width"], y + config["hole_height"]
    return x <= 0 or y <= 0 or right >= config["width"] or top >= config["height"]


def points(rng: random.Random) -> list[Point]:
    found = []
    for _ in range(8000):
        width, height = rng.randint(10, 200), rng.randint(10, 200)
        hole_width, hole_height = rng.randint(1, min(50, width)), rng.randint(1, min(50, height))
        x = rng.choice((rng.randint(0, 200), rng.randint(0, width - hole_width), width - hole_width))
        y = rng.choice((rng.randint(0, 200), rng.randint(0, height - hole_height), height - hole_height))
        found.append(
            {
                "width": width,
                "height": height,
                "hole_x": x,
                "hole_y": y,
                "hole_width": hole_width,
                "hole_height": hole_height,
            }
        )
    return [*found, *both_sides(fails, found, rng, 4000)]
