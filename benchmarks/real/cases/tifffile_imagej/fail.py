"""Write a colour image as TIFF."""

import io
import json
import sys
import warnings

import numpy
import tifffile


def run(config: dict) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tifffile.imwrite(
            io.BytesIO(),
            numpy.zeros((16, 16, 3), config["dtype"]),
            imagej=config["imagej"],
            photometric=None if config["photometric"] == "none" else config["photometric"],
            planarconfig=None if config["planarconfig"] == "none" else config["planarconfig"],
            compression="zlib" if config["compress"] else None,
            bigtiff=config["bigtiff"],
        )


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
