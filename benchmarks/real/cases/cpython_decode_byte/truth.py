"""Some encodings have bytes without a meaning; those of Windows have only a few."""

import random

from real.points import Point, grid

SOURCE = "The tables of Unicode for Windows: cp1252 does not define 0x81, 0x8d, 0x8f, 0x90, 0x9d"
PACKAGES: list[str] = []
KIND = "options"
CONDITION = (
    "encoding = ascii or utf-8: byte >= 128; cp1252: byte in {129, 141, 143, 144, 157}; cp1250: {129, 131, 136, 144, "
    "152}; cp1253: {129, 136, 138, 140-144, 152, 154, 156-159, 170, 210, 255}; iso8859-7: {174, 210, 255}; ascii also "
    "with bom"
)
ENCODINGS = ("ascii", "latin-1", "utf-8", "cp1250", "cp1252", "cp1253", "iso8859-7", "koi8-r", "mac-roman")
UNDEFINED = {
    "cp1250": {129, 131, 136, 144, 152},
    "cp1252": {129, 141, 143, 144, 157},
    "cp1253": {129, 136, 138, 140, 141, 142, 143, 144, 152, 154, 156, 157, 158, 159, 170, 210, 255},
    "iso8859-7": {174, 210, 255},
}


def fails(config: Point) -> bool:
    if config["encoding"] == "ascii" and config["bom"]:
        return True
    if config["encoding"] in ("ascii", "utf-8"):
        return bool(config["byte"] >= 128)
    return config["byte"] in UNDEFINED.get(config["encoding"], ())


def points(rng: random.Random) -> list[Point]:
    return grid(byte=range(256), encoding=ENCODINGS, bom=(False, True))
