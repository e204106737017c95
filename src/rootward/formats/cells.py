"""What the cells of a CSV column stand for. Text has no types, so the column decides and not the cell.

A column of numbers holds numbers and one of true and false holds bools; an empty cell in it is a missing value. In any
other column a cell is the number or bool that is written exactly so (``1``, not ``1.0e0``), and text if there is none:
then nothing that two texts tell apart is lost.
"""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Iterable
from typing import Any

from rootward.candidate import dump

_INTEGER = re.compile(r"[+-]?(0|[1-9][0-9]*)")
_PADDED = re.compile(r"[+-]?0[0-9]")
_BOOLS = {"true": True, "false": False}


def value_of(cell: str) -> Any:
    """The value that one cell by itself stands for: a number, a bool, None if it is empty, else the text."""
    if not cell.strip():
        return None
    for read in (_integer, _number, _bool):
        with contextlib.suppress(ValueError):
            return read(cell)
    return cell


def values_of(cells: Iterable[str]) -> dict[str, Any]:
    """What each different cell of one column stands for."""
    different = list(dict.fromkeys(cells))
    filled = [cell for cell in different if cell.strip()]
    for read, missing in (_integer, math.nan), (_number, math.nan), (_bool, None):
        with contextlib.suppress(ValueError):
            values = {cell: read(cell) for cell in filled} if filled else _refuse("")
            return {cell: values.get(cell, missing) for cell in different}
    return {cell: _exact(cell) for cell in different}


def missing(value: Any) -> bool:
    """Whether there is no value: None, NaN, blank text, or what pandas has for it."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return not value.strip() if isinstance(value, str) else isinstance(value, float) and math.isnan(value)


def _exact(cell: str) -> Any:
    value = value_of(cell)
    return value if isinstance(value, bool | int | float) and math.isfinite(value) and dump(value) == cell else cell


def _integer(cell: str) -> int:
    text = cell.strip()
    return int(text) if _INTEGER.fullmatch(text) and len(text) < 400 else _refuse(cell)


def _number(cell: str) -> float:
    text = cell.strip()  # not all that Python allows: 007 is a name, 1_000 a text
    return _refuse(cell) if "_" in text or _PADDED.match(text) else float(text)


def _bool(cell: str) -> bool:
    value = _BOOLS.get(cell.strip().lower())
    return _refuse(cell) if value is None else value


def _refuse(cell: str) -> Any:
    raise ValueError(cell)
