"""A request may read 125 registers, all of which must exist; without zero_mode, addresses are one greater inside."""

import random

from real.points import Point, both_sides

SOURCE = "pymodbus documentation, Datastore: zero_mode; Modbus application protocol 1.1b3, 6.3: quantity 1 to 125"
PACKAGES = ["pymodbus==3.6.9"]
KIND = "two failures"
CONDITION = (
    "IllegalValue: count = 0 or count > 125; IllegalAddress: otherwise, if a < first or a + count > first + registers, "
    "where a is address, plus 1 unless zero_mode"
)


def fails(config: Point) -> bool | str:
    if not 1 <= config["count"] <= 125:
        return "IllegalValue"
    first, address = config["first"], config["address"] + (not config["zero_mode"])
    inside = first <= address and address + config["count"] <= first + config["registers"]
    return False if inside else "IllegalAddress"


def points(rng: random.Random) -> list[Point]:
    found = []
    for _ in range(7000):
        first, registers = rng.choice((0, 1, rng.randint(0, 200))), rng.randint(1, 500)
        count = rng.choice((rng.randint(0, 200), rng.randint(1, 125), 0, 1, 125, 126))
        near = rng.choice((first, first + registers - count)) + rng.randint(-2, 2)
        address = rng.choice((near, rng.randint(first, first + registers), rng.randint(0, 700)))
        found.append(
            {
                "first": first,
                "registers": registers,
                "zero_mode": rng.random() < 0.5,
                "address": min(700, max(0, address)),
                "count": count,
                "slave": rng.randint(1, 247),
            }
        )
    return [*found, *both_sides(fails, found, rng, 3000)]
