"""Draw some of the numbers of a range, without repetition."""

import json
import random
import sys


def run(config: dict) -> None:
    numbers = range(config["start"], config["stop"], config["step"])
    random.Random(config["seed"]).sample(numbers, config["count"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
