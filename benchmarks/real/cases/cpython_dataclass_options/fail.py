"""Define a data class."""

import dataclasses
import json
import sys

DEFAULTS = {"number": 1, "list": []}
FLAGS = ("init", "eq", "order", "unsafe_hash", "frozen", "slots", "weakref_slot", "kw_only")


def run(config: dict) -> None:
    body: dict = {"__annotations__": {"a": object, "b": object}}
    for name, default in (("a", config["first_default"]), ("b", config["second_default"])):
        if default != "none":
            body[name] = DEFAULTS[default]
    dataclasses.dataclass(**{flag: config[flag] for flag in FLAGS})(type("Record", (), body))


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
