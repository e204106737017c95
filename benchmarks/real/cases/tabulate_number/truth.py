"""A text that looks like a number with a point or an exponent is read as one and written with six digits.

Control characters are left out: some of them have a meaning of their own in a table.
"""

import math
import random
import re

from real.points import Point
from real.texts import texts

SOURCE = "https://github.com/astanin/python-tabulate#number-formatting (disable_numparse)"
PACKAGES = ["tabulate==0.9.0"]
KIND = "text"
CONDITION = (
    "text (without white space around it) is a finite number as float() takes it, but not an integer as int() takes "
    "it, and not as the format g writes it; or text is inf, -inf or nan, but not in lower case"
)
EXAMPLES = (
    "apple",
    "12",
    "1.50",
    "1e5",
    "007",
    "3.14",
    "1.2.3",
    "-0.0",
    "12345678.9",
    "n/a",
    "1,000.0",
    "5 kg",
    "2.0",
    ".5",
    "NaN",
    "inf",
    "0.25",
)


def fails(config: Point) -> bool:
    text = config["text"]
    if text.lower() in ("inf", "-inf", "nan"):
        return bool(text != text.lower())
    text = text.strip()
    if re.fullmatch(r"[+-]?\d+(_\d+)*", text):
        return False
    try:
        number = float(text)
    except ValueError:
        return False
    return math.isfinite(number) and format(number, "g") != text


def decides(config: Point) -> bool:
    return all(character >= " " for character in config["text"])


def points(rng: random.Random) -> list[Point]:
    found = texts(rng, EXAMPLES, "0123456789..e-+E_ ,anif", 1800, 8)
    for _ in range(800):
        number = rng.uniform(-1, 1) * 10 ** rng.randint(-6, 9)
        found.append(format(number, rng.choice((".1f", ".2f", ".3f", "g", ".8g", ".2e", ".0f"))))
    return [
        {
            "text": text,
            "numalign": rng.choice(("right", "left", "decimal")),
            "stralign": rng.choice(("left", "center", "right")),
        }
        for text in dict.fromkeys(found)
    ]
