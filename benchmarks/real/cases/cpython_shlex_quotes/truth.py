"""Quotes must be closed, and something must follow a backslash."""

import random
import re

from real.points import Point
from real.texts import texts

SOURCE = "CPython, shlex: ValueError 'No closing quotation', 'No escaped character'"
PACKAGES: list[str] = []
KIND = "text"
CONDITION = (
    "a ' or a \" is not closed, or the last character is a backslash that is not escaped; the other quote and, after a "
    "backslash, any character do not count inside of \" (nothing does inside of '), nor what follows a # if comments"
)
PLAIN = r"""[^'"\\]|\\.|'[^']*+'|"(?:[^"\\]|\\.)*+\""""
GOOD = re.compile(f"(?:{PLAIN})*+", re.DOTALL)
GOOD_WITH_COMMENTS = re.compile(f"(?:#[^\n]*+|{PLAIN})*+", re.DOTALL)
EXAMPLES = (
    "ls -l",
    "echo 'a b'",
    'echo "a b"',
    "it's here",
    'say "hi',
    "C:\\temp\\",
    "a\\ b",
    'echo \\"x',
    "x # don't",
    '"it\'s"',
    'a "b\\" c"',
    "'\\'",
    "a#b'c",
    "\"a # b\" 'c'",
)


def fails(config: Point) -> bool:
    good = GOOD_WITH_COMMENTS if config["comments"] else GOOD
    return good.fullmatch(config["command"]) is None


def points(rng: random.Random) -> list[Point]:
    return [
        {"command": command, "comments": comments}
        for command in texts(rng, EXAMPLES, "'\"\\# a'\"\\-", 1500)
        for comments in (False, True)
    ]
