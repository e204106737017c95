"""Save a long and narrow image."""

import io
import json
import sys

from PIL import Image


def run(config: dict) -> None:
    size = (1, config["length"]) if config["portrait"] else (config["length"], 1)
    image = Image.new("L" if config["grey"] else "RGB", size)
    try:
        image.save(io.BytesIO(), config["format"])
    except Exception as error:
        raise RuntimeError(f"cannot save: {error}") from error


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
