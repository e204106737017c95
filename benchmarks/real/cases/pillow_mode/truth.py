"""Not every format knows every mode."""

import random

from real.points import Point, grid

SOURCE = "https://pillow.readthedocs.io/en/stable/handbook/image-file-formats.html"
PACKAGES = ["Pillow==9.4.0"]
KIND = "options"
CONDITION = (
    "PNG: CMYK, F, YCbCr, HSV; JPEG: P, RGBA, LA, I, F, HSV; BMP: CMYK, LA, I, F, YCbCr, HSV; TIFF: HSV; PPM: P, "
    "CMYK, LA, F, YCbCr, HSV; WEBP: none"
)
REFUSED = {
    "PNG": {"CMYK", "F", "YCbCr", "HSV"},
    "JPEG": {"P", "RGBA", "LA", "I", "F", "HSV"},
    "BMP": {"CMYK", "LA", "I", "F", "YCbCr", "HSV"},
    "TIFF": {"HSV"},
    "PPM": {"P", "CMYK", "LA", "F", "YCbCr", "HSV"},
    "WEBP": set[str](),
}


def fails(config: Point) -> bool:
    return config["mode"] in REFUSED[config["format"]]


def points(rng: random.Random) -> list[Point]:
    modes = ("1", "L", "P", "RGB", "RGBA", "CMYK", "LA", "I", "F", "YCbCr", "HSV")
    return grid(format=REFUSED, mode=modes, width=range(1, 9), height=range(1, 9))
