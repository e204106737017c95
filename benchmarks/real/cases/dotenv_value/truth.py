"""Quotes, comments, spaces around the value and references have a meaning."""

import random
import re

from real.points import Point
from real.texts import texts

SOURCE = "python-dotenv documentation, File format and Variable expansion; parser.py of 1.0.1"
PACKAGES = ["python-dotenv==1.0.1"]
KIND = "text"
CONDITION = (
    "value starts with a quote, starts or ends with whitespace, contains the end of a line, contains whitespace before "
    "a #, or contains ${, something without } or :, and then } or :- with anything up to a }"
)
LOST = re.compile(r"""^['"\s]|\s$|[\r\n]|\s\#|\$\{[^}:]*(:-[^}]*)?\}""")
EXAMPLES = (
    "secret",
    "pass#word",
    "pass #word",
    "#1",
    "https://example.com/?a=b",
    "'quoted'",
    "it's",
    "two words",
    " padded",
    "padded ",
    "${HOST}/api",
    "$HOST",
    "${",
    "C:\\new",
    "",
    'say "hi"',
    "${A:-b}",
    "${A:b}",
)


def fails(config: Point) -> bool:
    return LOST.search(config["value"]) is not None


def points(rng: random.Random) -> list[Point]:
    return [
        {"name": rng.choice(("PASSWORD", "URL", "GREETING")), "value": value, "export": rng.random() < 0.5}
        for value in texts(rng, EXAMPLES, " #'\"${}:-\\\n\tan=", 2000)
    ]
