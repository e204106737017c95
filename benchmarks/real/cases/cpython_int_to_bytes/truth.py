"""The number must fit into the bytes."""

import random

from real.points import Point, both_sides, grid

SOURCE = "CPython documentation, int.to_bytes: OverflowError if the integer is not representable"
PACKAGES: list[str] = []
KIND = "values"
CONDITION = (
    "unsigned: value < 0 or value >= 256**length; signed: value < -128 * 256**(length - 1) or value >= 128 * "
    "256**(length - 1) (length 0: unless value is 0 or -1)"
)


def fails(config: Point) -> bool:
    value, bits = config["value"], 8 * config["length"]
    if not config["signed"]:
        return not 0 <= value < 1 << bits
    return not -(1 << bits) <= 2 * value < 1 << bits if bits else value not in (0, -1)


def points(rng: random.Random) -> list[Point]:
    limit = 10**10
    edges = {
        sign * (1 << 8 * n - half) + step
        for n in range(5)
        for half in (0, 1)
        if 8 * n >= half
        for sign in (-1, 1)
        for step in range(-2, 3)
    }
    edges |= {0, 1, -1, limit, -limit, 70_000} | {
        rng.choice((-1, 1)) * (rng.getrandbits(rng.randint(1, 33)) % limit) for _ in range(300)
    }
    found = grid(value=sorted(edges), length=range(9), byteorder=("little", "big"), signed=(False, True))
    return [*found, *both_sides(fails, found, rng, 1000)]
