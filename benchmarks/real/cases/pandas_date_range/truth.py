"""Of start, end, periods and freq, three must be given; freq is a day if one of the others is missing."""

import random

from real.points import Point, grid

SOURCE = "pandas 1.5 documentation, date_range: of the four parameters, exactly three must be specified"
PACKAGES = ["numpy==1.26.4", "pandas==1.5.3"]
KIND = "options"
CONDITION = "less than two of start, end and periods are given, or all of them and freq"


def fails(config: Point) -> bool:
    given = sum(config[name] != "none" for name in ("start", "end", "periods"))
    return given < 2 or (given == 3 and config["freq"] != "none")


def points(rng: random.Random) -> list[Point]:
    return grid(
        start=("none", "2024-01-01", "2024-01-31 08:00"),
        end=("none", "2024-03-01", "2024-12-31"),
        periods=("none", "1", "12"),
        freq=("none", "D", "M", "W"),
        tz=("none", "UTC"),
        normalize=(False, True),
        inclusive=("both", "left", "right", "neither"),
    )
