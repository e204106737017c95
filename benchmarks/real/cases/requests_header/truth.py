"""Headers with leading white space or line breaks are refused; a newline at the end is not noticed."""

import random

from real.points import Point
from real.texts import texts

SOURCE = "requests 2.28.0 changes: InvalidHeader in all invalid cases (#6154); utils.py, check_header_validity"
PACKAGES = ["requests==2.31.0"]
KIND = "text"
CONDITION = "value, without a newline at its end, starts with white space or contains a newline or a carriage return"
EXAMPLES = (
    "Bearer abc123",
    " Bearer abc123",
    "token\n",
    "two\nlines",
    "two\r\nlines",
    "tab\there",
    "trailing ",
    "\tabc",
    "naïve",
    "a: b",
    "x;y",
    "end\r",
    "end\n\n",
)


def fails(config: Point) -> bool:
    value = config["value"].removesuffix("\n")
    return value[:1].isspace() or "\n" in value or "\r" in value


def points(rng: random.Random) -> list[Point]:
    return [
        {
            "method": rng.choice(("GET", "POST", "HEAD")),
            "header": rng.choice(("Authorization", "X-Token", "User-Agent")),
            "value": value,
        }
        for value in texts(rng, EXAMPLES, " \t\n\r\x0c\xa0:;,ab1é", 2000)
    ]
