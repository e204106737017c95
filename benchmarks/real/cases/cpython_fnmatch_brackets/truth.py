"""A name in brackets is read as a set of characters."""

import random
import re

from real.points import Point
from real.texts import texts

SOURCE = "CPython documentation, fnmatch: [seq] matches any character in seq; glob.escape"
PACKAGES: list[str] = []
KIND = "text"
CONDITION = "folder/name contains [ and, after at least one character (besides a ! just after the [), a ]"
GROUP = re.compile(r"\[!?+\]?+[^]]*+\]")
NAMES = (
    "report.txt",
    "scan[1].pdf",
    "data (2).csv",
    "[draft",
    "a]b",
    "x[]y",
    "photo-[final].jpg",
    "weird!.md",
    "[!]",
    "[!x]",
)


def fails(config: Point) -> bool:
    return GROUP.search(f"{config['folder']}/{config['name']}") is not None


def points(rng: random.Random) -> list[Point]:
    folders = ("", "home", "in[put]", "x[y", "z]")
    return [
        {"name": name, "folder": folder, "case_sensitive": rng.random() < 0.5}
        for name in texts(rng, NAMES, "[]!-.a1 _", 1000)
        for folder in folders
    ]
