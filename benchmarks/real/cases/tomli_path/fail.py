"""Write a path into a configuration and read it again."""

import json
import sys

import tomli


class LostPath(Exception):
    """The path cannot be read, or is another one."""


def run(config: dict) -> None:
    quote = '"' if config["quotes"] == "double" else "'"
    document = f"{config['key']} = {quote}{config['path']}{quote}\n"
    try:
        value = tomli.loads(document)
    except tomli.TOMLDecodeError as error:
        raise LostPath(str(error)) from error
    for part in config["key"].split("."):
        value = value[part]
    if value != config["path"]:
        raise LostPath(repr(value))


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
