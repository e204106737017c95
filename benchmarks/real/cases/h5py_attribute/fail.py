"""Save a calibration curve as an attribute of a data set."""

import io
import json
import sys

import h5py
import numpy


def run(config: dict) -> None:
    with h5py.File(io.BytesIO(), "w", libver=config["libver"]) as file:
        compression = "gzip" if config["compress"] else None
        data = file.create_dataset("data", data=numpy.zeros(config["samples"]), compression=compression)
        data.attrs["calibration"] = numpy.zeros(config["count"], config["dtype"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
