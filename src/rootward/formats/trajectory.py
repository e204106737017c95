"""The way that something took: a point for each time, ``(t, x, y, z)``, in seconds and metres."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

from rootward.errors import InputError
from rootward.formats.messages import TIMES
from rootward.formats.parts import shown
from rootward.interfaces.files import read_text

Sample = tuple[float, float, float, float]
"""Time, x, y, z."""

BAGS = (".bag", ".mcap", ".db3")
_NAMES: tuple[tuple[str, ...], ...] = (TIMES, ("x",), ("y",), ("z",))


def read(path: Path) -> tuple[Sample, ...]:
    """The trajectory in a file.

    CSV has the columns ``t,x,y`` or ``t,x,y,z`` in this order, or a header that names them among others. JSON is a list
    of such rows, or of objects with these names. A ROS bag has one topic with poses.
    """
    if path.is_dir() or path.suffix.lower() in BAGS:
        from rootward.formats.bags import trajectory

        return tuple(trajectory(path))
    rows = _json(path) if path.suffix.lower() == ".json" else _csv(path)
    if not rows:
        raise InputError(f"{path} has no points: expected rows of t, x, y or t, x, y, z")
    return tuple(_sample(path, place, row) for place, row in rows)


def _json(path: Path) -> list[tuple[str, Sequence[Any]]]:
    try:
        rows = json.loads(read_text(path), parse_int=float)
    except json.JSONDecodeError as error:
        raise InputError(f"{path} is not JSON: {error}") from error
    except RecursionError:
        raise InputError(f"{path} is nested too deeply for a trajectory") from None
    if not isinstance(rows, list):
        raise InputError(f"{path} is not a list of points: expected [[t, x, y], ...]")
    return [(f"point {i}", _values(row)) for i, row in enumerate(rows)]


def _values(row: Any) -> Sequence[Any]:
    if isinstance(row, Mapping):
        found = [next((row[name] for name in names if name in row), None) for names in _NAMES]
        return found if found[3] is not None else found[:3]
    return row if isinstance(row, list) else [row]


def _csv(path: Path) -> list[tuple[str, Sequence[Any]]]:
    reader = csv.reader(StringIO(read_text(path), newline=""))
    try:
        rows = [(f"line {reader.line_num}", row) for row in reader if any(row)]
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: {error}") from error
    if not rows or _number(rows[0][1][0]) is not None:
        return [(place, row[:4]) for place, row in rows]
    columns = _columns(path, rows[0][1])
    return [(place, [row[column] if column < len(row) else "" for column in columns]) for place, row in rows[1:]]


def _columns(path: Path, header: Sequence[str]) -> list[int]:
    names = [cell.strip().lower() for cell in header]
    found = [next((names.index(name) for name in choice if name in names), None) for choice in _NAMES]
    if None in found[:3]:
        raise InputError(f"{path} has no columns t, x and y; its header is {shown(','.join(header))}")
    return [column for column in found if column is not None]


def _sample(path: Path, place: str, row: Sequence[Any]) -> Sample:
    numbers = [_number(value) for value in row]
    if len(numbers) not in (3, 4) or None in numbers:
        raise InputError(f"{path}, {place}: expected finite numbers t, x, y or t, x, y, z, got {shown(str(row))}")
    t, x, y, *z = (number for number in numbers if number is not None)
    return t, x, y, z[0] if z else 0.0


def _number(value: Any) -> float | None:
    """The finite number that this is, or that this text says."""
    try:
        number = float(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else math.nan
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None
