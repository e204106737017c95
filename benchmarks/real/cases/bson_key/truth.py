"""Keys end with a NUL byte, so they have none inside; if they are checked, they have no dot and no dollar in front."""

import random

from real.points import Point
from real.texts import texts

SOURCE = "PyMongo documentation, bson.encode: check_keys, InvalidDocument; BSON specification, cstring"
PACKAGES = ["pymongo==4.6.3"]
KIND = "text"
CONDITION = "key contains NUL; or check_keys, and key starts with $ or contains a dot"
EXAMPLES = (
    "name",
    "first name",
    "a.b",
    "$set",
    "price$",
    "_id",
    "nul\x00byte",
    "größe",
    "v1.2",
    "$",
    ".hidden",
    "a:b",
)


def fails(config: Point) -> bool:
    key = config["key"]
    return "\x00" in key or (config["check_keys"] and (key.startswith("$") or "." in key))


def points(rng: random.Random) -> list[Point]:
    return [
        {"key": key, "check_keys": check_keys, "nested": rng.random() < 0.5, "array": rng.random() < 0.5}
        for key in texts(rng, EXAMPLES, ".$\x00 _:aé1.$\x01", 1500)
        for check_keys in (False, True)
    ]
