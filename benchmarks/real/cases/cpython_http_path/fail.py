"""Prepare a request; nothing is sent yet."""

import http.client
import json
import sys


def run(config: dict) -> None:
    connection = http.client.HTTPConnection(config["host"])
    connection.putrequest(config["method"], config["path"], skip_accept_encoding=not config["accept_encoding"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
