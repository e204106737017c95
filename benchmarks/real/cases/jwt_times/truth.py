"""A token that expired, or was issued in the future because clocks differ, is refused; the leeway is added to both."""

import random

from real.points import Point, both_sides

SOURCE = "PyJWT 2.8 documentation, usage: Expiration Time Claim and Issued At Claim (ImmatureSignatureError), leeway"
PACKAGES = ["PyJWT==2.8.0"]
KIND = "two failures"
CONDITION = "ExpiredSignatureError: age >= lifetime + leeway; ImmatureSignatureError: age < -leeway"


def fails(config: Point) -> bool | str:
    if config["age"] < -config["leeway"]:
        return "ImmatureSignatureError"
    return "ExpiredSignatureError" if config["age"] >= config["lifetime"] + config["leeway"] else False


def points(rng: random.Random) -> list[Point]:
    found = []
    for _ in range(7000):
        lifetime, leeway = rng.randint(60, 3600), rng.choice((0, rng.randint(0, 300)))
        near = rng.choice((-leeway, lifetime + leeway)) + rng.randint(-2, 2)
        age = rng.choice((near, rng.randint(-300, 7200), rng.randint(-300, 300), rng.randint(0, lifetime)))
        found.append(
            {
                "age": max(-300, age),
                "lifetime": lifetime,
                "leeway": leeway,
                "algorithm": rng.choice(("HS256", "HS384", "HS512")),
                "user": rng.choice(("alice", "bob")),
            }
        )
    return [*found, *both_sides(fails, found, rng, 3000)]
