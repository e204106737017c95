"""Read the time stamp of a message, in the unit of its sender."""

import json
import os
import sys
import time

os.environ["TZ"] = "UTC"
time.tzset()

import arrow  # noqa: E402  (its largest time stamp depends on the zone)

PER_SECOND = {"s": 1, "ms": 1000, "us": 1_000_000}


class OtherTime(Exception):
    """The time is not that of the sender."""


def run(config: dict) -> None:
    moment = arrow.get(config["seconds"] * PER_SECOND[config["unit"]])
    text = moment.format(config["format"], locale=config["locale"])
    if moment.int_timestamp != config["seconds"]:
        raise OtherTime(text)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
