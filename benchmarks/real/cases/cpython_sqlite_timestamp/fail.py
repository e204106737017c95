"""Read a time stamp from a database with detect_types, as the column type TIMESTAMP does."""

import json
import sqlite3
import sys


def run(config: dict) -> None:
    fraction = "." + "123456789"[: config["digits"]] if config["digits"] else ""
    text = f"2024-05-06{config['separator']}{config['hour']:02}:08:09{fraction}{config['offset']}"
    database = sqlite3.connect(":memory:", detect_types=sqlite3.PARSE_DECLTYPES)
    database.execute("create table event (at timestamp)")
    database.execute("insert into event values (?)", [text])
    database.execute("select at from event").fetchone()
    database.close()


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
