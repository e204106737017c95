"""A property list in XML cannot hold control characters; a binary one can."""

import random
import re

from real.points import Point
from real.texts import texts

SOURCE = "CPython, plistlib._escape: strings can't contain control characters; use bytes instead"
PACKAGES: list[str] = []
KIND = "text"
CONDITION = "format = xml, and key or value contains a control character other than tab, newline and carriage return"
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")
VALUES = ("plain", "a & b", "two\nlines", "bell\a", "esc\x1b[0m", "form\ffeed", "naïve", "x\ry", "del\x7f")


def fails(config: Point) -> bool:
    return config["format"] == "xml" and CONTROL.search(config["key"] + config["value"]) is not None


def points(rng: random.Random) -> list[Point]:
    keys = ("name", "first name", "ключ", "tab\tkey", "bad\x01key", "")
    characters = "".join(map(chr, range(33))) + "\x7f\x80\x9fé<a0"
    return [
        {"key": key, "value": value, "format": format, "sort_keys": rng.random() < 0.5}
        for value in texts(rng, VALUES, characters, 700)
        for key in rng.sample(keys, 2)
        for format in ("xml", "binary")
    ]
