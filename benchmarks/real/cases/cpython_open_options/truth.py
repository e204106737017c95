"""Binary files have no encoding and no newlines, texts are buffered, and some modes do not exist."""

import random

from real.points import Point, grid

SOURCE = "CPython documentation, open: ValueError and LookupError"
PACKAGES: list[str] = []
PYTHON = ((3, 11), (4,))
KIND = "two failures"
MODES = ("r", "w", "a", "rb", "wb", "r+", "rw", "rU")
CONDITION = (
    "ValueError: mode is rw or rU, or closefd is off, or mode is rb or wb and encoding or newline is given, or mode is "
    "a text mode and buffering = 0 or newline is \\n\\r; LookupError: otherwise, if encoding = utf8mb4"
)


def fails(config: Point) -> bool | str:
    given = config["encoding"] != "none" or config["newline"] != "none"
    binary = config["mode"] in ("rb", "wb")
    if config["mode"] in ("rw", "rU") or not config["closefd"] or (binary and given):
        return "ValueError"
    if not binary and (config["buffering"] == 0 or config["newline"] == "\n\r"):
        return "ValueError"
    return "LookupError" if config["encoding"] == "utf8mb4" else False


def points(rng: random.Random) -> list[Point]:
    return grid(
        mode=MODES,
        buffering=(-1, 0, 1, 4096),
        encoding=("none", "utf-8", "latin-1", "utf8mb4"),
        newline=("none", "", "\n", "\r\n", "\n\r"),
        closefd=(False, True),
    )
