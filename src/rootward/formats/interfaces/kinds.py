"""The field that a declaration stands for; equal declarations share one field.

A described interface has thousands of fields but few kinds of them, and a field carries a dictionary of exceptional
values, so sharing makes a large space cheap. Bounds are exact: the integers above 2 start at 3, the floats above 0.0 at
the smallest float there is. Values known to be good (defaults, examples, what a file holds) join the dictionary.
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
from rootward.formats.documents.paths import where
from rootward.space.exceptional_values import largest, order
from rootward.space.fields import show
from rootward.space.keys import canonical
from rootward.space.space import Bool, Choice, Field, Float, Int, Text

F = TypeVar("F", bound=Field)
_SHARED: WeakValueDictionary[Any, Field] = WeakValueDictionary()


def share(kind: Callable[..., F], *options: Any) -> F:
    """``kind(*options)``, the same object for the same options."""
    return cast(F, _once((kind.__name__, canonical(options)), lambda: kind(*options)))


@contextmanager
def at(path: str) -> Iterator[None]:
    """Names the place in an InputError about what is declared there."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{where(path)}: {error}") from None


@dataclass(frozen=True, slots=True)
class Bounds:
    """The bounds of a number, as ``annotated_types`` and pydantic name them."""

    ge: float | None = None
    gt: float | None = None
    le: float | None = None
    lt: float | None = None


@lru_cache(maxsize=1024)
def integer(bounds: Bounds) -> Int:
    """The integers within the bounds, as far as 64 bits hold them."""
    above = [math.ceil(bound) for bound in _finite(bounds.ge)] + [math.floor(bound) + 1 for bound in _finite(bounds.gt)]
    below = [math.floor(bound) for bound in _finite(bounds.le)] + [math.ceil(bound) - 1 for bound in _finite(bounds.lt)]
    lo, hi = max(above, default=None), min(below, default=None)
    signed = lo is None or lo < 0 or max(lo, hi or 0) < 1 << 63
    if lo is not None and hi is not None and -(1 << 31) <= lo <= hi < 1 << 31:
        return share(Int, lo, hi)
    least, most = (-(1 << 63), (1 << 63) - 1) if signed else (0, (1 << 64) - 1)
    cut = None if lo is None else max(lo, least), None if hi is None else min(hi, most)
    return share(Int, *cut, 64, signed)


@lru_cache(maxsize=1024)
def number(bounds: Bounds, *, finite: bool) -> Float:
    """The 64-bit floats within the bounds; with ``finite``, without infinities and NaN."""
    above = [_float(bound, math.inf, False) for bound in _given(bounds.ge)]
    above += [_float(bound, math.inf, True) for bound in _given(bounds.gt)]
    below = [_float(bound, -math.inf, False) for bound in _given(bounds.le)]
    below += [_float(bound, -math.inf, True) for bound in _given(bounds.lt)]
    if finite:
        above, below = [*above, -largest(64)], [*below, largest(64)]
    return share(Float, max(above, default=None), min(below, default=None))


@lru_cache(maxsize=32)
def machine(name: str) -> Field:
    """The field of a machine type, by its name in ``MACHINE``."""
    return cast(Field, share(*MACHINE[name]))


