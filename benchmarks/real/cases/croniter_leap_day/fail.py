"""Ask when a job ran last, and compare with the days that lie behind."""

import datetime
import json
import sys

import croniter


class OtherDay(Exception):
    """It did not run then, or it ran later, too."""


def run(config: dict) -> None:
    now = datetime.datetime(config["year"], config["month"], config["day"], 12)
    expression = f"0 0 {config['day_of_month']} {config['months']} *"
    last = croniter.croniter(expression, now).get_prev(datetime.datetime)
    day = now.replace(hour=0)
    while day.day != config["day_of_month"] or (config["months"] == "2" and day.month != 2):
        day -= datetime.timedelta(days=1)
    if last != day:
        raise OtherDay(last)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
