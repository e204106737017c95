"""Write a text and read it back."""

import json
import sys

import toml

PLACES = {"alone": "{}", "start": "{}ab", "middle": "a{}b", "end": "ab{}"}


class OtherText(Exception):
    """Another text was read."""


def run(config: dict) -> None:
    text = PLACES[config["place"]].format(chr(config["code"]))
    back = toml.loads(toml.dumps({"name": text}))["name"]
    if back != text:
        raise OtherText(back)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
