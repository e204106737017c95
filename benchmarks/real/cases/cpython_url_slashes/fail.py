"""Split a URL and put it together again."""

import json
import sys
from urllib.parse import urlsplit, urlunsplit


class OtherUrl(Exception):
    """The URL has changed."""


def run(config: dict) -> None:
    scheme = config["scheme"] + ":" if config["scheme"] else ""
    url = scheme + "/" * config["slashes"] + config["path"] + config["query"] + config["fragment"]
    again = urlunsplit(urlsplit(url))
    if again != url:
        raise OtherUrl(again)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
