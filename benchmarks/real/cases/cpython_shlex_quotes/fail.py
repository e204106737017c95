"""Split a command line into words."""

import json
import shlex
import sys


def run(config: dict) -> None:
    shlex.split(config["command"], comments=config["comments"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
