"""Move an appointment of January to another month."""

import json
import sys
from datetime import datetime


def run(config: dict) -> None:
    datetime(config["year"], 1, config["day"], config["hour"]).replace(month=config["month"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
