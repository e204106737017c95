"""ImageJ reads few types of data, colours of 8 bits only, and no separate planes of colour."""

import random

from real.points import Point, grid

SOURCE = "tifffile documentation, TiffWriter: imagej; ValueError 'the ImageJ format does not support data type'"
PACKAGES = ["numpy==1.26.4", "tifffile==2024.5.22"]
KIND = "options"
CONDITION = (
    "imagej, and dtype = int32 or float64, or photometric = rgb and dtype is not uint8, or planarconfig = separate"
)


def fails(config: Point) -> bool:
    if not config["imagej"]:
        return False
    if config["dtype"] in ("int32", "float64") or config["planarconfig"] == "separate":
        return True
    return config["photometric"] == "rgb" and config["dtype"] != "uint8"


def points(rng: random.Random) -> list[Point]:
    flags = (False, True)
    return grid(
        imagej=flags,
        dtype=("uint8", "uint16", "int32", "float32", "float64"),
        photometric=("none", "minisblack", "rgb"),
        planarconfig=("none", "contig", "separate"),
        compress=flags,
        bigtiff=flags,
    )
