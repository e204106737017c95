"""Look at the numbers that follow a header."""

import json
import sys


def run(config: dict) -> None:
    data = memoryview(bytes([config["fill"]]) * config["length"])
    data[config["header"] :].cast(config["code"]).tolist()


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
