"""An input needs a stream of its own, and so does captured output."""

import random

from real.points import Point, grid

SOURCE = "CPython documentation, subprocess.run: stdin may not be used with input, nor stdout or stderr if captured"
PACKAGES: list[str] = []
KIND = "options"
CONDITION = "input and stdin is not none; or capture_output, and stdout or stderr is not none"


def fails(config: Point) -> bool:
    if config["input"] and config["stdin"] != "none":
        return True
    return config["capture_output"] and (config["stdout"] != "none" or config["stderr"] != "none")


def points(rng: random.Random) -> list[Point]:
    flags = (False, True)
    return grid(
        input=flags,
        stdin=("none", "pipe", "devnull"),
        capture_output=flags,
        stdout=("none", "pipe", "devnull"),
        stderr=("none", "pipe", "stdout"),
        text=flags,
        check=flags,
    )
