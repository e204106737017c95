"""Configure logging."""

import json
import logging
import os
import sys


def run(config: dict) -> None:
    options = {"style": config["style"], "format": config["format"], "level": config["level"], "force": True}
    if config["filename"]:
        options["filename"] = os.devnull
    if config["stream"]:
        options["stream"] = sys.stderr
    if config["handlers"]:
        options["handlers"] = [logging.NullHandler()]
    try:
        logging.basicConfig(**options)
    finally:
        root = logging.getLogger()
        for handler in list(root.handlers):
            root.removeHandler(handler)
            handler.close()
        root.setLevel(logging.WARNING)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
