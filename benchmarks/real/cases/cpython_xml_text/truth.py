"""XML has no control characters, and a parser turns \\r into \\n."""

import random
import re

from real.points import Point
from real.texts import texts

SOURCE = "ElementTree writes control characters that it cannot read; XML 1.0, sections 2.2 and 2.11"
PACKAGES: list[str] = []
KIND = "two failures"
CONDITION = (
    "ParseError: title or note contains a control character other than tab, newline and carriage return, or U+FFFE or "
    "U+FFFF; Changed: otherwise, if one of them contains a carriage return"
)
ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
TITLES = (
    "plain",
    "a < b & c",
    "tab\there",
    "two\nlines",
    "windows\r\nlines",
    "bell\a",
    "nul\0",
    "escape \x1b[0m",
    "naïve",
)


def fails(config: Point) -> bool | str:
    both = config["title"] + config["note"]
    if ILLEGAL.search(both):
        return "ParseError"
    return "Changed" if "\r" in both else False


def points(rng: random.Random) -> list[Point]:
    notes = ("", "plain", "esc\x1b", "old mac\rline", "x\ny")
    characters = "".join(map(chr, range(33))) + "\x7f\x80\x85\x9f\u2028\ufffe\uffff<&]>\"'é😀"
    return [
        {"title": title, "note": rng.choice(notes), "declaration": rng.random() < 0.5}
        for title in texts(rng, TITLES, characters, 1300)
    ]
