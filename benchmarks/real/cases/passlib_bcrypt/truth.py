"""bcrypt 5 refuses long passwords; Passlib tries one to detect an old error of bcrypt."""

import random

from real.points import Point, grid

SOURCE = "bcrypt 5.0.0 changes: passwords longer than 72 bytes raise ValueError"
PACKAGES: list[str] = []
PASSLIB = ("1.7.1", "1.7.3", "1.7.4")
BCRYPT = ("3.2.2", "4.0.1", "4.1.3", "4.3.0", "5.0.0")
SCHEMES = ("bcrypt", "bcrypt_sha256", "sha256_crypt", "pbkdf2_sha256")
VARIANTS = {
    **{f"passlib=={version}": [f"passlib=={version}"] for version in PASSLIB},
    **{f"bcrypt=={version}": [f"bcrypt=={version}"] for version in BCRYPT},
}
KIND = "pair"
CONDITION = "bcrypt = 5.0.0 and scheme in {bcrypt, bcrypt_sha256}"


def fails(config: Point) -> bool:
    return config["bcrypt"] == "5.0.0" and config["scheme"] in SCHEMES[:2]


def points(rng: random.Random) -> list[Point]:
    return grid(passlib=PASSLIB, bcrypt=BCRYPT, scheme=SCHEMES, length=(8, 72, 73))
