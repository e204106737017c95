"""Make a duration."""

import json
import sys

import pandas


def run(config: dict) -> None:
    pandas.Timedelta(days=config["days"], hours=config["hours"], minutes=config["minutes"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
