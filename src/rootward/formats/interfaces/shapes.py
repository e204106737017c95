"""Shapes: the common form of all interface descriptions, and how a shape becomes a space.

A shape is a tree of records, rows (fixed length), listings (variable length) and tables (variable keys) over fields. A
space has a fixed set of fields, so the lengths of listings and the keys of tables have to be given, and optional
members are always present. An empty list or a record without members becomes a field with that one value, so that the
nested form of a configuration is complete.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from rootward.errors import InputError
from rootward.formats.documents.paths import Step, child, display_path, join
from rootward.space.fields import Choice, show
from rootward.space.space import Field, Space

Lengths = Mapping[str, int | Sequence[str]]
"""By path, the length of each list and the keys of each map; in a path, ``[*]`` is any index.

A number n for a map stands for its first n possible keys or, if any text may be a key, for "0", "1", ..."""


@dataclass(frozen=True, slots=True)
class RecordShape:
    members: Mapping[str, Shape]


@dataclass(frozen=True, slots=True)
class RowShape:
    items: Sequence[Shape]


@dataclass(frozen=True, slots=True)
class ListingShape:
    item: Shape
    min_length: int = 0
    max_length: int | None = None


@dataclass(frozen=True, slots=True)
class TableShape:
    """A map. ``keys`` lists the possible keys. It is None if any text may be a key."""

    value: Shape
    keys: Sequence[str] | None = None


Shape = Field | RecordShape | RowShape | ListingShape | TableShape
_EMPTY: dict[type, Field] = {
    **dict.fromkeys((RecordShape, TableShape), Choice([{}])),
    **dict.fromkeys((RowShape, ListingShape), Choice([[]])),
}


def build(shape: Shape, lengths: Lengths | None) -> Space:
    """Build the space of the shape's fields.

    Raises InputError if a length is missing, invalid, or matches no list or map.
    """
    unrolled = _Unrolled(lengths or {})
    unrolled.add(shape, "", "")
    unrolled.refuse_unused()
    return Space(unrolled.fields)


def messages(spaces: Iterable[Space] | Mapping[str, Space]) -> Space:
    """Join the spaces of messages into one. The prefix of a field tells its message.

    The prefix is the key of the message in a mapping, else ``Mn`` for message n. This is how HPSL (section II) turns a
    stream of messages into one input: ``M0.InitialMode``, ``M1.BrakeApplied``.
    """
    named = dict(spaces) if isinstance(spaces, Mapping) else {f"M{place}": space for place, space in enumerate(spaces)}
    for name, space in named.items():
        if not isinstance(space, Space):
            raise InputError(f"message {name!r} is {show(space)} ({type(space).__name__}): expected a Space")
    if not named:
        raise InputError("no messages given: pass at least one space")
    return Space((join(name, path), field) for name, space in named.items() for path, field in space.items())


def listing(item: Shape, min_length: int = 0, max_length: int | None = None) -> Shape:
    """Return the shape of a list of items. It is a RowShape if the bounds allow only one length."""
    return RowShape([item] * min_length) if min_length == max_length else ListingShape(item, min_length, max_length)


class _Unrolled:
    """The fields of a shape. A ``pattern`` is a path in which every index is replaced by ``[*]``."""

    def __init__(self, lengths: Lengths) -> None:
        self.fields: list[tuple[str, Field]] = []
        self._lengths = lengths
        self._places: dict[str, None] = {}

    def add(self, shape: Shape, path: str, pattern: str) -> None:
        if isinstance(shape, RecordShape | RowShape | ListingShape | TableShape):
            children = self._children(shape, path, pattern)
            for step, below in children:
                self.add(below, child(path, step), _pattern(pattern, step))
            if not children:
                self.fields.append((path, _EMPTY[type(shape)]))
        else:
            self.fields.append((path, shape))

    def _children(
        self, shape: RecordShape | RowShape | ListingShape | TableShape, path: str, pattern: str
    ) -> Sequence[tuple[Step, Shape]]:
        if isinstance(shape, RecordShape):
            return list(shape.members.items())
        if isinstance(shape, RowShape):
            return list(enumerate(shape.items))
        given = self._find_length(shape, path, pattern)
        if isinstance(shape, ListingShape):
            return [(index, shape.item) for index in range(_length(shape, path, given))]
        return [(key, shape.value) for key in _keys(shape, path, given)]

    def _find_length(self, shape: ListingShape | TableShape, path: str, pattern: str) -> object:
        self._places |= {path: None, pattern: None}
        for place in (path, pattern):
            if place in self._lengths:
                return self._lengths[place]
        what, wanted, give = _MISSING_LENGTH[type(shape)]
        hint = f"give {wanted}, lengths={{{path!r}: {give}}}"
        raise InputError(f"{display_path(path)} is {what}, but a space needs a fixed set of fields: {hint}")

    def refuse_unused(self) -> None:
        for name in self._lengths:
            if name not in self._places:
                close = get_close_matches(name, self._places, n=1)
                hint = f" (did you mean {close[0]!r}?)" if close else ""
                raise InputError(f"lengths: {name!r} is not a list of variable length or a map{hint}")


_MISSING_LENGTH: dict[type, tuple[str, str, str]] = {
    ListingShape: ("a list of variable length", "its length", "3"),
    TableShape: ("a map with variable keys", "its keys or their number", '["a", "b"]'),
}


def _pattern(pattern: str, step: Step) -> str:
    return f"{pattern}[*]" if isinstance(step, int) else child(pattern, step)


def _length(shape: ListingShape, path: str, given: object) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or given < 0:
        raise InputError(f"lengths: {display_path(path)} is a list: give an integer from 0, not {show(given)}")
    if given < shape.min_length or (shape.max_length is not None and given > shape.max_length):
        upper = "or more" if shape.max_length is None else f"to {shape.max_length}"
        raise InputError(
            f"lengths: {display_path(path)} = {given}: this list must have {shape.min_length} {upper} items"
        )
    return given


def _keys(shape: TableShape, path: str, given: object) -> Sequence[str]:
    if isinstance(given, int) and not isinstance(given, bool) and given >= 0:
        keys = [str(index) for index in range(given)] if shape.keys is None else list(shape.keys)[:given]
        if len(keys) < given:
            raise InputError(f"lengths: {display_path(path)} = {given}: this map has only the keys {', '.join(keys)}")
        return keys
    if isinstance(given, Sequence) and not isinstance(given, str) and all(isinstance(key, str) for key in given):
        return _check_keys(shape, path, list(dict.fromkeys(given)))
    raise InputError(f"lengths: {display_path(path)} is a map: give its keys as a list of strings, not {show(given)}")


def _check_keys(shape: TableShape, path: str, keys: list[str]) -> Sequence[str]:
    if shape.keys is not None and (unknown := [key for key in keys if key not in shape.keys]):
        raise InputError(
            f"lengths: {display_path(path)} has no key {unknown[0]!r}; the keys are {', '.join(shape.keys)}"
        )
    return keys
