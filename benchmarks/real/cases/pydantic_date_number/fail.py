"""Validate a date that is given as a number: seconds since 1970."""

import datetime
import json
import sys

from pydantic import TypeAdapter

DATE = TypeAdapter(datetime.date)


def run(config: dict) -> None:
    DATE.validate_python(config["value"], strict=config["strict"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
