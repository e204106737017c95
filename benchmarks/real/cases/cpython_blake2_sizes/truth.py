"""BLAKE2s has half the sizes of BLAKE2b."""

import random

from real.points import Point, beside, both_sides, grid

SOURCE = "CPython documentation, hashlib: BLAKE2, table of the limits for hash function parameters"
PACKAGES: list[str] = []
KIND = "values"
CONDITION = (
    "algorithm = blake2b, and digest_size > 64 or key_length > 64 or salt_length > 16; "
    "or algorithm = blake2s, and digest_size > 32 or key_length > 32 or salt_length > 8"
)


def fails(config: Point) -> bool:
    size, salt = (64, 16) if config["algorithm"] == "blake2b" else (32, 8)
    return bool(config["digest_size"] > size or config["key_length"] > size or config["salt_length"] > salt)


def points(rng: random.Random) -> list[Point]:
    found = grid(
        algorithm=("blake2b", "blake2s"),
        digest_size=[1, 20, 80, *beside(32, 64)],
        key_length=[0, 1, 16, 80, *beside(32, 64)],
        salt_length=[0, 1, 20, *beside(8, 16)],
        length=[0, 1000, rng.randrange(1001)],
    )
    return [*found, *both_sides(fails, found, rng, 1500)]
