"""Read which versions a project needs."""

import json
import sys

from packaging.specifiers import SpecifierSet


def run(config: dict) -> None:
    version = ".".join("12345"[: config["numbers"]]) + config["suffix"]
    epoch = "1!" if config["epoch"] else ""
    SpecifierSet(f"{config['operator']}{' ' if config['space'] else ''}{epoch}{version}")


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
