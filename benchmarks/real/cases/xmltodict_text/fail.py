"""Write a note as XML and read it again."""

import json
import sys

import xmltodict


class LostText(Exception):
    """The text cannot be read, or is another one."""


def run(config: dict) -> None:
    key = "@note" if config["attribute"] else "note"
    document = xmltodict.unparse({"root": {key: config["text"]}}, pretty=config["pretty"])
    try:
        found = xmltodict.parse(document)["root"][key]
    except xmltodict.expat.ExpatError as error:
        raise LostText(str(error)) from error
    if found != config["text"]:
        raise LostText(repr(found))


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
