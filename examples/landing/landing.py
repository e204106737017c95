"""The end of an automatic landing: decide whether the plane flares, and whether it is allowed to.

    python3 landing.py plane.json

The file has all parameters and measurements of the plane. Exit code 1 if it flares where it must not: above
LAND_FLARE_ALT and before half of the way to the landing point. LANDING=repaired uses the code after the fix.
"""

import json
import os
import sys


def flares_before(plane):
    """Return True if the plane pulls up its nose and stops its motor. Heights in metres, times in seconds."""
    return plane["height"] <= plane["LAND_FLARE_ALT"] or soon_down(plane)


def flares_after(plane):
    half_way = plane["wp_proportion"] > 0.5
    return plane["height"] <= plane["LAND_FLARE_ALT"] or (soon_down(plane) and half_way)


def soon_down(plane):
    """Return True if the plane would reach the ground within LAND_FLARE_SEC at its current sink rate."""
    seconds = plane["LAND_FLARE_SEC"]
    return seconds > 0 and plane["height"] <= plane["sink_rate"] * seconds


def may_flare(plane):
    """The requirement: return True if the plane is allowed to flare."""
    return plane["height"] <= plane["LAND_FLARE_ALT"] or plane["wp_proportion"] > 0.5


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        plane = json.load(file)
    flares = flares_after if os.environ.get("LANDING") == "repaired" else flares_before
    if flares(plane) and not may_flare(plane):
        sys.exit("flared too early")
