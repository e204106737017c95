"""Some words are read as missing values, also in quotes and in a column of text."""

import random

from real.points import Point
from real.texts import texts

SOURCE = "pandas 1.5 documentation, read_csv: na_values, by default the following values are interpreted as NaN"
PACKAGES = ["numpy==1.26.4", "pandas==1.5.3"]
KIND = "text"
MISSING = (
    "",
    "#N/A",
    "#N/A N/A",
    "#NA",
    "-1.#IND",
    "-1.#QNAN",
    "-NaN",
    "-nan",
    "1.#IND",
    "1.#QNAN",
    "<NA>",
    "N/A",
    "NA",
    "NULL",
    "NaN",
    "n/a",
    "nan",
    "null",
)
CONDITION = f"name is one of {', '.join(MISSING[1:])}, or empty"
EXAMPLES = ("Smith", "Null", "None", "O'Brien", "Doe, Jane", "n.a.", "Nan", "na", "-", "N.A.", "none", *MISSING)


def fails(config: Point) -> bool:
    return config["name"] in MISSING


def points(rng: random.Random) -> list[Point]:
    names = [*MISSING * 20, *texts(rng, EXAMPLES, "NAnaul/#-L ,'.<", 1000, 5)]
    return [
        {
            "name": name,
            "quoting": rng.choice(("minimal", "all")),
            "engine": rng.choice(("c", "python")),
            "header": rng.random() < 0.5,
        }
        for name in names
    ]
