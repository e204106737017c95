"""The columns of a table of runs: the values of their cells, and the fields built from these values.

The universe of a cause is the set of observed values (the paper's section 3): a field lists the values of its column
and no others, in an order that does not depend on the order of the rows. Values are distinguished as in
`rootward.space.keys`, except that there is only one zero and that a missing number is NaN.

The cells of a CSV file are text without types, so the type is decided for the column, not for each cell. If all cells
are numbers, the column holds numbers; if all are true or false, it holds bools; an empty cell is then a missing value.
In any other column, a cell becomes a number or bool only if it is spelt exactly as that value is written (``1``, not
``1.0e0``), and otherwise stays text, so that different texts stay different values.
"""

from __future__ import annotations

import contextlib
import datetime
import decimal
import hashlib
import math
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rootward.errors import InputError
from rootward.rules.constants import kind, value_order
from rootward.space.candidate import dump
from rootward.space.fields import show
from rootward.space.keys import canonical
from rootward.space.space import Bool, Choice, Field, Float, Int, Ordinal
from rootward.space.values import MAX_EXACT_INTEGER, scalar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


MAX_TEXTS = 65_535
"""Maximum number of distinct texts in a column; with more, it is not a setting but an identifier or a remark."""
_INTEGER = re.compile(r"[+-]?(0|[1-9][0-9]*)")
_PADDED = re.compile(r"[+-]?0[0-9]")
_BOOLS = {"true": True, "false": False}


class ColumnValues:
    """The distinct values of one column. ``add`` adds them batch by batch; then ``close`` builds the field."""

    def __init__(self, column: str, *, text: bool) -> None:
        self.column, self.text = column, text
        self.kinds: set[str] = set()
        """The kinds of values found: bool, number, text, other, missing. More than one is worth a note."""
        self._salt = hashlib.blake2b(column.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        self._given: dict[Any, tuple[Any, int]] = {}
        self._places: dict[Any, int] = {}
        self._last: tuple[Any, Any] = None, None

    def __len__(self) -> int:
        return len(self._given)

    def add(self, values: Sequence[Any]) -> NDArray[np.uint64]:
        """Add values and return a number for each. Equal values get equal numbers, so that rows can be compared."""
        return self._numbers(values, self._mark, "uint64")

    def close(self) -> Field:
        """Return the field of all values that were added."""
        cells = values_of(self._given) if self.text else {}
        read = {key: cells.get(key, value) for key, (value, _) in self._given.items()}
        self.kinds = {"missing" if value is None or _is_nan(value) else kind(value) for value in read.values()}
        if "number" in self.kinds and self.kinds <= {"number", "missing"}:
            read = {key: math.nan if value is None else value for key, value in read.items()}
        field = field_of(read.values())
        order = {canonical(value): place for place, value in enumerate(field.values)}
        self._places = {key: order[canonical(field.fit(value))] for key, value in read.items()}
        self._given, self._last = {}, (None, None)  # from now on only the places are needed
        return field

    def places(self, values: Sequence[Any], dtype: Any) -> NDArray[Any]:
        """Return the index of each value in the values of the field."""
        try:
            return self._numbers(values, lambda value: self._places[_key(to_plain(value))], dtype)
        except KeyError as error:
            raise InputError(f"the column {self.column} changed while it was being read: try again") from error

    def _numbers(self, values: Sequence[Any], number: Callable[[Any], int], dtype: Any) -> NDArray[Any]:
        """Return ``number(value)`` for each value.

        The result for a range is cached, because batches often have the same integers.
        """
        import numpy as np

        if not isinstance(values, range) or values != self._last[0]:
            self._last = values, np.array([number(value) for value in values], dtype=dtype)
        found: NDArray[Any] = self._last[1]
        return found

    def _mark(self, given: Any) -> int:
        value = to_plain(given)
        if known := self._given.get(key := _key(value)):
            return known[1]
        meant = value_of(value) if self.text else value
        if len(self._given) >= MAX_TEXTS and isinstance(meant, str):
            raise InputError(
                f"the column {self.column} has more than {MAX_TEXTS:,} different texts, such as {show(value)}: "
                "it is not a setting; add it to ignore"
            )
        mark = int.from_bytes(hashlib.blake2b(_comparable(meant), key=self._salt, digest_size=8).digest(), "big")
        self._given[key] = value, mark
        return mark


def to_plain(value: Any) -> Any:
    """Convert a value to one that a configuration can hold: dates to text, decimal numbers to floats, -0.0 to 0.0."""
    if isinstance(value, str) or value is None:
        return value
    value = scalar(value)
    if isinstance(value, float):
        return value or 0.0
    if is_missing(value):
        return None
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, datetime.timedelta):
        return value.total_seconds()
    if isinstance(value, decimal.Decimal):
        return float(value)
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else value


