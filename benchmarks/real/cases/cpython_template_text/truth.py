"""A dollar sign needs a name that is known; the first one without decides."""

import random

from real.points import Point
from real.texts import texts

SOURCE = "CPython documentation, string: Template strings"
PACKAGES: list[str] = []
KIND = "two failures"
CONDITION = (
    "Read from the left, with $$ as a pair: the first $ (without its pair) that is not followed by name or total (in "
    "braces, or not followed by a further letter of ASCII, digit or _) decides. KeyError: it is followed by another "
    "identifier of ASCII, maybe in braces. ValueError: it is not"
)
EXAMPLES = (
    "Dear $name",
    "Total: ${total} EUR",
    "Price: $5",
    "100$",
    "$$5 for $name",
    "Hi $first",
    "${name",
    "no fields",
    "$name_2",
    "${ name }",
    "$name$total",
    "$NAME",
    "${first}",
)
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
OTHERS = LETTERS + "0123456789"


def fails(config: Point) -> bool | str:
    text, at = config["text"], 0
    while (at := text.find("$", at)) >= 0:
        at += 1
        if text[at : at + 1] == "$":
            at += 1
            continue
        braced = text[at : at + 1] == "{"
        at += braced
        start = at
        if at < len(text) and text[at] in LETTERS:
            while at < len(text) and text[at] in OTHERS:
                at += 1
        if start == at or (braced and text[at : at + 1] != "}"):
            return "ValueError"
        if text[start:at] not in ("name", "total"):
            return "KeyError"
        at += braced
    return False


def points(rng: random.Random) -> list[Point]:
    return [
        {"text": text, "name": rng.choice(("Ada", "$x", "")), "total": rng.randint(0, 1000)}
        for text in texts(rng, EXAMPLES, "$$$${} 5_aZé.\u017f\u212a", 2000, 14)
    ]
