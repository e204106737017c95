"""Encode a document with a key of the user."""

import json
import sys

import bson


def run(config: dict) -> None:
    value = [1, 2] if config["array"] else "text"
    document = {config["key"]: value}
    bson.encode({"data": document} if config["nested"] else document, check_keys=config["check_keys"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
