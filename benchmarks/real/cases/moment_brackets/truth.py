"""For each opening bracket, the rest of the text is searched for a closing one.

1000 brackets take about 2 ms, 10,000 about 200 ms.
"""

import random

from real.points import Point, grid

SOURCE = "https://github.com/moment/moment/security/advisories/GHSA-wc69-rhjr-hc9g"
PACKAGES = ["npm:moment@2.29.3"]
KIND = "slow"
CONDITION = "character = ( and count >= 10000 and parser is any or RFC 2822"


def fails(config: Point) -> bool:
    return config["character"] == "(" and config["count"] >= 10000 and config["parser"] != "YYYY-MM-DD"


def points(rng: random.Random) -> list[Point]:
    return grid(
        character="()[a1 -",
        count=(1, 10, 100, 1000, 10000),
        parser=("any", "YYYY-MM-DD", "RFC 2822"),
        strict=(False, True),
    )