MACHINE: dict[str, tuple[Any, ...]] = {
    "bool": (Bool,),
    **{f"int{bits}": (Int, None, None, bits, True) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": (Int, None, None, bits, False) for bits in (8, 16, 32, 64)},
    **{f"float{bits}": (Float, None, None, bits) for bits in (32, 64)},
}


def text(least: int = 0, most: int | None = None, pattern: str | None = None, nominal: Sequence[str] = ()) -> Text:
    """Text that has a UTF-8 form. What is tried has that length (both ends of it too) and matches the pattern."""
    name = ("text", least, most, pattern, tuple(nominal))
    return cast(Text, _once(name, lambda: _text(least, most, pattern, nominal)))


def octets(nominal: Sequence[object] = ()) -> Field:
    """Bytes: those of the exceptional texts, and these."""
    if wrong := [value for value in nominal if not isinstance(value, bytes)]:
        raise InputError(f"{show(wrong[0])} ({type(wrong[0]).__name__}): expected bytes")
    texts = _once("octets", lambda: Choice([value.encode("utf-8", "surrogateescape") for value in Text().values]))
    return _with(texts, list(nominal))


def choice(values: Iterable[object]) -> Choice:
    return share(Choice, list(values))


def either(fields: Sequence[Field], nominal: Sequence[object], path: str) -> Field:
    """A value of any of them. Only the values that they try are left: no axis holds numbers, texts and None."""
    if len(fields) == 1:
        return also(fields[0], nominal, path)
    mixed = _once(("either", *fields), lambda: Choice(_distinct(value for field in fields for value in field.values)))
    return _with(mixed, [_any(fields, value, path) for value in nominal])


def also(field: Field, nominal: Sequence[object], path: str) -> Field:
    """The field with these members among its values; InputError if one is no member."""
    return _with(field, [field.coerce(value, where(path)) for value in nominal]) if nominal else field


NULL = Choice([None])


def _once(name: Any, make: Callable[[], Field]) -> Field:
    found = _SHARED.get(name)
    if found is None:
        found = _SHARED[name] = make()
    return found


def _given(bound: float | None) -> list[float]:
    return [] if bound is None else [bound]


def _finite(bound: float | None) -> list[float]:
    return [] if bound is None or bound in (math.inf, -math.inf) else [bound]


def _float(bound: float, towards: float, strictly: bool) -> float:
    """The first float from ``bound`` on, or beyond it; the bound itself may lie between two."""
    try:
        near = float(bound)
    except OverflowError:
        raise InputError(f"the bound {show(bound)} is too large for a float") from None
    passed = near > bound if towards > 0 else near < bound
    return near if passed or (near == bound and not strictly) else math.nextafter(near, towards)


def _text(least: int, most: int | None, pattern: str | None, nominal: Sequence[str]) -> Text:
    ends = ["a" * length for length in (least, most) if length and length <= _LONG]
    texts = [value for value in [*Text().values, *ends] if _encodable(value)]
    texts = [value for value in texts if least <= len(value) and (most is None or len(value) <= most)]
    if pattern is not None:
        texts = [value for value in texts if _compiled(pattern).search(value)]
    if not texts and not nominal:
        raise InputError(f"no text to try has the length and the pattern {pattern!r} asked for: give an example")
    return Text(dict.fromkeys([*texts, *nominal]))


_LONG = 1 << 20  # a longer text costs more than it can find


def _encodable(value: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in value)


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        raise InputError(f"the pattern {pattern!r} cannot be read: {error}") from None


def _distinct(values: Iterable[Any]) -> list[Any]:
    return list({canonical(value): value for value in values}.values())


def _any(fields: Sequence[Field], value: object, path: str) -> Any:
    """What the value stands for in the first of the fields that has it."""
    for field in fields:
        if field.contains(value):
            return field.coerce(value)
    raise InputError(f"{where(path)} = {show(value)}: expected {', or '.join(map(str, fields))}")


def _with(field: Field, members: list[Any]) -> Field:
    new = [member for member in members if not _tried(field, member)]
    return _once((field, canonical(new)), lambda: _extended(field, _distinct(new))) if new else field


def _tried(field: Field, member: Any) -> bool:
    if not isinstance(field, Int | Float):
        return canonical(member) in field._places
    place = bisect_left(field.values, _rank(field)(member), key=_rank(field))
    return place < len(field.values) and canonical(field.values[place]) == canonical(member)


def _rank(field: Int | Float) -> Callable[[Any], Any]:
    """What its values are sorted by."""
    return order if isinstance(field, Float) else int


def _extended(field: Field, new: list[Any]) -> Field:
    # Not by the constructor: it would check the whole dictionary again, for each field of a large document.
    twin = object.__new__(type(field))
    twin.__dict__.update(field.__dict__, **(_inserted if isinstance(field, Int | Float) else _appended)(field, new))
    twin.__dict__.pop("_key", None)  # the cached identity of the other one
    return twin


def _inserted(field: Any, new: list[Any]) -> dict[str, Any]:
    values = list(field.values)
    for member in new:
        insort(values, member, key=_rank(field))
    return {"values": tuple(values)}


def _appended(field: Any, new: list[Any]) -> dict[str, Any]:
    places = {canonical(member): place for place, member in enumerate(new, len(field.values))}
    return {"values": (*field.values, *new), "_places": field._places | places}
