"""A plain scalar = is a value key, a plain << a merge key; neither has a constructor of its own."""

import random

from real.points import Point, grid

SOURCE = "https://github.com/yaml/pyyaml/issues/846"
PACKAGES = ["pyyaml==6.0.1"]
KIND = "options"
CONDITION = "style = plain and (value is << , or value is = and place is not key)"
VALUES = ["yes", "no", "on", "off", "null", "~", "12", "1e3", "0o14", "1:30", "2024-01-31", "=", "==", "=>", "<<", "<"]
VALUES += ["<=", ".", "..", "-1", "+", "$", "a b", "utf-8"]


def fails(config: Point) -> bool:
    if config["style"] != "plain":
        return False
    return config["value"] == "<<" or (config["value"] == "=" and config["place"] != "key")


def points(rng: random.Random) -> list[Point]:
    places, styles = ("document", "item", "value", "key"), ("plain", "single", "double")
    return grid(value=VALUES, style=styles, place=places, flow=(False, True))
