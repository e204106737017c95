"""Ask when a job ran last."""

import datetime
import json
import sys

import croniter


def run(config: dict) -> None:
    now = datetime.datetime(config["year"], config["month"], config["day"], 12)
    croniter.croniter(config["expression"], now).get_prev(datetime.datetime)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
