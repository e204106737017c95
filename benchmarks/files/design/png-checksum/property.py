"""Decode with two decoders that disagree."""

import sys

import png
from PIL import Image


def judge(path: str) -> int:
    try:
        with Image.open(path, formats=["PNG"]) as image:
            image.load()
    except (OSError, SyntaxError, ValueError):
        return 0
    try:
        _, _, rows, _ = png.Reader(path).asRGBA()
        list(rows)
    except png.Error:
        return 1
    except Exception:
        return 125
    return 0


if __name__ == "__main__":
    sys.exit(judge(sys.argv[1]))
