"""Places are stored in 16 bits."""

import random

from real.points import Point, beside, both_sides, grid

SOURCE = "remap in imgproc/src/imgwarp.cpp of OpenCV 4.9.0: the sides must be smaller than SHRT_MAX"
PACKAGES = ["numpy==1.26.4", "opencv-python-headless==4.9.0.80"]
KIND = "values"
CONDITION = "source_width >= 32767 or width >= 32767"


def fails(config: Point) -> bool:
    return config["source_width"] >= 32767 or config["width"] >= 32767


def points(rng: random.Random) -> list[Point]:
    widths = [1, 255, 40000, *beside(32767), *(rng.randrange(1, 40001) for _ in range(10))]
    names = ("nearest", "linear", "cubic")
    found = grid(source_width=widths, source_height=(1, 2, 40), width=widths, height=(1, 7, 40), interpolation=names)
    return [*found, *both_sides(fails, found, rng, 1000)]
