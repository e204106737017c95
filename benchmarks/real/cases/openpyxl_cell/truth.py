"""Cells have no control characters, rows and columns begin at 1, and columns have at most three letters."""

import random
import re

from real.points import Point, beside
from real.texts import texts

SOURCE = "openpyxl 3.1: IllegalCharacterError; 'Row or column values must be at least 1'; get_column_letter up to ZZZ"
PACKAGES = ["openpyxl==3.1.2"]
KIND = "two failures"
CONDITION = (
    "ValueError: row < 1 or row > 1048576 or column < 1, or column > 18278 and text is legal; IllegalCharacterError: "
    "1 <= row <= 1048576 and column >= 1, and text contains a control character other than tab, newline and carriage "
    "return"
)
ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")
MAX_ROW, MAX_COLUMN = 1_048_576, 18_278
EXAMPLES = ("total", "=A1+B1", "two\nlines", "tab\there", "bell\a", "esc\x1b[31m", "naïve", "vertical\x0btab", "x\r")


def fails(config: Point) -> bool | str:
    if not 1 <= config["row"] <= MAX_ROW or config["column"] < 1:
        return "ValueError"
    if ILLEGAL.search(config["text"]):
        return "IllegalCharacterError"
    return "ValueError" if config["column"] > MAX_COLUMN else False


def points(rng: random.Random) -> list[Point]:
    rows = [*beside(0, 65_536, 1_048_576), -10, 2_000_000]
    columns = [*beside(0, 256, 16_384, MAX_COLUMN), -10, 20_000]
    characters = "".join(map(chr, range(33))) + "\x7f\x85\x9fé="
    found = []
    for text in texts(rng, EXAMPLES, characters, 1200):
        row = rng.choice((rng.randint(1, 2_000_000), rng.randint(1, 100), rng.choice(rows)))
        column = rng.choice((rng.randint(1, 20_000), rng.randint(1, 100), rng.choice(columns)))
        found.append({"text": text, "row": row, "column": column, "bold": rng.random() < 0.5})
    return found
