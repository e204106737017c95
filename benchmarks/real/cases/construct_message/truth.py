"""Numbers, the number of readings and the name have a fixed size. The first part that does not fit is reported."""

import random

from real.points import Point, both_sides

SOURCE = "construct documentation, Integers and floats (FormatFieldError), Strings (PaddedString), PrefixedArray"
PACKAGES = ["construct==2.10.70"]
KIND = "two failures"
CONDITION = (
    "FormatFieldError: device > 65535, or temperature < -128 or > 127, or the name fits and readings > 255; "
    "PaddingError: device and temperature fit, and name_length > 16, or > 8 if encoding = utf_16_be"
)


def fails(config: Point) -> bool | str:
    if config["device"] > 65535 or not -128 <= config["temperature"] <= 127:
        return "FormatFieldError"
    if config["name_length"] > (8 if config["encoding"] == "utf_16_be" else 16):
        return "PaddingError"
    return "FormatFieldError" if config["readings"] > 255 else False


def points(rng: random.Random) -> list[Point]:
    found = [
        {
            "device": rng.choice((rng.randint(0, 65535), rng.randint(0, 100_000), rng.randint(65533, 65538))),
            "temperature": rng.choice((rng.randint(-128, 127), rng.randint(-200, 200), -129, -128, 127, 128)),
            "name_length": rng.choice((rng.randint(0, 8), rng.randint(0, 40), 8, 9, 16, 17)),
            "encoding": rng.choice(("ascii", "utf8", "utf_16_be")),
            "readings": rng.choice((rng.randint(0, 255), rng.randint(0, 400), 255, 256)),
        }
        for _ in range(6000)
    ]
    return [*found, *both_sides(fails, found, rng, 3000)]
