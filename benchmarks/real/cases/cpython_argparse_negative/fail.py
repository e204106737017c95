"""Pass a value, which may begin with a minus sign, to an option."""

import argparse
import json
import sys


def run(config: dict) -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("-o", "--offset")
    if config["separator"] == "equals":
        arguments = [f"{config['option']}={config['value']}"]
    else:
        arguments = [config["option"], config["value"]]
    parser.parse_args(arguments)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
