"""Rows of tables: their cells, and what a test environment noted in them."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping

from rootward.formats.recordings.frame import Comment

MARK_COLUMNS, COMMENT_COLUMNS = ("mark", "error"), ("verdict", "comment")
"""Columns of the test environment: whatever is in the first marks an error; in the others, the words decide."""
_UNMARKED = frozenset({"", "0", "-", "no", "none", "false", "ok", "pass", "passed"})


def split_cells(line: str) -> list[str]:
    """Split one line into cells. Each line is parsed separately, so that an unclosed quote cannot swallow the rest of
    the file."""
    if '"' not in line:
        return line.split(",")
    try:
        return next(csv.reader([line]), [])
    except csv.Error:
        return []


def row_comments(row: Mapping[str, object], time: int, number: int) -> Iterator[Comment]:
    """Yield what the test environment noted in a row."""
    for column in (*MARK_COLUMNS, *COMMENT_COLUMNS):
        value = row.get(column)
        text = printable("" if value is None else str(value)).strip()
        if text:
            yield Comment(time, text, number, column in MARK_COLUMNS and text.lower() not in _UNMARKED)


def printable(text: str) -> str:
    """Replace characters that would move the cursor or cannot be encoded, because events are printed."""
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else " " if one.isspace() else "\ufffd" for one in text)
