"""Validate a number against multipleOf: it is valid or not, but nothing may crash."""

import contextlib
import json
import sys

import jsonschema


def run(config: dict) -> None:
    with contextlib.suppress(jsonschema.ValidationError):
        jsonschema.validate(config["x"], {"multipleOf": config["multiple"]})


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
