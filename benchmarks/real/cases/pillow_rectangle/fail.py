"""Draw a box around something that was detected."""

import json
import sys

from PIL import Image, ImageDraw


def run(config: dict) -> None:
    corners = [config[name] for name in ("left", "top", "right", "bottom")]
    draw = ImageDraw.Draw(Image.new("RGB", (256, 256)))
    draw.rectangle(corners, fill="red" if config["fill"] else None, outline="blue", width=config["width"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
