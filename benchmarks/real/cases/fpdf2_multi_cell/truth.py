"""A letter and the margins of the cell do not fit."""

import random

from real.points import Point, grid

SOURCE = "line_break.py of fpdf2 2.7.4: Not enough horizontal space to render a single character"
PACKAGES = ["fpdf2==2.7.4"]
KIND = "values"
CONDITION = "width < 2 + 0.944 * size * 25.4 / 72: the margins, and the letter W of this size in millimetres"


def fails(config: Point) -> bool:
    return config["width"] < 2 + 0.944 * config["size"] * 25.4 / 72


def points(rng: random.Random) -> list[Point]:
    widths = [round(0.1 * i, 1) for i in range(10, 201)]
    return grid(width=widths, size=range(6, 37), align=("L", "R", "C"))
