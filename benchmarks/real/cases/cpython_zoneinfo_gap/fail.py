"""Store an appointment of the year 2024 in UTC, and show it again."""

import json
import sys
from datetime import UTC, datetime
from zoneinfo import ZoneInfo


class OtherTime(Exception):
    """The appointment is shown at another time."""


def run(config: dict) -> None:
    zone = ZoneInfo(config["zone"])
    time = datetime(2024, config["month"], config["day"], config["hour"], config["minute"], tzinfo=zone)
    shown = time.astimezone(UTC).astimezone(zone)
    if shown.replace(tzinfo=None) != time.replace(tzinfo=None):
        raise OtherTime(f"{shown} instead of {time}")


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
