"""Some days do not exist, and an hour is missing when summer time begins."""

import random

from real.points import Point, grid

SOURCE = "PEP 495 and PEP 615: times in a gap; CPython documentation, datetime: ValueError"
PACKAGES = ["tzdata==2024.1"]
KIND = "two failures"
CONDITION = (
    "ValueError: the month has fewer days (29 in February); OtherTime: hour = 2, and zone = Europe/Berlin on March 31, "
    "or America/New_York on March 10, or Australia/Sydney on October 6"
)
GAPS = {"Europe/Berlin": (3, 31, 2), "America/New_York": (3, 10, 2), "Australia/Sydney": (10, 6, 2)}
SHORT = {2: 29, 4: 30, 6: 30, 9: 30, 11: 30}


def fails(config: Point) -> bool | str:
    if config["day"] > SHORT.get(config["month"], 31):
        return "ValueError"
    time = (config["month"], config["day"], config["hour"])
    return "OtherTime" if GAPS.get(config["zone"]) == time else False


def points(rng: random.Random) -> list[Point]:
    zones = (*GAPS, "Asia/Tokyo")
    found = grid(zone=zones, month=range(1, 13), day=range(1, 32), hour=(0, 1, 2, 3, 12), minute=(0,))
    found = [{**point, "minute": rng.randint(0, 59)} for point in found]
    found += grid(zone=zones, month=(3,), day=(9, 10, 11, 30, 31), hour=(1, 2, 3), minute=(0, 1, 30, 59))
    found += grid(zone=zones, month=(10,), day=(5, 6, 7, 27), hour=(1, 2, 3), minute=(0, 1, 30, 59))
    for zone, (month, day, hour) in GAPS.items():
        found += grid(zone=(zone,), month=(month,), day=(day,), hour=(hour,), minute=range(60))
        found += grid(zone=(zone,), month=(month,), day=(day,), hour=range(24), minute=(0, 30))
        found += grid(zone=(zone,), month=range(1, 13), day=(day,), hour=(hour,), minute=(0, 30))
        found += grid(zone=(zone,), month=(month,), day=range(1, 32), hour=(hour,), minute=(0, 30))
    for _ in range(2000):
        minute, hour = rng.randint(0, 59), rng.randint(0, 23)
        day, month = rng.randint(1, 31), rng.randint(1, 12)
        found.append({"zone": rng.choice(zones), "month": month, "day": day, "hour": hour, "minute": minute})
    return found
