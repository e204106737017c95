"""Spaces and control characters are refused, and other letters cannot be encoded."""

import random
import re

from real.points import Point
from real.texts import texts

SOURCE = "CPython, http.client: InvalidURL 'URL can't contain control characters'; https://bugs.python.org/issue30458"
PACKAGES: list[str] = []
KIND = "two failures"
CONDITION = (
    "InvalidURL: path contains a space or a control character of ASCII; UnicodeEncodeError: otherwise, if path "
    "contains a character outside of ASCII"
)
REFUSED = re.compile(r"[\x00-\x20\x7f]")
EXAMPLES = (
    "/",
    "/index.html",
    "/my file.txt",
    "/straße",
    "/a%20b",
    "/search?q=a+b",
    "/search?q=two words",
    "/café menu",
    "/日本",
    "/tab\there",
    "/line\n",
    "",
    "/ok-_~",
    "/é",
)


def fails(config: Point) -> bool | str:
    if REFUSED.search(config["path"]):
        return "InvalidURL"
    return False if config["path"].isascii() else "UnicodeEncodeError"


def points(rng: random.Random) -> list[Point]:
    paths = texts(rng, EXAMPLES, ' \t\r\n\x7f\x80\xa0é日/%+?#a~!"\\', 1500)
    paths += texts(rng, ("/index.html", "/a%20b", "/search?q=a+b", "/ok-_~"), "éß日\xa0/a%!~", 500)
    return [
        {
            "method": rng.choice(("GET", "POST", "HEAD")),
            "path": path,
            "host": rng.choice(("localhost", "example.com")),
            "accept_encoding": rng.random() < 0.5,
        }
        for path in paths
    ]
