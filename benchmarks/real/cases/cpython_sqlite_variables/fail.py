"""Insert rows into a table with one statement, or with one for each row."""

import contextlib
import json
import sqlite3
import sys

MAX_VARIABLES = 999
"""The usual limit of SQLite before version 3.32."""


def run(config: dict) -> None:
    rows, columns = config["rows"], config["columns"]
    with contextlib.closing(sqlite3.connect(":memory:")) as database:
        database.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, MAX_VARIABLES)
        names = ", ".join(f"c{column}" for column in range(columns))
        database.execute(f"CREATE TABLE readings ({names})")
        if config["index"]:
            database.execute("CREATE INDEX by_first ON readings (c0)")
        places = f"({', '.join('?' * columns)})"
        if config["one_statement"]:
            values = ", ".join([places] * rows)
            database.execute(f"INSERT INTO readings VALUES {values}", [1.5] * (rows * columns))
        else:
            database.executemany(f"INSERT INTO readings VALUES {places}", [[1.5] * columns] * rows)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
