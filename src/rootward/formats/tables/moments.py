"""The times of runs, so that later runs can be left out: a failure is explained by what was known at the time.

The paper's section 8.3 does the same: "never using values from later runs". A moment is a date, a date with a time
(ISO 8601), or a number of seconds since 1970; without a time zone it is in UTC.
"""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Iterable
from typing import Any

from rootward.errors import InputError
from rootward.formats.tables.columns import is_missing
from rootward.space.fields import show

EXPECTED = "expected a date such as 2024-04-01, with or without a time"


def parse_moment(value: Any) -> dt.datetime | None:
    """Parse a moment. Returns None if the value is missing. Raises ValueError if it is not a moment."""
    if is_missing(value):
        return None
    if isinstance(value, str):
        text = value.strip()
        if len(text) != 8 or not text.isdigit():  # 20240401 is a date
            with contextlib.suppress(ValueError):
                return parse_moment(float(text))
        return parse_moment(dt.datetime.fromisoformat(text))
    if isinstance(value, dt.datetime):
        return value if value.tzinfo else value.replace(tzinfo=dt.UTC)
    if isinstance(value, dt.date):
        return dt.datetime(value.year, value.month, value.day, tzinfo=dt.UTC)
    if isinstance(value, int | float) and not isinstance(value, bool):
        with contextlib.suppress(OverflowError, OSError):
            return dt.datetime.fromtimestamp(value, dt.UTC)
    raise ValueError(value)


def end_of(said: str | dt.date, name: str = "as_of") -> dt.datetime:
    """Return the last moment that ``said`` includes. For a date without a time, this is the end of that day.

    :param name: the option that gave the date, for the error message
    """
    try:
        found = dt.datetime.fromisoformat(said if isinstance(said, str) else said.isoformat())
    except (ValueError, AttributeError):
        raise InputError(f"{name} {show(said)}: {EXPECTED}") from None
    day = ":" not in said if isinstance(said, str) else not isinstance(said, dt.datetime)
    end = found + dt.timedelta(days=1, microseconds=-1) if day else found
    return end if end.tzinfo else end.replace(tzinfo=dt.UTC)


def check_until(values: Iterable[Any], end: dt.datetime | None, column: str | None) -> list[bool | None]:
    """Return True for each value of the column that is not later than ``end``, and False for a later one.

    The result is None for a missing value.
    """
    found = (_read(value, column) for value in values)
    return [None if when is None else end is None or when <= end for when in found]


def _read(value: Any, column: str | None) -> dt.datetime | None:
    try:
        return parse_moment(value)
    except ValueError:
        raise InputError(f"the column {column} has {show(value)}: {EXPECTED}") from None
