"""Each format has its own largest side."""

import random

from real.points import Point, beside, grid

SOURCE = "https://pillow.readthedocs.io/en/stable/handbook/image-file-formats.html; limits of libwebp and libjpeg"
PACKAGES = ["Pillow==9.4.0"]
KIND = "values"
CONDITION = "format = WEBP and length > 16383, or format = JPEG and length > 65500, or format = GIF and length > 65535"
LIMITS = {"WEBP": 16383, "JPEG": 65500, "GIF": 65535}


def fails(config: Point) -> bool:
    return config["length"] > LIMITS.get(config["format"], 80000)


def points(rng: random.Random) -> list[Point]:
    lengths = [1, 2, 32767, 32768, 80000, *beside(*LIMITS.values(), far=3)]
    lengths += [rng.randrange(1, 80001) for _ in range(40)]
    formats = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF")
    return grid(format=formats, length=lengths, portrait=(False, True), grey=(False, True))
