"""Write a date and read it back."""

import datetime
import json
import sys


class OtherDate(Exception):
    """Another date was read."""


def run(config: dict) -> None:
    date = datetime.date(config["year"], config["month"], config["day"])
    back = datetime.datetime.strptime(date.strftime(config["format"]), config["format"]).date()
    if back != date:
        raise OtherDate(back)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
