"""Characters that repr escapes as x and two digits are not converted correctly."""

import random

from real.points import Point, grid

SOURCE = "encoder.py of toml 0.10.2, _dump_str"
PACKAGES = ["toml==0.10.2"]
KIND = "two failures"
CONDITION = (
    "code in 0 to 8, 11, 12, 14 to 31, 127 to 160, 173: IndexError if place is alone or start, OtherText if it is "
    "middle or end. OtherText also: code = 34 and place = alone"
)
ESCAPED = {*range(9), 11, 12, *range(14, 32), *range(127, 161), 173}


def fails(config: Point) -> bool | str:
    if config["code"] in ESCAPED:
        return "IndexError" if config["place"] in ("alone", "start") else "OtherText"
    return "OtherText" if config["code"] == 34 and config["place"] == "alone" else False


def points(rng: random.Random) -> list[Point]:
    return grid(code=range(1024), place=("alone", "start", "middle", "end"))
