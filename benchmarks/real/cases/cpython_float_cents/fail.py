"""Read a price as a float and turn it into cents."""

import json
import sys


def run(config: dict) -> None:
    price = float(f"{config['cents'] // 100}.{config['cents'] % 100:02}")
    assert int(price * 100) == config["cents"], price


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
