"""Read a YAML document with a value. A document that is not YAML is refused properly, with a YAMLError."""

import contextlib
import json
import sys

import yaml


def run(config: dict) -> None:
    value = json.dumps(config["value"]) if config["quoted"] else config["value"]
    with contextlib.suppress(yaml.YAMLError):
        yaml.safe_load(f"version: {value}")


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
