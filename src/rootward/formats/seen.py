"""The different values seen in one column of a history, and the field that they make.

The universe of a cause is what was seen (the paper's section 3): a field lists these values and no others, in an order
that does not depend on the order of the rows. Values are told apart as `rootward.keys` does, except that there is one
zero, and that a missing number is NaN.
"""

from __future__ import annotations

import datetime
import decimal
import hashlib
import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rootward.errors import InputError
from rootward.fields import show
from rootward.formats.cells import missing, value_of, values_of
from rootward.keys import canonical
from rootward.plain import EXACT, scalar
from rootward.rules.atoms import kind, value_order
from rootward.space import Bool, Choice, Field, Float, Int, Ordinal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MANY = 65_535
"""Text with more different values than this is no setting but an identifier, or a remark."""


class Seen:
    """The values of one column, added batch by batch; then ``close`` decides on the field."""

    def __init__(self, column: str, *, text: bool) -> None:
        self.column, self.text = column, text
        self.kinds: set[str] = set()
        """What kinds of values there are: bool, number, text, other, missing. More than one is worth a note."""
        self._salt = hashlib.blake2b(column.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        self._given: dict[Any, tuple[Any, int]] = {}
        self._places: dict[Any, int] = {}
        self._last: tuple[Any, Any] = None, None

    def __len__(self) -> int:
        return len(self._given)

    def add(self, values: Sequence[Any]) -> NDArray[np.uint64]:
        """Take note of values. A number for each, by which rows are compared: equal for equal values of this column."""
        return self._numbers(values, self._mark, "uint64")

    def close(self) -> Field:
        """The field of all values that were added."""
        cells = values_of(self._given) if self.text else {}
        read = {key: cells.get(key, value) for key, (value, _) in self._given.items()}
        self.kinds = {"missing" if value is None or _is_nan(value) else kind(value) for value in read.values()}
        if "number" in self.kinds and self.kinds <= {"number", "missing"}:
            read = {key: math.nan if value is None else value for key, value in read.items()}
        field = field_of(read.values())
        order = {canonical(value): place for place, value in enumerate(field.values)}
        self._places = {key: order[canonical(field.fit(value))] for key, value in read.items()}
        self._given, self._last = {}, (None, None)  # from here on only the places matter
        return field

    def places(self, values: Sequence[Any], dtype: Any) -> NDArray[Any]:
        """The place of each value among those of the field."""
        try:
            return self._numbers(values, lambda value: self._places[_key(plain(value))], dtype)
        except KeyError as error:
            raise InputError(f"the column {self.column} has changed while it was being read") from error

    def _numbers(self, values: Sequence[Any], number: Callable[[Any], int], dtype: Any) -> NDArray[Any]:
        """The number of each value. The integers of one batch are mostly those of the last."""
        import numpy as np

        if not isinstance(values, range) or values != self._last[0]:
            self._last = values, np.array([number(value) for value in values], dtype=dtype)
        found: NDArray[Any] = self._last[1]
        return found

    def _mark(self, given: Any) -> int:
        value = plain(given)
        if known := self._given.get(key := _key(value)):
            return known[1]
        meant = value_of(value) if self.text else value
        if len(self._given) >= MANY and isinstance(meant, str):
            raise InputError(
                f"the column {self.column} has more than {MANY:,} different texts, such as {show(value)}: "
                "it is no setting; ignore it"
            )
        mark = int.from_bytes(hashlib.blake2b(_comparable(meant), key=self._salt, digest_size=8).digest(), "big")
        self._given[key] = value, mark
        return mark


def plain(value: Any) -> Any:
    """A value as a configuration can have it: dates as text, decimal numbers as floats, one zero."""
    if isinstance(value, str) or value is None:
        return value
    value = scalar(value)
    if isinstance(value, float):
        return value or 0.0
    if missing(value):
        return None
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, datetime.timedelta):
        return value.total_seconds()
    if isinstance(value, decimal.Decimal):
        return float(value)
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else value


def field_of(values: Iterable[Any]) -> Field:
    """The field that lists these values, in the order of `rootward.rules.atoms.value_order`."""
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
    """One encoding for what may be one value of the field: 1 and 1.0, missing and NaN."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= EXACT:
        value = float(value)
    return canonical(math.nan if value is None else value)
