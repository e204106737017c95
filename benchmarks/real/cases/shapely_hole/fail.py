"""Make a plate with a hole; the shape should be valid."""

import json
import sys

from shapely.geometry import Polygon, box
from shapely.validation import explain_validity


class InvalidShape(Exception):
    """The polygon is not valid."""


def run(config: dict) -> None:
    x, y = config["hole_x"], config["hole_y"]
    plate = box(0, 0, config["width"], config["height"])
    hole = box(x, y, x + config["hole_width"], y + config["hole_height"])
    shape = Polygon(plate.exterior.coords, [hole.exterior.coords])
    if not shape.is_valid:
        raise InvalidShape(explain_validity(shape))


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
