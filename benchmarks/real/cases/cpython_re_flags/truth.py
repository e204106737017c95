"""A pattern has one alphabet: Unicode or ASCII for texts, ASCII or that of the locale for bytes."""

import random

from real.points import Point, grid

SOURCE = "CPython documentation, re: ASCII, LOCALE (only with bytes patterns, not compatible with ASCII), UNICODE"
PACKAGES: list[str] = []
KIND = "options"
CONDITION = "pattern = text, and LOCALE, or ASCII and UNICODE; or pattern = bytes, and UNICODE, or LOCALE and ASCII"
FLAGS = ("ASCII", "UNICODE", "LOCALE", "IGNORECASE", "MULTILINE", "DOTALL", "VERBOSE")


def fails(config: Point) -> bool:
    if config["pattern"] == "text":
        return bool(config["LOCALE"] or (config["ASCII"] and config["UNICODE"]))
    return bool(config["UNICODE"] or (config["LOCALE"] and config["ASCII"]))


def points(rng: random.Random) -> list[Point]:
    return grid(pattern=("text", "bytes"), **dict.fromkeys(FLAGS, (False, True)))
