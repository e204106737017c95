"""Numbers up to the largest time stamp, that of the year 9999, are seconds, and larger ones milliseconds and so on."""

import random

from real.points import Point, beside

SOURCE = "arrow 0.15.7 changes: ms and us timestamps are normalized; util.py of arrow 1.3.0, normalize_timestamp"
PACKAGES = ["arrow==1.3.0", "python-dateutil==2.8.2"]
KIND = "values"
CONDITION = "unit is not s, and 1 <= seconds <= 253402300"


def fails(config: Point) -> bool:
    return config["unit"] != "s" and 1 <= config["seconds"] <= 253_402_300


def points(rng: random.Random) -> list[Point]:
    seconds = [*beside(0, 253_402, 253_402_300, far=6, lo=0), 86_400, 1_000_000, 10**9, 17 * 10**8, 2 * 10**9]
    seconds += [rng.randint(0, 10 ** rng.randint(1, 8)) for _ in range(1000)]
    seconds += [rng.randint(0, 2 * 10**9) for _ in range(1500)]
    seconds += [rng.randint(253_000_000, 254_000_000) for _ in range(500)]
    return [
        {
            "seconds": second,
            "unit": unit,
            "format": rng.choice(("YYYY-MM-DD", "D MMMM YYYY", "HH:mm:ss")),
            "locale": rng.choice(("en", "de", "fr")),
        }
        for second in seconds
        for unit in ("s", "ms", "us")
    ]
