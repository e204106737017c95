"""Only one of filename, stream and handlers may be given, and the format must be one of the style."""

import random

from real.points import Point, grid

SOURCE = (
    "CPython documentation, logging.basicConfig: ValueError for incompatible arguments; Formatter validates its format"
)
PACKAGES: list[str] = []
KIND = "options"
FORMATS = {"%": "%(message)s", "{": "{message}", "$": "$message"}
CONDITION = (
    "more than one of filename, stream and handlers; or style = #; or format does not belong to style (%, {, $: "
    "%(message)s, {message}, $message); or level = VERBOSE"
)


def fails(config: Point) -> bool:
    several = config["filename"] + config["stream"] + config["handlers"] > 1
    return several or FORMATS.get(config["style"]) != config["format"] or config["level"] == "VERBOSE"


def points(rng: random.Random) -> list[Point]:
    return grid(
        filename=(False, True),
        stream=(False, True),
        handlers=(False, True),
        style="%{$#",
        format=("%(message)s", "{message}", "$message", "plain"),
        level=("INFO", "WARNING", "VERBOSE"),
    )
