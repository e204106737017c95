"""A field takes as few characters as possible, but at least one."""

import random

from real.points import Point
from real.texts import texts

SOURCE = "https://github.com/r1chardj0n3s/parse#potential-gotchas (shortest possible match)"
PACKAGES = ["parse==1.20.0"]
KIND = "text"
CONDITION = "name is empty, or contains a - that is not its first character"
EXAMPLES = (
    "tool",
    "my_tool",
    "data-set",
    "x",
    "a b",
    "lib2",
    "-draft",
    "end-",
    "{name}",
    "two--dashes",
    "v1.0",
)


def fails(config: Point) -> bool:
    return not config["name"] or "-" in config["name"][1:]


def points(rng: random.Random) -> list[Point]:
    return [
        {"name": name, "version": rng.choice(("1.0", "2.0-beta", "10")), "case_sensitive": rng.random() < 0.5}
        for name in texts(rng, EXAMPLES, "----__ .{}\n\tAé0a", 1200)
    ]
