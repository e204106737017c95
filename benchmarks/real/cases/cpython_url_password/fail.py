"""Split the URL of a database, as applications do with DATABASE_URL, and look at its network location."""

import json
import sys
from urllib.parse import urlsplit


class Lost(Exception):
    """The password ended the network location."""


def run(config: dict) -> None:
    place = f"{config['user']}:{config['password']}@{config['host']}:{config['port']}"
    parts = urlsplit(f"postgresql://{place}/shop")
    if parts.hostname != config["host"]:
        raise Lost(parts.netloc)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
