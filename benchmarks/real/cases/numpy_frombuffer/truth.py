"""Without a count, the rest of the buffer must hold a whole number of values; with one, it must be long enough."""

import random

from real.points import Point

SOURCE = "NumPy, frombuffer: buffer size must be a multiple of element size; buffer is smaller than requested size"
PACKAGES = ["numpy==1.26.4"]
KIND = "values"
SIZES = {"uint8": 1, "int16": 2, "float32": 4, "float64": 8, "complex128": 16}
CONDITION = (
    "offset > size; or count = -1 and (size - offset) % S != 0; or count * S > size - offset, where S is the size of a "
    "number: 1, 2, 4, 8, 16 bytes"
)


def fails(config: Point) -> bool:
    rest, each = config["size"] - config["offset"], SIZES[config["dtype"]]
    if rest < 0:
        return True
    return bool(rest % each if config["count"] < 0 else config["count"] * each > rest)


def points(rng: random.Random) -> list[Point]:
    found = []
    for dtype, each in SIZES.items():
        for _ in range(1500):
            count, offset = rng.choice((-1, rng.randint(-1, 100))), rng.choice((0, 8, rng.randint(0, 200)))
            near = max(0, offset + max(count, 0) * each + rng.randint(-20, 40))
            size = min(1000, rng.choice((near, rng.randint(0, 1000))))
            found.append({"size": size, "offset": offset, "dtype": dtype, "count": count})
    return found
