"""Build a URL from its parts."""

import json
import sys

from yarl import URL


def run(config: dict) -> None:
    URL.build(
        scheme=config["scheme"],
        authority=config["authority"],
        user=config["user"] or None,
        host=config["host"],
        port=None if config["port"] == "none" else int(config["port"]),
        path=config["path"],
        query=None if config["query"] == "none" else {config["query"]: "1"},
        query_string=config["query_string"],
        encoded=config["encoded"],
    )


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
