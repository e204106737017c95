"""Find the next date on a day of the month, every few months."""

import datetime
import json
import sys
from pathlib import Path

from dateutil.rrule import MONTHLY, rrule

sys.path.append(str(Path(__file__).parents[2]))

from steps import limit_calls

MAX_CALLS = 20_000


def run(config: dict) -> None:
    start = datetime.datetime(2024, config["month"], 1, config["hour"])
    rule = rrule(MONTHLY, dtstart=start, interval=config["interval"], bymonthday=config["day"])
    limit_calls(lambda: next(iter(rule), None), MAX_CALLS)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
