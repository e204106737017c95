"""Some parts exclude or need each other."""

import random

from real.points import Point, grid

SOURCE = "yarl documentation, URL.build; _url.py of yarl 1.9.4: ValueError"
PACKAGES = ["yarl==1.9.4"]
KIND = "options"
CONDITION = (
    "authority with user, host or port; or port without host; or query with query_string; "
    "or path = data with host, unless encoded"
)


def fails(config: Point) -> bool:
    host, port = bool(config["host"]), config["port"] != "none"
    if config["authority"] and (config["user"] or host or port):
        return True
    if (port and not host) or (config["query"] != "none" and config["query_string"]):
        return True
    return host and config["path"] == "data" and not config["encoded"]


def points(rng: random.Random) -> list[Point]:
    return grid(
        scheme=("", "http", "https"),
        authority=("", "example.org:81"),
        user=("", "me"),
        host=("", "example.com"),
        port=("none", "8080"),
        path=("", "/data", "data"),
        query=("none", "page"),
        query_string=("", "sort=name"),
        encoded=(False, True),
    )
