"""A colour has three or six digits. The pattern ends with $, so a newline may follow."""

import random
import re

from real.points import Point
from real.texts import texts

SOURCE = "webcolors 1.13 documentation, normalize_hex: ValueError; HEX_COLOR_RE"
PACKAGES = ["webcolors==1.13"]
KIND = "text"
CONDITION = "color is not # and then three or six hexadecimal digits, and maybe a newline"
EXAMPLES = (
    "#ff0000",
    "#FFF",
    "red",
    "00ff00",
    "#ff00",
    "#ff0000ff",
    "#0af",
    "#12345g",
    "#123456",
    " #fff",
    "0xffffff",
)


def fails(config: Point) -> bool:
    return re.fullmatch(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})\n?", config["color"]) is None


def points(rng: random.Random) -> list[Point]:
    found = texts(rng, EXAMPLES, "0123456789abcdefABCDEF##g \n٣", 1200)
    for _ in range(1500):
        digits = "".join(rng.choices("0123456789abcdefABCDEF", k=rng.choice((2, 3, 3, 3, 4, 5, 6, 6, 6, 7, 8))))
        found.append("#" + digits + rng.choice(("", "", "", "", "\n", " ")))
    return [
        {"color": color, "percent": rng.random() < 0.5, "opacity": rng.randint(0, 100)}
        for color in dict.fromkeys(found)
    ]
