"""Encode the name of a host."""

import json
import sys

import idna


class InvalidHost(Exception):
    """The name is refused."""


def run(config: dict) -> None:
    try:
        idna.encode(config["host"], strict=config["strict"])
    except idna.IDNAError as error:
        raise InvalidHost(str(error)) from error


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
