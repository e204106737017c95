"""Save a small image."""

import io
import json
import sys

from PIL import Image


def run(config: dict) -> None:
    image = Image.new(config["mode"], (config["width"], config["height"]))
    image.save(io.BytesIO(), config["format"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
