"""Write a name and a version into a file name and find them again."""

import json
import sys

import parse

FORMAT = "{name}-{version}"


class LostFields(Exception):
    """Other fields were found, or none."""


def run(config: dict) -> None:
    fields = {"name": config["name"], "version": config["version"]}
    found = parse.parse(FORMAT, FORMAT.format(**fields), case_sensitive=config["case_sensitive"])
    if found is None or found.named != fields:
        raise LostFields(str(found))


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
