"""The padding needs two hashes and two bytes."""

import random

from real.points import Point, beside, grid

SOURCE = "RFC 8017, 7.1.1: mLen > k - 2hLen - 2, message too long; cryptography documentation, RSAPublicKey.encrypt"
PACKAGES = ["cryptography==42.0.5"]
KIND = "values"
SIZES = {"SHA1": 20, "SHA256": 32, "SHA384": 48, "SHA512": 64}
CONDITION = "length > key_bits / 8 - 2 * (the bytes of the hash: 20, 32, 48, 64) - 2"
KEYS = (1024, 2048, 3072, 4096)


def fails(config: Point) -> bool:
    return bool(config["length"] > config["key_bits"] // 8 - 2 * SIZES[config["hash"]] - 2)


def points(rng: random.Random) -> list[Point]:
    borders = [bits // 8 - 2 * size - 2 for bits in KEYS for size in SIZES.values()]
    lengths = sorted({*beside(*borders, far=2, lo=0, hi=512), *range(0, 513, 8)})
    return grid(key_bits=KEYS, hash=SIZES, length=lengths, label=("none", "session", "invoice"))
