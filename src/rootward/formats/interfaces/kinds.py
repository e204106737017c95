"""Build the field for a declaration; equal declarations share one field.

A described interface has thousands of fields but few kinds of them, and a field carries a dictionary of exceptional
values, so sharing makes a large space cheap. Bounds are exact: the integers above 2 start at 3, the floats above 0.0 at
the smallest positive float. Known valid values (defaults, examples, the content of a file) are called ``nominal``; they
are added to the values to try.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar, cast
from weakref import WeakValueDictionary

from rootward.errors import InputError
from rootward.formats.documents.paths import display_path
from rootward.space.exceptional_values import largest, order
from rootward.space.fields import show
from rootward.space.keys import canonical
from rootward.space.space import Bool, Choice, Field, Float, Int, Text

F = TypeVar("F", bound=Field)
_SHARED: WeakValueDictionary[Any, Field] = WeakValueDictionary()


def share(kind: Callable[..., F], *options: Any) -> F:
    """Return ``kind(*options)``. Equal options give the same object."""
    return cast(F, _make_once((kind.__name__, canonical(options)), lambda: kind(*options)))


@contextmanager
def locate_errors(path: str) -> Iterator[None]:
    """Add ``path`` to the front of the message of an InputError raised in the block."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{display_path(path)}: {error}") from None


@dataclass(frozen=True, slots=True)
class NumberBounds:
    """The bounds of a number, as ``annotated_types`` and pydantic name them."""

    ge: float | None = None
    gt: float | None = None
    le: float | None = None
    lt: float | None = None


@lru_cache(maxsize=1024)
def integer(bounds: NumberBounds) -> Int:
    """Return the field of the integers within the bounds, limited to 64 bits."""
    above = [math.ceil(bound) for bound in _finite(bounds.ge)] + [math.floor(bound) + 1 for bound in _finite(bounds.gt)]
    below = [math.floor(bound) for bound in _finite(bounds.le)] + [math.ceil(bound) - 1 for bound in _finite(bounds.lt)]
    lo, hi = max(above, default=None), min(below, default=None)
    signed = lo is None or lo < 0 or max(lo, hi or 0) < 1 << 63
    if lo is not None and hi is not None and -(1 << 31) <= lo <= hi < 1 << 31:
        return share(Int, lo, hi)
    lowest, highest = (-(1 << 63), (1 << 63) - 1) if signed else (0, (1 << 64) - 1)
    cut = None if lo is None else max(lo, lowest), None if hi is None else min(hi, highest)
    return share(Int, *cut, 64, signed)


@lru_cache(maxsize=1024)
def number(bounds: NumberBounds, *, finite: bool) -> Float:
    """Return the field of the 64-bit floats within the bounds. If ``finite``, infinities and NaN are excluded."""
    above = [_float(bound, math.inf, False) for bound in _as_list(bounds.ge)]
    above += [_float(bound, math.inf, True) for bound in _as_list(bounds.gt)]
    below = [_float(bound, -math.inf, False) for bound in _as_list(bounds.le)]
    below += [_float(bound, -math.inf, True) for bound in _as_list(bounds.lt)]
    if finite:
        above, below = [*above, -largest(64)], [*below, largest(64)]
    return share(Float, max(above, default=None), min(below, default=None))


@lru_cache(maxsize=32)
def machine_field(name: str) -> Field:
    """Return the field of a machine type, by its name in ``MACHINE_TYPES``."""
    return cast(Field, share(*MACHINE_TYPES[name]))


