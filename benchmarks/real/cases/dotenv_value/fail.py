"""Write a setting into an .env file and read it."""

import io
import json
import sys

import dotenv


class LostValue(Exception):
    """The value that was read is another one."""


def run(config: dict) -> None:
    line = f"{'export ' if config['export'] else ''}{config['name']}={config['value']}\n"
    value = dotenv.dotenv_values(stream=io.StringIO(line)).get(config["name"])
    if value != config["value"]:
        raise LostValue(repr(value))


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
