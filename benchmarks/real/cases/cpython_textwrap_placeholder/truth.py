"""The indent of the last line and the placeholder must fit into the width."""

import random

from real.points import Point, both_sides, grid

SOURCE = "CPython, textwrap.TextWrapper: ValueError 'placeholder too large for max width'"
PACKAGES: list[str] = []
KIND = "values"
CONDITION = (
    "I + P > width, where I is hanging_indent if max_lines > 1 and indent otherwise, and P the length of placeholder "
    "without leading spaces (3, 5, 28, 0)"
)


def fails(config: Point) -> bool:
    indent = config["hanging_indent"] if config["max_lines"] > 1 else config["indent"]
    return bool(indent + len(config["placeholder"].lstrip()) > config["width"])


def points(rng: random.Random) -> list[Point]:
    placeholders = ("...", " [...]", " (continued on the next page)", "")
    sizes = (0, 1, 4, 8, 13, 20, 27, 33, 40)
    widths = (1, 2, 3, 4, 5, 6, 9, 13, 20, 28, 29, 35, 41, 50, 68, 69, 100)
    found = grid(
        width=widths,
        indent=sizes,
        hanging_indent=sizes,
        placeholder=placeholders,
        max_lines=(1, 2, 20),
        break_long_words=(True,),
    )
    found = [{**point, "break_long_words": rng.random() < 0.5} for point in rng.sample(found, 8000)]
    return [*found, *both_sides(fails, found, rng, 3000)]
