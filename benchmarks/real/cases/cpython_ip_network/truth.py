"""The bits of the address behind the prefix must be zero."""

import random

from real.points import Point, grid

SOURCE = "CPython documentation, ipaddress.ip_network: ValueError if host bits are set and strict is true"
PACKAGES: list[str] = []
KIND = "values"
CONDITION = "(second * 65536 + third * 256 + fourth) % 2**(32 - prefix) != 0"


def fails(config: Point) -> bool:
    number = config["second"] * 65536 + config["third"] * 256 + config["fourth"]
    return bool(number % 2 ** (32 - config["prefix"]))


def points(rng: random.Random) -> list[Point]:
    octets = (0, 0, 0, 1, 2, 4, 8, 10, 16, 32, 48, 64, 96, 127, 128, 160, 168, 192, 224, 240, 248, 252, 254, 255)
    found = grid(
        first=(192,), second=(0, 16, 168), third=(0, 10, 64, 240), fourth=range(0, 256, 4), prefix=range(8, 33)
    )
    for _ in range(6000):
        prefix = rng.randint(8, 32)
        number = rng.getrandbits(24)
        if rng.random() < 0.6:
            number = number >> (32 - prefix) << (32 - prefix)  # a network
        if rng.random() < 0.3:
            number ^= 1 << rng.randrange(24)
        parts = [number >> 16, number >> 8 & 255, number & 255]
        if rng.random() < 0.3:
            parts = [rng.choice(octets) for _ in range(3)]
        names = ("second", "third", "fourth")
        found.append({"first": rng.choice((10, 172, 192)), **dict(zip(names, parts, strict=True)), "prefix": prefix})
    return found
