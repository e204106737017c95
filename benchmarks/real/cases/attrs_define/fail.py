"""Define a class."""

import json
import sys

import attrs


def run(config: dict) -> None:
    options = {name: value for name, value in config.items() if name != "unsafe_hash"}
    if config["unsafe_hash"] != "unset":
        options["unsafe_hash"] = config["unsafe_hash"] == "on"

    @attrs.define(**options)
    class Point:
        x: int
        y: int = 0


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
