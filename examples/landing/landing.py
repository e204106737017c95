"""The end of an automatic landing: when does the plane flare, and may it?

    python3 landing.py plane.json

The file has all parameters of the plane and what it measures. Exit code 1 if it flares where it must not: above
LAND_FLARE_ALT, and not yet half of the way to the landing point. LANDING=repaired takes the code after the fix.
"""

import json
import os
import sys


def flares_before(plane):
    """Whether the plane pulls up its nose and stops its motor. Heights are in metres, times in seconds."""
    return plane["height"] <= plane["LAND_FLARE_ALT"] or soon_down(plane)


def flares_after(plane):
    half_way = plane["wp_proportion"] > 0.5
    return plane["height"] <= plane["LAND_FLARE_ALT"] or (soon_down(plane) and half_way)


def soon_down(plane):
    """As fast as it sinks, it would be on the ground within LAND_FLARE_SEC."""
    seconds = plane["LAND_FLARE_SEC"]
    return seconds > 0 and plane["height"] <= plane["sink_rate"] * seconds


def may_flare(plane):
    """The requirement."""
    return plane["height"] <= plane["LAND_FLARE_ALT"] or plane["wp_proportion"] > 0.5


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        plane = json.load(file)
    flares = flares_after if os.environ.get("LANDING") == "repaired" else flares_before
    if flares(plane) and not may_flare(plane):
        sys.exit("flared too early")
