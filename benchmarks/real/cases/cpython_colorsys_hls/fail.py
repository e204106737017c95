"""Convert a colour to another model and back."""

import colorsys
import json
import sys


class OtherColour(Exception):
    """The colour has changed."""


def run(config: dict) -> None:
    colour = (config["red"], config["green"], config["blue"])
    red, green, blue = (part / 255 for part in colour)
    if config["model"] == "hls":
        back = colorsys.hls_to_rgb(*colorsys.rgb_to_hls(red, green, blue))
    else:
        back = colorsys.hsv_to_rgb(*colorsys.rgb_to_hsv(red, green, blue))
    if tuple(int(part * 255) for part in back) != colour:
        raise OtherColour(str(back))


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
