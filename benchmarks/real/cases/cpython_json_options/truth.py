"""Keys that cannot be sorted, keys and values that JSON does not have, and numbers that JSON does not have."""

import random

from real.points import Point, grid

SOURCE = "CPython documentation, json.dumps: TypeError and ValueError; sort_keys compares the keys"
PACKAGES: list[str] = []
KIND = "two failures"
KEYS = ("text", "number", "float", "none", "bool", "tuple")
VALUES = ("text", "number", "nan", "infinity", "set", "date")
NUMBERS = {"number", "float", "bool"}
CONDITION = (
    "TypeError: sort_keys and the kinds of the keys differ (number, float and bool count as one); or first_key is a "
    "tuple and skipkeys is off; or value is a set or a date and first_key is no tuple; or second_key is a tuple and "
    "skipkeys is off, and there is no ValueError; ValueError: value is nan or infinity, allow_nan is off, first_key is "
    "no tuple, and the keys need not or can be sorted"
)


def fails(config: Point) -> bool | str:
    first, second = config["first_key"], config["second_key"]
    if config["sort_keys"] and first != second and not {first, second} <= NUMBERS:
        return "TypeError"
    if first == "tuple" and not config["skipkeys"]:
        return "TypeError"
    if first != "tuple" and config["value"] in ("set", "date"):
        return "TypeError"
    if first != "tuple" and config["value"] in ("nan", "infinity") and not config["allow_nan"]:
        return "ValueError"
    return "TypeError" if second == "tuple" and not config["skipkeys"] else False


def points(rng: random.Random) -> list[Point]:
    flags = dict.fromkeys(("sort_keys", "skipkeys", "allow_nan"), (False, True))
    second = [key for key in KEYS if key != "none"]
    return grid(first_key=KEYS, second_key=second, value=VALUES, **flags, indent=range(9))
