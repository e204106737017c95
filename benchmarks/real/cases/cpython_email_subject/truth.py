"""A header is refused if it contains the end of a line."""

import random

from real.points import Point
from real.texts import texts

SOURCE = "CPython documentation, email.policy: header_store_parse raises ValueError for CR or LF in a value"
PACKAGES: list[str] = []
KIND = "text"
CONDITION = r"text has more than one line: \n, \r or another separator of lines, and something after it"
EXAMPLES = (
    "Hello",
    "Your order 17",
    "Grüße",
    "two\nlines",
    "ends with a newline\n",
    "tab\there",
    "a very long one " * 6,
)


def fails(config: Point) -> bool:
    return len(config["text"].splitlines()) > 1


def points(rng: random.Random) -> list[Point]:
    return [
        {"header": rng.choice(("Subject", "Comments", "X-Note")), "text": text, "utf8": rng.random() < 0.5}
        for text in texts(rng, EXAMPLES, "\n\r\t\x0b\u2028 ;,é€a0-", 1200)
    ]
