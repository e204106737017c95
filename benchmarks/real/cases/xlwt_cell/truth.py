"""The limits of the file format: 65,536 rows and 256 columns."""

import random

from real.points import Point, beside, both_sides, grid

SOURCE = "https://support.microsoft.com/office/excel-specifications-and-limits; Row.py and Worksheet.py of xlwt 1.3.0"
PACKAGES = ["xlwt==1.3.0"]
KIND = "values"
CONDITION = "row >= 65536 or column >= 256"


def fails(config: Point) -> bool:
    return config["row"] >= 65536 or config["column"] >= 256


def points(rng: random.Random) -> list[Point]:
    rows = [0, 1, 32767, 32768, 100000, *beside(65536), *(rng.randrange(100001) for _ in range(15))]
    columns = [0, 1, 127, 128, 500, *beside(256), *(rng.randrange(501) for _ in range(10))]
    found = grid(row=rows, column=columns, value=("text", "number", "date", "formula"), bold=(False, True))
    return [*found, *both_sides(fails, found, rng, 500)]