def field_of(values: Iterable[Any]) -> Field:
    """Return the field that lists these values, in the order of `rootward.rules.constants.value_order`."""
    found = sorted({canonical(value): value for value in values}.values(), key=value_order)
    kinds = {kind(value) for value in found}
    if kinds == {"bool"} and len(found) == 2:
        return Bool()
    if kinds != {"number"}:
        return Choice(found)
    if any(isinstance(value, float) for value in found):
        return Float(values={canonical(float(value)): float(value) for value in found}.values())
    signed = found[0] < 0 or found[-1] < 1 << 63
    fits = found[0] >= -(1 << 63) and found[-1] < 1 << (63 if signed else 64)
    return Int(bits=64, signed=signed, values=found) if fits else Ordinal(found)


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _key(value: Any) -> Any:
    return value if isinstance(value, str) else canonical(value)


def _comparable(value: Any) -> bytes:
    """Encode a value so that values that may become one value of the field are encoded alike.

    Such values are 1 and 1.0, or a missing value and NaN.
    """
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MAX_EXACT_INTEGER:
        value = float(value)
    return canonical(math.nan if value is None else value)


# Cells of text


def value_of(cell: str) -> Any:
    """Return the value of one cell: a number, a bool or text. Returns None if the cell is empty."""
    if not cell.strip():
        return None
    for read in (read_integer, read_number, _read_bool):
        with contextlib.suppress(ValueError):
            return read(cell)
    return cell


def values_of(cells: Iterable[str]) -> dict[str, Any]:
    """Return the value of each distinct cell of one column."""
    different = list(dict.fromkeys(cells))
    filled = [cell for cell in different if cell.strip()]
    for read, missing in (read_integer, math.nan), (read_number, math.nan), (_read_bool, None):
        with contextlib.suppress(ValueError):
            values = {cell: read(cell) for cell in filled} if filled else _refuse("")
            return {cell: values.get(cell, missing) for cell in different}
    return {cell: _read_exactly_spelt(cell) for cell in different}


def is_missing(value: Any) -> bool:
    """Return True for a missing value: None, NaN, blank text, or pandas' NA and NaT."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return not value.strip() if isinstance(value, str) else isinstance(value, float) and math.isnan(value)


def _read_exactly_spelt(cell: str) -> Any:
    value = value_of(cell)
    return value if isinstance(value, bool | int | float) and math.isfinite(value) and dump(value) == cell else cell


def read_integer(cell: str) -> int:
    """Return the integer in a cell. Raises ValueError if the cell is not an integer. ``007`` is not."""
    text = cell.strip()
    return int(text) if _INTEGER.fullmatch(text) and len(text) < 400 else _refuse(cell)


def read_number(cell: str) -> float:
    """Return the number in a cell; ``-0.0`` is 0.0, as in ``to_plain``. Raises ValueError if the cell is not a number.

    ``007`` and ``1_000`` are not numbers here, although Python reads them.
    """
    text = cell.strip()
    return _refuse(cell) if "_" in text or _PADDED.match(text) else float(text) or 0.0


def _read_bool(cell: str) -> bool:
    value = _BOOLS.get(cell.strip().lower())
    return _refuse(cell) if value is None else value


def _refuse(cell: str) -> Any:
    raise ValueError(cell)
