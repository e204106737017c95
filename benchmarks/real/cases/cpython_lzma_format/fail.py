"""Compress a text with LZMA."""

import json
import lzma
import sys

FILTERS = {
    "none": None,
    "lzma1": [{"id": lzma.FILTER_LZMA1, "dict_size": 65536}],
    "lzma2": [{"id": lzma.FILTER_LZMA2, "dict_size": 65536}],
    "delta+lzma2": [{"id": lzma.FILTER_DELTA, "dist": 4}, {"id": lzma.FILTER_LZMA2, "dict_size": 65536}],
}


class CannotCompress(Exception):
    """The options do not fit together."""


def run(config: dict) -> None:
    preset = None if config["preset"] == "none" else int(config["preset"])
    check = -1 if config["check"] == "default" else getattr(lzma, f"CHECK_{config['check']}")
    try:
        lzma.compress(
            b"hello " * config["repeat"],
            format=getattr(lzma, f"FORMAT_{config['format']}"),
            check=check,
            preset=preset,
            filters=FILTERS[config["filters"]],
        )
    except (ValueError, lzma.LZMAError) as error:
        raise CannotCompress(str(error)) from error


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
