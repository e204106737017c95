"""A pointer is empty or starts with a slash, and a tilde is escaped: ~0 is a tilde, ~1 a slash."""

import random
import re

from real.points import Point
from real.texts import texts

SOURCE = "RFC 6901, 3 Syntax; jsonpointer documentation: JsonPointerException"
PACKAGES = ["jsonpointer==2.4"]
KIND = "text"
CONDITION = "pointer is not empty and does not start with /, or contains a ~ that is not followed by 0 or 1"
EXAMPLES = (
    "/name",
    "/",
    "/items/0",
    "name",
    "/a~1b",
    "/a~0b",
    "/home/~user",
    "/approx~",
    "#/definitions/x",
    "items/0/name",
    "/two words",
    "/~01",
    "/a//b",
    "/größe",
)


def fails(config: Point) -> bool:
    pointer = config["pointer"]
    return (pointer != "" and not pointer.startswith("/")) or re.search("~(?![01])", pointer) is not None


def points(rng: random.Random) -> list[Point]:
    return [
        {"pointer": pointer, "lookup": lookup}
        for pointer in texts(rng, EXAMPLES, "//~~01~2#a é", 1500)
        for lookup in (False, True)
    ]
