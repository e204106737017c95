"""Fill in a template that a user wrote."""

import json
import string
import sys


def run(config: dict) -> None:
    string.Template(config["text"]).substitute(name=config["name"], total=config["total"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
