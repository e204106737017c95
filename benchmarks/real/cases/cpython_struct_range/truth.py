"""The size of l and L depends on the byte order: 8 bytes with @ on a 64-bit system, 4 with all others."""

import random

from real.points import Point, both_sides, grid

SOURCE = "CPython documentation, struct: native and standard sizes"
PACKAGES: list[str] = []
KIND = "options"
CONDITION = (
    "value is outside the range of the code: 8 bits for b and B, 16 for h and H, 32 for i and I, 64 for q and Q; "
    "for l and L 64 with @ and 32 otherwise; lower case is signed, upper case is not"
)
BITS = {"b": 8, "h": 16, "i": 32, "l": 32, "q": 64}


def fails(config: Point) -> bool:
    code = config["code"]
    bits = 64 if code in "lL" and config["order"] == "@" else BITS[code.lower()]
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if code.islower() else (0, (1 << bits) - 1)
    return not low <= config["value"] <= high


def points(rng: random.Random) -> list[Point]:
    edges = [
        sign * (1 << bits) + step for bits in (7, 8, 15, 16, 31, 32, 62) for sign in (-1, 1) for step in (-1, 0, 1)
    ]
    edges += [-(1 << 63), (1 << 63) - 1, 0, -1, 1, 3_000_000_000]
    edges += [rng.choice((-1, 1)) * rng.getrandbits(rng.randint(1, 63)) for _ in range(100)]
    found = grid(order="@=<>!", code="bBhHiIlLqQ", value=edges)
    return [*found, *both_sides(fails, found, rng, 1000)]
