"""Add the numbers of each REAL column with SQLite and exactly."""

import sqlite3
import sys
from decimal import Decimal


def judge(path: str) -> int:
    with open(path, encoding="utf-8") as file:
        script = file.read()
    database = sqlite3.connect(":memory:")
    try:
        database.executescript(script)
    except sqlite3.Error:
        return 0
    for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        for _, column, kind, *_ in database.execute(f'PRAGMA table_info("{table}")').fetchall():
            if kind == "REAL" and is_wrong(database, table, column):
                return 1
    return 0


def is_wrong(database: sqlite3.Connection, table: str, column: str) -> bool:
    numbers = [row[0] for row in database.execute(f'SELECT "{column}" FROM "{table}"')]
    if any(not isinstance(number, float) for number in numbers) or not numbers:
        return False
    [total] = database.execute(f'SELECT sum("{column}") FROM "{table}"').fetchone()
    return Decimal(repr(total)) != sum(Decimal(repr(number)) for number in numbers)


if __name__ == "__main__":
    sys.exit(judge(sys.argv[1]))
