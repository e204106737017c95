"""The name of a cookie must be a token, and no attribute of cookies."""

import random
import string

from real.points import Point
from real.texts import texts

SOURCE = "CPython documentation, http.cookies: CookieError; Morsel.set refuses reserved words and illegal keys"
PACKAGES: list[str] = []
PYTHON = ((3, 11), (3, 13))
KIND = "text"
CONDITION = (
    "name is empty, contains a character other than ASCII letters, digits and !#$%&'*+-.^_`|~:, or is in lower case an "
    "attribute of cookies such as path or max-age"
)
LEGAL = set(string.ascii_letters + string.digits + "!#$%&'*+-.^_`|~:")
RESERVED = {"expires", "path", "comment", "domain", "max-age", "secure", "httponly", "version", "samesite"}
NAMES = ("session", "user-id", "user id", "a=b", "größe", "path", "Max-Age", "x;y", "a.b", "lang[en]")


def fails(config: Point) -> bool:
    name = config["name"]
    return not name or not set(name) <= LEGAL or name.lower() in RESERVED


def points(rng: random.Random) -> list[Point]:
    names = texts(rng, [*NAMES, *RESERVED, "SameSite", "versions"], string.printable + "ßé€", 1200)
    values = ("1", "a b", "x;y", "ä", '"quoted"', "")
    return [
        {"name": name, "value": rng.choice(values), "secure": rng.random() < 0.5, "max_age": rng.randint(0, 10**6)}
        for name in names
    ]
