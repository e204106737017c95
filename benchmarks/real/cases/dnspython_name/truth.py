"""A label has at most 63 bytes, and a name 255 with the lengths of its labels; .example.com and the end take 13."""

import random

from real.points import Point, grid

SOURCE = "RFC 1035, 2.3.4 Size limits; dnspython documentation, dns.name: LabelTooLong, NameTooLong"
PACKAGES = ["dnspython==2.6.1"]
KIND = "two failures"
CONDITION = "LabelTooLong: label_length > 63; NameTooLong: label_length <= 63 and labels * (label_length + 1) > 242"


def fails(config: Point) -> bool | str:
    if config["label_length"] > 63:
        return "LabelTooLong"
    return "NameTooLong" if config["labels"] * (config["label_length"] + 1) > 242 else False


def points(rng: random.Random) -> list[Point]:
    flags = (False, True)
    return grid(label_length=range(1, 101), labels=range(1, 41), uppercase=flags, absolute=flags)
