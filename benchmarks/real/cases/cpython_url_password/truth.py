"""The characters / ? and # end the network location, and brackets belong to an IPv6 address."""

import random

from real.points import Point, grid
from real.texts import texts

SOURCE = "CPython 3.11, urllib.parse.urlsplit: ValueError 'Invalid IPv6 URL' for passwords that are not quoted"
PACKAGES: list[str] = []
PYTHON = ((3, 11, 4), (3, 12))
KIND = "two failures"
CONDITION = (
    "ValueError: user or password contains [ or ] before any of / ? #; Lost: it contains one of / ? # and no bracket "
    "before it"
)
PASSWORDS = ("secret", "p@ssw0rd", "a:b", "x%20y", "o'neil", "a[1]", "7]x", "q/r", "what?", "no#1", "tab\tnew")


def fails(config: Point) -> bool | str:
    given = f"{config['user']}:{config['password']}"
    end = min((given.index(mark) for mark in "/?#" if mark in given), default=None)
    if "[" in given[:end] or "]" in given[:end]:
        return "ValueError"
    return "Lost" if end is not None else False


def points(rng: random.Random) -> list[Point]:
    users = ("app", "admin", "jane.doe", "a/b", "x]")
    passwords = texts(rng, PASSWORDS, "[]/?#@:%'&= .-_aZ9é", 1000)
    found = [
        {"user": rng.choice(users), "password": password, "host": host, "port": rng.randint(1, 65535)}
        for password in passwords
        for host in ("localhost", "db.example.org", "10.0.0.7")
    ]
    return found + grid(user=users, password=PASSWORDS, host=("localhost", "10.0.0.7"), port=(1, 5432, 65535))
