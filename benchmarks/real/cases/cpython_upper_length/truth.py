"""Some letters have no single capital: ß becomes SS, and ligatures become their letters."""

import random

from real.points import Point, beside, grid

SOURCE = "Unicode, SpecialCasing.txt; CPython documentation, str.upper"
PACKAGES: list[str] = []
KIND = "no simple condition"
CONDITION = "code is one of 102 code points in 27 blocks, such as 223, 329, 496, 912 and 64256 to 64262"
BLOCKS = (
    (223, 223),
    (329, 329),
    (496, 496),
    (912, 912),
    (944, 944),
    (1415, 1415),
    (7830, 7834),
    (8016, 8016),
    (8018, 8018),
    (8020, 8020),
    (8022, 8022),
    (8064, 8111),
    (8114, 8116),
    (8118, 8119),
    (8124, 8124),
    (8130, 8132),
    (8134, 8135),
    (8140, 8140),
    (8146, 8147),
    (8150, 8151),
    (8162, 8164),
    (8166, 8167),
    (8178, 8180),
    (8182, 8183),
    (8188, 8188),
    (64256, 64262),
    (64275, 64279),
)


def fails(config: Point) -> bool:
    return any(first <= config["code"] <= last for first, last in BLOCKS)


def points(rng: random.Random) -> list[Point]:
    codes = [*beside(*(end for block in BLOCKS for end in block), far=4), *range(32, 1500), *range(1500, 65536, 37)]
    return grid(code=sorted({code for code in codes if not 0xD800 <= code <= 0xDFFF}), position=("start", "end"))
