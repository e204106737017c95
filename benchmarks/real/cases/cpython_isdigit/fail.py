"""Read a quantity only if it consists of digits."""

import json
import sys


def run(config: dict) -> None:
    if config["quantity"].isdigit():
        int(config["quantity"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
