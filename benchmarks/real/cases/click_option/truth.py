"""Flags, counters, prompts and several values exclude each other in part."""

import random

from real.points import Point, grid

SOURCE = "click documentation, Options; core.py of click 8.1.8, Option: TypeError"
PACKAGES = ["click==8.1.8"]
KIND = "options"
CONDITION = (
    "nargs = -1; or flag_value is given, with prompt or switch_off; or prompt and hide_input, with is_flag or "
    "switch_off; or count, with multiple, is_flag, switch_off or flag_value"
)


def fails(config: Point) -> bool:
    valued = config["flag_value"] != "none"
    flag = config["is_flag"] or config["switch_off"] or valued
    if config["nargs"] == -1 or (valued and (config["prompt"] or config["switch_off"])):
        return True
    if flag and config["prompt"] and config["hide_input"]:
        return True
    return bool(config["count"] and (flag or config["multiple"]))


def points(rng: random.Random) -> list[Point]:
    names = ("is_flag", "switch_off", "multiple", "count", "prompt", "hide_input", "required")
    switches = dict.fromkeys(names, (False, True))
    return grid(flag_value=("none", "upper"), nargs=(-1, 1, 2), **switches)
