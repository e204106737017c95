"""Read a colour."""

import json
import sys

import webcolors


def run(config: dict) -> None:
    function = webcolors.hex_to_rgb_percent if config["percent"] else webcolors.hex_to_rgb
    red, green, blue = function(config["color"])
    f"{red} {green} {blue} / {config['opacity']}%"


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
