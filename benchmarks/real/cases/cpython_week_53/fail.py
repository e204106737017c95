"""Turn a year, a week and a weekday into a date."""

import datetime
import json
import sys


def run(config: dict) -> None:
    datetime.date.fromisocalendar(config["year"], config["week"], config["weekday"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
