"""Lines, the index, and dates as numbers each go with some of the layouts only."""

import random

from real.points import Point, grid

SOURCE = "pandas 1.5 documentation, DataFrame.to_json: orient, lines, index, date_format and double_precision"
PACKAGES = ["numpy==1.26.4", "pandas==1.5.3"]
KIND = "options"
CONDITION = (
    "index = false and orient is none of split and table; or lines = true and orient is not records; or orient = table "
    "and date_format = epoch; or double_precision > 15"
)


def fails(config: Point) -> bool:
    orient = config["orient"]
    if not config["index"] and orient not in ("split", "table"):
        return True
    if (config["lines"] and orient != "records") or (orient == "table" and config["date_format"] == "epoch"):
        return True
    return bool(config["double_precision"] > 15)


def points(rng: random.Random) -> list[Point]:
    return grid(
        orient=("split", "records", "index", "columns", "values", "table"),
        lines=(False, True),
        index=(False, True),
        date_format=("epoch", "iso"),
        double_precision=range(21),
        force_ascii=(False, True),
        indent=(0, 2),
    )
