"""Options of a data class that contradict each other, a default that is shared, and a field without a default after one
that has one."""

import random

from real.points import Point, grid

SOURCE = "CPython 3.11 documentation, dataclasses: ValueError and TypeError of the decorator"
PACKAGES: list[str] = []
KIND = "two failures"
FLAGS = ("init", "eq", "order", "unsafe_hash", "frozen", "slots", "weakref_slot", "kw_only")
CONDITION = (
    "ValueError: order without eq, or first_default = list; TypeError: otherwise, if weakref_slot without slots, or "
    "first_default = number and second_default = none with init and without kw_only"
)


def fails(config: Point) -> bool | str:
    if config["first_default"] == "list" or (config["order"] and not config["eq"]):
        return "ValueError"
    missing = config["first_default"] == "number" and config["second_default"] == "none"
    if (missing and config["init"] and not config["kw_only"]) or (config["weakref_slot"] and not config["slots"]):
        return "TypeError"
    return False


def points(rng: random.Random) -> list[Point]:
    flags = dict.fromkeys(FLAGS, (False, True))
    return grid(**flags, first_default=("none", "number", "list"), second_default=("none", "number"))
