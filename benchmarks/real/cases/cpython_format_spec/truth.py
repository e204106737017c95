"""Not every option is allowed for every type."""

import random

from real.points import Point, grid

SOURCE = "CPython documentation, string: Format Specification Mini-Language"
PACKAGES: list[str] = []
KIND = "options"
CONDITION = (
    "value = integer, and type = s, or precision is given and type is none of f and %, or grouping is a comma and type "
    "= x; or value = float and type is d, x or s; or value = text, and type is none of empty and s, or align is =, or "
    "sign, alternate or grouping is given"
)
PYTHON = ((3, 11), (3, 13))


def fails(config: Point) -> bool:
    kind, grouping = config["type"], config["grouping"]
    if config["value"] == "integer":
        if kind in ("", "d", "x") and config["precision"]:
            return True
        return kind == "s" or (kind == "x" and grouping == ",")
    if config["value"] == "float":
        return kind in ("d", "x", "s")
    return bool(
        kind not in ("", "s") or config["align"] == "=" or config["sign"] or config["alternate"] or config["grouping"]
    )


def points(rng: random.Random) -> list[Point]:
    return grid(
        value=("integer", "float", "text"),
        align=("", "<", ">", "=", "^"),
        sign=("", "+", " "),
        alternate=(False, True),
        zero=(False, True),
        width=("", "10"),
        grouping=("", ",", "_"),
        precision=("", ".2"),
        type=("", "d", "f", "x", "s", "%"),
    )
