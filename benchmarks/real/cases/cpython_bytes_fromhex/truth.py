"""Only pairs of hexadecimal digits are read, and white space between the pairs."""

import random
import re

from real.points import Point
from real.texts import texts

SOURCE = "CPython documentation, bytes.fromhex: two hexadecimal digits per byte, with ASCII whitespace being ignored"
PACKAGES: list[str] = []
KIND = "text"
CONDITION = (
    "text contains a character that is no hexadecimal digit and no white space of ASCII, or one of the groups of "
    "digits between white space has an odd length"
)
EXAMPLES = (
    "48656c6c6f",
    "DE AD BE EF",
    "0x1f",
    "00:1b:44",
    "123",
    " ff 00 ",
    "ca fe",
    "7f-01",
    "12 3 45",
    "0a\n0b",
    "xyz",
)
SPACE = " \t\n\r\v\f"


def fails(config: Point) -> bool:
    return re.fullmatch(rf"(?:[{SPACE}]*[0-9a-fA-F]{{2}})*[{SPACE}]*", config["text"]) is None


def points(rng: random.Random) -> list[Point]:
    found = texts(rng, EXAMPLES, "0123456789abcdefABCDEF   \t\ngx:-,é\xa0٣", 1500)
    digits = "0123456789abcdefABCDEF"
    for _ in range(800):
        groups = ["".join(rng.choices(digits, k=rng.choice((2, 2, 4, 4, 6, 1, 3)))) for _ in range(rng.randint(1, 4))]
        found.append(rng.choice((" ", "  ", "\t", "\n")).join(groups))
    return [
        {"text": text, "order": rng.choice(("big", "little")), "signed": rng.random() < 0.5}
        for text in dict.fromkeys(found)
    ]
