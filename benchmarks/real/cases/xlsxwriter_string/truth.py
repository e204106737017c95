"""The limits of Excel; the position is checked first."""

import random

from real.points import Point, beside, both_sides, grid

SOURCE = "https://xlsxwriter.readthedocs.io/worksheet.html#write_string"
PACKAGES = ["XlsxWriter==3.2.0"]
KIND = "two failures"
CONDITION = (
    "OutOfRange: row >= 1048576 or column >= 16384. TooLong: length > 32767 and row < 1048576 and column < 16384"
)


def fails(config: Point) -> bool | str:
    if config["row"] >= 1048576 or config["column"] >= 16384:
        return "OutOfRange"
    return "TooLong" if config["length"] > 32767 else False


def points(rng: random.Random) -> list[Point]:
    rows = [0, 65535, 65536, 2000000, *beside(1048576), *(rng.randrange(2000001) for _ in range(8))]
    columns = [0, 255, 256, 20000, *beside(16384), *(rng.randrange(20001) for _ in range(8))]
    lengths = [1, 255, 256, 50000, *beside(32767), *(rng.randrange(1, 50001) for _ in range(8))]
    found = grid(row=rows, column=columns, length=lengths, bold=(False, True))
    return [*found, *both_sides(fails, found, rng, 1000)]
