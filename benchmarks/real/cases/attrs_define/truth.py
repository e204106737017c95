"""An order needs equality, a text needs a representation, and a hash can be cached only if there is one."""

import random

from real.points import Point, grid

SOURCE = "attrs documentation, attr.s: eq, order, unsafe_hash, cache_hash, str; _make.py of attrs 23.2.0"
PACKAGES = ["attrs==23.2.0"]
KIND = "two failures"
CONDITION = (
    "ValueError: order without eq, or str without repr; TypeError: otherwise, if cache_hash, and init is off, or "
    "unsafe_hash is off, or unsafe_hash is unset and not both eq and frozen"
)
SWITCHES = ("eq", "order", "frozen", "cache_hash", "init", "repr", "str", "slots", "kw_only")


def fails(config: Point) -> bool | str:
    if (config["order"] and not config["eq"]) or (config["str"] and not config["repr"]):
        return "ValueError"
    hashed = {"on": True, "off": False, "unset": config["eq"] and config["frozen"]}[config["unsafe_hash"]]
    return "TypeError" if config["cache_hash"] and not (hashed and config["init"]) else False


def points(rng: random.Random) -> list[Point]:
    return grid(unsafe_hash=("unset", "on", "off"), **dict.fromkeys(SWITCHES, (False, True)))
