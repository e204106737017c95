"""Look up a key in a document."""

import json
import sys

import jmespath


class LostKey(Exception):
    """The value was not found."""


def run(config: dict) -> None:
    key, value = config["key"], {"id": config["number"]}
    document = {"data": {key: value}} if config["nested"] else {key: value}
    try:
        found = jmespath.search(f"data.{key}" if config["nested"] else key, document)
    except jmespath.exceptions.JMESPathError as error:
        raise LostKey(str(error)) from error
    if found is not value:
        raise LostKey(repr(found))


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
