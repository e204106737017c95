"""Four characters make three bytes; what is missing in the last group must be padded."""

import random

from real.points import Point, grid

SOURCE = "CPython documentation, base64.b64decode: binascii.Error if incorrectly padded; common with JSON web tokens"
PACKAGES: list[str] = []
KIND = "values"
CONDITION = "characters % 4 = 1, or characters % 4 = 2 and padding < 2, or characters % 4 = 3 and padding < 1"


def fails(config: Point) -> bool:
    rest = config["characters"] % 4
    return rest == 1 or (rest > 0 and rest + config["padding"] < 4)


def points(rng: random.Random) -> list[Point]:
    return grid(characters=range(65), padding=range(6), newline=(False, True), urlsafe=(False, True))
