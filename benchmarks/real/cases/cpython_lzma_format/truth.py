"""Each format has its own filters and checks, and filters take the place of a preset."""

import random

from real.points import Point, grid

SOURCE = "CPython documentation, lzma.LZMACompressor: format, check, preset and filters"
PACKAGES: list[str] = []
KIND = "options"
CONDITION = (
    "format is not XZ and check is CRC32, CRC64 or SHA256; or both preset and filters are given; or format = RAW and "
    "filters are not given; or format = XZ and filters = lzma1; or format = ALONE and filters = lzma2 or delta+lzma2"
)


def fails(config: Point) -> bool:
    form, filters = config["format"], config["filters"]
    if form != "XZ" and config["check"] not in ("default", "NONE"):
        return True
    if filters == "none":
        return form == "RAW"
    if config["preset"] != "none":
        return True
    return (form == "XZ" and filters == "lzma1") or (form == "ALONE" and filters != "lzma1")


def points(rng: random.Random) -> list[Point]:
    return grid(
        format=("XZ", "ALONE", "RAW"),
        check=("default", "NONE", "CRC32", "CRC64", "SHA256"),
        preset=("none", "0", "3", "6"),
        filters=("none", "lzma1", "lzma2", "delta+lzma2"),
        repeat=range(1, 21),
    )
