"""Write a property list."""

import json
import plistlib
import sys


def run(config: dict) -> None:
    kind = plistlib.FMT_XML if config["format"] == "xml" else plistlib.FMT_BINARY
    plistlib.dumps({config["key"]: config["value"]}, fmt=kind, sort_keys=config["sort_keys"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