MACHINE_TYPES: dict[str, tuple[Any, ...]] = {
    "bool": (Bool,),
    **{f"int{bits}": (Int, None, None, bits, True) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": (Int, None, None, bits, False) for bits in (8, 16, 32, 64)},
    **{f"float{bits}": (Float, None, None, bits) for bits in (32, 64)},
}


def text(
    min_length: int = 0, max_length: int | None = None, pattern: str | None = None, nominal: Sequence[str] = ()
) -> Text:
    """Return a field of UTF-8 texts.

    The values to try match ``pattern``. Their lengths are from ``min_length`` to ``max_length``, both included.
    """
    name = ("text", min_length, max_length, pattern, tuple(nominal))
    return cast(Text, _make_once(name, lambda: _text(min_length, max_length, pattern, nominal)))


def octets(nominal: Sequence[object] = ()) -> Field:
    """Return a field of bytes. It tries the exceptional texts, encoded as UTF-8, and the nominal values."""
    if wrong := [value for value in nominal if not isinstance(value, bytes)]:
        raise InputError(f"{show(wrong[0])} ({type(wrong[0]).__name__}): expected bytes")
    texts = _make_once("octets", lambda: Choice([value.encode("utf-8", "surrogateescape") for value in Text().values]))
    return _with(texts, list(nominal))


def choice(values: Iterable[object]) -> Choice:
    return share(Choice, list(values))


def merge_fields(fields: Sequence[Field], nominal: Sequence[object], path: str) -> Field:
    """Return one field for the values of all these fields.

    It has only the values that the fields try, because no ordered axis holds numbers, texts and None together.
    """
    if len(fields) == 1:
        return add_values(fields[0], nominal, path)
    mixed = _make_once(
        ("either", *fields), lambda: Choice(_distinct(value for field in fields for value in field.values))
    )
    return _with(mixed, [_coerce_to_any(fields, value, path) for value in nominal])


def add_values(field: Field, nominal: Sequence[object], path: str) -> Field:
    """Return the field with the nominal values among those to try.

    Raises InputError if the field does not accept one of them.
    """
    return _with(field, [field.coerce(value, display_path(path)) for value in nominal]) if nominal else field


NULL = Choice([None])


def _make_once(name: Any, make: Callable[[], Field]) -> Field:
    found = _SHARED.get(name)
    if found is None:
        found = _SHARED[name] = make()
    return found


def _as_list(bound: float | None) -> list[float]:
    return [] if bound is None else [bound]


def _finite(bound: float | None) -> list[float]:
    return [] if bound is None or bound in (math.inf, -math.inf) else [bound]


def _float(bound: float, towards: float, strictly: bool) -> float:
    """Return the float nearest to ``bound`` that is at the bound or beyond it, in the direction ``towards``.

    If ``strictly``, the float must be beyond the bound. The bound may lie between two floats.
    """
    try:
        near = float(bound)
    except OverflowError:
        raise InputError(f"the bound {show(bound)} is too large for a float") from None
    passed = near > bound if towards > 0 else near < bound
    return near if passed or (near == bound and not strictly) else math.nextafter(near, towards)


def _text(min_length: int, max_length: int | None, pattern: str | None, nominal: Sequence[str]) -> Text:
    ends = ["a" * length for length in (min_length, max_length) if length and length <= _MAX_LENGTH]
    texts = [value for value in [*Text().values, *ends] if _is_encodable(value)]
    texts = [value for value in texts if min_length <= len(value) and (max_length is None or len(value) <= max_length)]
    if pattern is not None:
        texts = [value for value in texts if _compile(pattern).search(value)]
    if not texts and not nominal:
        required = "length" if pattern is None else f"length and pattern {pattern!r}"
        raise InputError(f"no text to try has the required {required}: add a default or an example")
    return Text(dict.fromkeys([*texts, *nominal]))


_MAX_LENGTH = 1 << 20  # longer texts cost more than they can find


def _is_encodable(value: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in value)


@lru_cache(maxsize=256)
def _compile(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        raise InputError(f"the pattern {pattern!r} is not a valid regular expression: {error}") from None


def _distinct(values: Iterable[Any]) -> list[Any]:
    return list({canonical(value): value for value in values}.values())


def _coerce_to_any(fields: Sequence[Field], value: object, path: str) -> Any:
    """Convert the value to the type of the first field that contains it. Raises InputError if no field contains it."""
    for field in fields:
        if field.contains(value):
            return field.coerce(value)
    raise InputError(f"{display_path(path)} = {show(value)}: expected {', or '.join(map(str, fields))}")


def _with(field: Field, members: list[Any]) -> Field:
    new = [member for member in members if not _is_tried(field, member)]
    return _make_once((field, canonical(new)), lambda: _extend(field, _distinct(new))) if new else field


def _is_tried(field: Field, member: Any) -> bool:
    if not isinstance(field, Int | Float):
        return canonical(member) in field._places
    place = bisect_left(field.values, _rank(field)(member), key=_rank(field))
    return place < len(field.values) and canonical(field.values[place]) == canonical(member)


def _rank(field: Int | Float) -> Callable[[Any], Any]:
    """Return the sort key of the field's values."""
    return order if isinstance(field, Float) else int


def _extend(field: Field, new: list[Any]) -> Field:
    # Bypass the constructor: it would check the whole dictionary again, for each field of a large document.
    copy = object.__new__(type(field))
    copy.__dict__.update(field.__dict__, **(_insert if isinstance(field, Int | Float) else _append)(field, new))
    copy.__dict__.pop("_key", None)  # the cached identity of the original
    return copy


def _insert(field: Any, new: list[Any]) -> dict[str, Any]:
    values = list(field.values)
    for member in new:
        insort(values, member, key=_rank(field))
    return {"values": tuple(values)}


def _append(field: Any, new: list[Any]) -> dict[str, Any]:
    places = {canonical(member): place for place, member in enumerate(new, len(field.values))}
    return {"values": (*field.values, *new), "_places": field._places | places}
