"""Plain text in the shape of a date is converted to a date, also if that day does not exist."""

import datetime
import random
import re

from real.points import Point, grid

SOURCE = "https://yaml.org/type/timestamp.html; constructor.py of PyYAML 6.0.1, construct_yaml_timestamp"
PACKAGES = ["pyyaml==6.0.1"]
KIND = "text"
CONDITION = "not quoted, and value has the shape dddd-dd-dd (spaces around it allowed), but that day does not exist"
SHAPE = re.compile(r" *(\d\d\d\d)-(\d\d)-(\d\d) *")


def fails(config: Point) -> bool:
    found = SHAPE.fullmatch(config["value"])
    if config["quoted"] or not found:
        return False
    try:
        datetime.date(*map(int, found.groups()))
    except ValueError:
        return True
    return False


def points(rng: random.Random) -> list[Point]:
    dates = [
        f"{rng.choice((0, 1, 1900, 2000, 2001, 2024, 9999)):04}-{month:02}-{day:02}"
        for month in (0, 1, 2, 4, 12, 13, 99)
        for day in (0, 1, 28, 29, 30, 31, 32, 99)
        for _ in range(3)
    ]
    other = ["2001-2-30", "12", "1.5", "1.2.3", "yes", "main", "a: b", "10:30", "0x1F", "1_000", "", "2001"]
    around = [change(date) for date in ("2001-02-30", "2001-02-28", "2024-13-01") for change in CHANGES]
    return grid(value=[*dates, *other, *around], quoted=(False, True))


CHANGES = [
    lambda date: "v" + date,
    lambda date: date + "-rc1",
    lambda date: date + "x",
    lambda date: " " + date,
    lambda date: date + " ",
    lambda date: date[:-1],
    lambda date: date + "0",
    lambda date: date.replace("-", "/"),
    lambda date: date.replace("-", ""),
    lambda date: date.replace("-", "."),
    lambda date: date[1:],
    lambda date: date[::-1],
    lambda date: "released " + date,
    lambda date: f"[{date}x]",
]
