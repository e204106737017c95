"""The result must not have more digits than the precision."""

import random

from real.points import Point, beside, both_sides, grid

SOURCE = "CPython documentation, Decimal.quantize: InvalidOperation if the coefficient would exceed the precision"
PACKAGES: list[str] = []
KIND = "values"
CONDITION = "amount > 0 and the number of its digits + places > precision"


def fails(config: Point) -> bool:
    return config["amount"] > 0 and len(str(config["amount"])) + config["places"] > config["precision"]


def points(rng: random.Random) -> list[Point]:
    amounts = beside(*(10**n for n in range(10)), far=1, lo=0, hi=10**9) + [
        rng.randrange(10 ** rng.randint(1, 9)) for _ in range(30)
    ]
    found = grid(amount=amounts, places=range(13), precision=range(1, 29), rounding=("ROUND_HALF_EVEN",))
    found += [{**point, "rounding": rng.choice(("ROUND_HALF_UP", "ROUND_DOWN"))} for point in rng.sample(found, 3000)]
    return [*found, *both_sides(fails, found, rng, 1000)]
