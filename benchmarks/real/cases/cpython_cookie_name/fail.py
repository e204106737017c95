"""Set a cookie."""

import json
import sys
from http.cookies import SimpleCookie


def run(config: dict) -> None:
    cookie = SimpleCookie()
    cookie[config["name"]] = config["value"]
    cookie[config["name"]]["max-age"] = config["max_age"]
    cookie[config["name"]]["secure"] = config["secure"]
    cookie.output()


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
