"""FLAC has at most 8 channels; MP3 has at most 2, and no rate above 48 kHz."""

import random

from real.points import Point, grid

SOURCE = "libsndfile documentation, formats; RFC 9639, 8 channels of FLAC; ISO 11172-3 and 13818-3, rates of MP3"
PACKAGES = ["numpy==1.26.4", "soundfile==0.13.1"]
KIND = "options"
CONDITION = "format = FLAC and channels > 8; or format = MP3, and channels > 2 or rate > 48000"


def fails(config: Point) -> bool:
    if config["format"] == "MP3":
        return config["channels"] > 2 or config["rate"] > 48000
    return config["format"] == "FLAC" and config["channels"] > 8


def points(rng: random.Random) -> list[Point]:
    choices = grid(
        format=("WAV", "FLAC", "OGG", "MP3", "AIFF"),
        rate=(8000, 16000, 22050, 44100, 48000, 96000, 192000),
        channels=range(1, 13),
    )
    return [
        {**choice, "frames": rng.choice((0, 1, rng.randint(0, 50))), "dtype": dtype}
        for choice in choices
        for dtype in ("int16", "float32", "float64")
        for _ in range(4)
    ]
