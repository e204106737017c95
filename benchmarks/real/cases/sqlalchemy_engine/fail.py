"""Make an engine with a pool of connections."""

import json
import sys

import sqlalchemy
from sqlalchemy import pool

URLS = {"memory": "sqlite://", "file": "sqlite:///data.db"}


def run(config: dict) -> None:
    given = {}
    if config["pool"] != "default":
        given["poolclass"] = getattr(pool, config["pool"])
    if config["pool_size"] > 0:
        given["pool_size"] = config["pool_size"]
    if config["max_overflow"]:
        given["max_overflow"] = 5
    if config["recycle"]:
        given["pool_recycle"] = 3600
    sqlalchemy.create_engine(URLS[config["database"]], pool_pre_ping=config["pre_ping"], **given)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
