"""A basic string has escapes, a literal string has none; neither can contain its quote or a control character."""

import random
import re

from real.points import Point
from real.texts import texts

SOURCE = "TOML 1.0, String: basic and literal strings"
PACKAGES = ["tomli==2.0.1"]
KIND = "text"
CONDITION = (
    "quotes = double and path contains a backslash or a \", or quotes = single and path contains a ', "
    "or path contains a control character (of ASCII) other than a tab"
)
CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
EXAMPLES = (
    "/home/user/data",
    "C:\\Users\\me",
    "C:/temp",
    "\\\\server\\share",
    "it's mine",
    'a "quoted" name',
    "data\\new",
    "tab\there",
    "",
    "müller",
    "two\nlines",
    "# notes",
    "\\u00e9",
    "''",
    '""',
)


def fails(config: Point) -> bool:
    bad = '"\\' if config["quotes"] == "double" else "'"
    return any(character in bad for character in config["path"]) or CONTROL.search(config["path"]) is not None


def points(rng: random.Random) -> list[Point]:
    return [
        {"path": path, "quotes": quotes, "key": rng.choice(("path", "output.folder"))}
        for path in texts(rng, EXAMPLES, "\\\"'\\\"'\n\r\t\x7f\x1b #/:nutU0aü", 1200)
        for quotes in ("double", "single")
    ]
