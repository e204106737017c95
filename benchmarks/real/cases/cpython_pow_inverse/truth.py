"""A number has an inverse only if it shares no factor with the modulus."""

import math
import random

from real.points import Point

SOURCE = "CPython documentation, pow: ValueError 'base is not invertible for the given modulus'"
PACKAGES: list[str] = []
KIND = "no simple condition"
CONDITION = "the greatest common divisor of number and modulus is greater than 1"


def fails(config: Point) -> bool:
    return math.gcd(config["number"], config["modulus"]) > 1


def points(rng: random.Random) -> list[Point]:
    small = [{"number": number, "modulus": modulus} for number in range(1, 80) for modulus in range(2, 80)]
    return small + [{"number": rng.randint(1, 1000), "modulus": rng.randint(2, 1000)} for _ in range(10_000)]
