"""Intersect the features of a map: no two countries share an area."""

import itertools
import json
import sys

import shapely
from shapely.geometry import shape

MIN_AREA = 1e-3
"""Of an overlap, in square degrees: smaller ones are borders that do not match."""


def judge(path: str) -> int:
    try:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
        if content["type"] != "FeatureCollection":
            return 125
        areas = [shape(feature["geometry"]) for feature in content["features"]]
        valid = [area for area in areas if area.is_valid]
        return int(any(one.intersection(two).area > MIN_AREA for one, two in itertools.combinations(valid, 2)))
    except (ValueError, LookupError, TypeError, AttributeError, shapely.errors.ShapelyError):
        return 125


if __name__ == "__main__":
    sys.exit(judge(sys.argv[1]))
