"""Each side needs one key, cross joins none, and validation wants unique keys."""

import random

from real.points import Point, grid

SOURCE = "pandas 1.5 documentation, merge: MergeError; merge.py, _validate_left_right_on and _validate"
PACKAGES = ["numpy==1.26.4", "pandas==1.5.3"]
KIND = "options"
CONDITION = (
    "how = cross, and anything is given among on, left_on, right_on, left_index, right_index and validate; or how is "
    "not cross, and: on is given together with one of the other four; or left_on together with left_index; or right_on "
    "together with right_index and without left_on; or one side has a key and the other has none; or validate = "
    "one_to_one, and there is no right_on and no right_index (customers are repeated in the orders)"
)


def fails(config: Point) -> bool:
    on, left_on, right_on = (config[name] != "none" for name in ("on", "left_on", "right_on"))
    left_index, right_index = config["left_index"], config["right_index"]
    others = left_on or right_on or left_index or right_index
    if config["how"] == "cross":
        return bool(on or others or config["validate"] != "none")
    if on and others:
        return True
    if (left_on and left_index) or (right_on and right_index and not left_on):
        return True
    if (left_on or left_index) != (right_on or right_index):
        return True
    return config["validate"] == "one_to_one" and not (right_on or right_index)


def points(rng: random.Random) -> list[Point]:
    return grid(
        how=("inner", "left", "right", "outer", "cross"),
        on=("none", "customer"),
        left_on=("none", "customer"),
        right_on=("none", "payer"),
        left_index=(False, True),
        right_index=(False, True),
        validate=("none", "one_to_one", "one_to_many"),
        indicator=(False, True),
    )
