"""The old format has 100 characters for a name, 155 for its folder, and few octal digits for numbers."""

import random

from real.points import Point, beside, both_sides, grid

SOURCE = (
    "CPython, tarfile: 'name is too long', 'overflow in number field' with USTAR_FORMAT; POSIX ustar interchange format"
)
PACKAGES: list[str] = []
KIND = "values"
CONDITION = "format = ustar, and file_length > 100, or folder_length > 155, or uid >= 2**21, or size >= 2**33"


def fails(config: Point) -> bool:
    too_long = config["file_length"] > 100 or config["folder_length"] > 155
    return config["format"] == "ustar" and (too_long or config["uid"] >= 2**21 or config["size"] >= 2**33)


def points(rng: random.Random) -> list[Point]:
    found = grid(
        folder_length=(*beside(0, 98, 155, far=2, lo=0), 50, 300),
        file_length=(*beside(100, 50, far=2), 1, 255),
        uid=(0, 1000, 2**21 - 1, 2**21, 2**32 - 2),
        size=(0, 4096, 2**33 - 1, 2**33, 10**11),
        format=("ustar", "gnu", "pax"),
    )
    return [*found, *both_sides(fails, found, rng)]
