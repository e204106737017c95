"""What starts with [/ and ends with ] is a closing tag, and there must be an open tag that it closes."""

import random
import re

from real.points import Point
from real.texts import texts

SOURCE = "Rich documentation, Console Markup: Errors and Escaping; MarkupError 'doesn't match any open tag'"
PACKAGES = ["rich==13.7.1"]
KIND = "text"
CONDITION = (
    "markup, and message contains [/name] (not after an odd number of backslashes) without an open [name] before it, "
    "or [/] without any open tag before it; names start with one of a to z, #, / and @, and end before a ="
)
TAG = re.compile(r"(\\*)\[([a-z#/@][^\[]*?)\]")
SHORT = {"b": "bold", "d": "dim", "i": "italic", "o": "overline", "r": "reverse", "s": "strike", "u": "underline"}
EXAMPLES = (
    "done",
    "[1/3] copy",
    "found [/usr/bin]",
    "[info] started",
    "list[int]",
    "[ERROR] failed",
    "a [/] b",
    "[red]no[/red]",
    "x[/y",
    "see [docs]",
    "\\[/tmp]",
    "[/tmp/log.txt] opened",
    "50% [#####/    ]",
    "[]",
)


def fails(config: Point) -> bool:
    if not config["markup"]:
        return False
    tags: list[str] = []
    for backslashes, tag in TAG.findall(config["message"]):
        if len(backslashes) % 2:
            continue
        name = tag.partition("=")[0].removeprefix("/").strip().lower()
        name = SHORT.get(name, name)
        if not tag.startswith("/"):
            tags.append(name)
        elif name in tags:
            del tags[len(tags) - 1 - tags[::-1].index(name)]
        elif name or not tags:
            return True
        else:
            tags.pop()
    return False


def points(rng: random.Random) -> list[Point]:
    messages = texts(rng, EXAMPLES, "[[//]]\\ [/]7", 2500, 16)
    messages += texts(rng, ("found [/usr/bin]", "[red]no[/red]", "a [/] b", "[b]x[/b]"), "[]/\\ab", 800, 8)
    return [
        {"message": message, "markup": rng.random() < 0.85, "emoji": rng.random() < 0.5, "width": rng.randint(20, 120)}
        for message in messages
    ]
