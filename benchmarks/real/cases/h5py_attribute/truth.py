"""In the format of HDF5 before 1.8, an attribute is part of the object header, in a message of at most 64 KiB."""

import random

from real.points import Point, beside, both_sides

SOURCE = (
    "h5py documentation, Attributes: should be small (generally < 64k); HDF5 cookbook, Creating Large HDF5 Attributes"
)
PACKAGES = ["h5py==3.12.1", "numpy==1.26.4"]
KIND = "values"
CONDITION = "libver = earliest, and count > 65471 (uint8), 32735 (int16), 16365 (float32) or 8182 (float64)"
MOST = {"uint8": 65471, "int16": 32735, "float32": 16365, "float64": 8182}
"""The values that fit into 64 KiB together with the description of their type."""
LIBVERS = ("earliest", "v108", "v110", "latest")


def fails(config: Point) -> bool:
    return config["libver"] == "earliest" and config["count"] > MOST[config["dtype"]]


def points(rng: random.Random) -> list[Point]:
    counts = beside(*MOST.values(), far=3)
    found = [
        {
            "samples": rng.randint(1, 2000),
            "compress": rng.random() < 0.5,
            "count": rng.choice((rng.choice(counts), rng.randint(1, 100_000), rng.randint(1, 10_000))),
            "dtype": rng.choice(tuple(MOST)),
            "libver": rng.choice(("earliest", rng.choice(LIBVERS))),
        }
        for _ in range(5000)
    ]
    return [*found, *both_sides(fails, found, rng, 1500)]
