"""Make a range of dates."""

import json
import sys

import pandas


def run(config: dict) -> None:
    start, end, periods, freq, tz = (
        None if config[name] == "none" else config[name] for name in ("start", "end", "periods", "freq", "tz")
    )
    pandas.date_range(
        start,
        end,
        periods=None if periods is None else int(periods),
        freq=freq,
        tz=tz,
        normalize=config["normalize"],
        inclusive=config["inclusive"],
    )


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
