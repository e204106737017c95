"""Store the time of a measurement in a column of a chosen unit."""

import datetime
import json
import sys

import pyarrow


def run(config: dict) -> None:
    moment = datetime.datetime(config["year"], 7, 1, config["hour"], 30, 15, config["microsecond"])
    zone = config["zone"] or None
    column = pyarrow.array([moment], pyarrow.timestamp("us", zone))
    column.cast(pyarrow.timestamp(config["unit"], zone), safe=config["safe"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
