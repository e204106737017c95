"""Prepare a request with a header of its own."""

import json
import sys

import requests


def run(config: dict) -> None:
    headers = {config["header"]: config["value"]}
    requests.Request(config["method"], "https://example.com/", headers=headers).prepare()


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
