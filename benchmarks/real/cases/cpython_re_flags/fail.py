"""Compile a regular expression."""

import json
import re
import sys


def run(config: dict) -> None:
    flags = re.NOFLAG
    for name in ("ASCII", "UNICODE", "LOCALE", "IGNORECASE", "MULTILINE", "DOTALL", "VERBOSE"):
        if config[name]:
            flags |= re.RegexFlag[name]
    re.compile(r"\w+" if config["pattern"] == "text" else rb"\w+", flags)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
