"""The three delimiters must differ, but a chained comparison overlooks that those of blocks and comments are equal."""

import random

from real.points import Point, grid

SOURCE = "Jinja2 3.1.3, environment.py: assert block_start != variable_start != comment_start"
PACKAGES = ["jinja2==3.1.3", "markupsafe==2.1.5"]
KIND = "options"
CONDITION = "block_start = variable_start or variable_start = comment_start"


def fails(config: Point) -> bool:
    return config["variable_start"] in (config["block_start"], config["comment_start"])


def points(rng: random.Random) -> list[Point]:
    return grid(
        block_start=("{%", "<%", "[%", "##", "{{"),
        variable_start=("{{", "<%", "[[", "${", "{%"),
        comment_start=("{#", "<#", "##", "{%", "{{"),
        trim_blocks=(False, True),
        autoescape=(False, True),
    )
