"""Load a SQL dump into SQLite: exit code 1, and SQLite's message, if it does not load."""

import sqlite3
import sys
from pathlib import Path

try:
    sqlite3.connect(":memory:").executescript(Path(sys.argv[1]).read_text())
except sqlite3.Error as error:
    sys.exit(f"error: {error}")
