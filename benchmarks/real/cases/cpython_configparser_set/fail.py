"""Store a setting and write the file."""

import configparser
import io
import json
import sys


def run(config: dict) -> None:
    parser = configparser.ConfigParser()
    parser["server"] = {"home": "/srv"}
    parser["server"][config["option"]] = config["value"]
    parser.write(io.StringIO(), space_around_delimiters=config["spaces"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
