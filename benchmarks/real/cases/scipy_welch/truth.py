"""A segment is shortened to the recording. It must be longer than the overlap and no longer than the transform."""

import random

from real.points import Point, both_sides

SOURCE = "SciPy, welch: noverlap must be less than nperseg; nfft must be greater than or equal to nperseg"
PACKAGES = ["scipy==1.11.4", "numpy==1.26.4"]
KIND = "values"
CONDITION = "overlap >= min(segment, samples), or fft_length < min(segment, samples)"


def fails(config: Point) -> bool:
    segment = min(config["segment"], config["samples"])
    return bool(config["overlap"] >= segment or config["fft_length"] < segment)


def points(rng: random.Random) -> list[Point]:
    found = []
    for _ in range(6000):
        segment = rng.choice((rng.randint(1, 512), 2 ** rng.randint(0, 9)))
        samples = rng.choice((rng.randint(1, 2000), rng.randint(1, 600), segment + rng.randint(-2, 2)))
        used = min(segment, samples)
        overlap = rng.choice((0, rng.randint(0, 256), segment // 2, used + rng.randint(-2, 2)))
        fft_length = rng.choice((rng.randint(1, 1024), 1024, used + rng.randint(-2, 2)))
        found.append(
            {
                "samples": max(1, samples),
                "segment": segment,
                "overlap": min(256, max(0, overlap)),
                "fft_length": min(1024, max(1, fft_length)),
                "window": rng.choice(("hann", "hamming", "boxcar")),
            }
        )
    return [*found, *both_sides(fails, found, rng, 2000)]
