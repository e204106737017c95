"""Python annotations as shapes: what `from_dataclass` and `from_pydantic` share.

A class with annotated members is a record; how its members are listed is the caller's to say. A rootward field among
the metadata of ``Annotated`` wins over everything else. Constraints are recognised by their attributes (``ge``,
``max_length``, ...), which `annotated_types` and pydantic share.
"""

from __future__ import annotations

import collections.abc
import enum
import types
import typing
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rootward.errors import InputError
from rootward.interfaces import kinds
from rootward.interfaces.kinds import Bounds, also, at
from rootward.interfaces.paths import child, where
from rootward.interfaces.shapes import Record, Row, Shape, Table, listing
from rootward.keys import canonical
from rootward.space import Choice, Field, Text


@dataclass(frozen=True, slots=True)
class Member:
    """One annotated member. ``nominal``: its default and examples."""

    name: str
    annotation: Any
    metadata: Sequence[Any] = ()
    nominal: Sequence[Any] = ()


Members = Iterable[Member] | Member | None
"""Those of a record; the one that a class stands for, without a name of its own; None for a class of another kind."""


class Reader:
    """Reads annotations; ``members`` says what a class consists of."""

    def __init__(self, members: Callable[[type], Members], *, python: bool) -> None:
        """``python``: values are the Python objects themselves, else what JSON holds in their place."""
        self._members = members
        self._python = python
        self._active: list[type] = []
        self._known: dict[Any, Shape] = {}

    def read(self, annotation: Any, path: str, metadata: Sequence[Any] = (), nominal: Sequence[Any] = ()) -> Shape:
        if own := [item for item in metadata if isinstance(item, Field)]:
            return own[0]
        name = (annotation, canonical(nominal) if nominal else b"")
        if metadata or not _hashable(name):
            return self._read(annotation, path, metadata, nominal)
        if name not in self._known:
            self._known[name] = self._read(annotation, path, metadata, nominal)
        return self._known[name]

    def _read(self, annotation: Any, path: str, metadata: Sequence[Any], nominal: Sequence[Any]) -> Shape:
        origin, args = typing.get_origin(annotation), typing.get_args(annotation)
        if origin is typing.Annotated:
            return self.read(args[0], path, [*args[1:], *metadata], nominal)
        if origin is typing.Union or origin is types.UnionType:
            return self._union(args, path, metadata, nominal)
        if origin is typing.Literal:
            return also(self._choice(args, path), self._held(nominal), path)
        if (supertype := getattr(annotation, "__supertype__", None)) is not None:
            return self.read(supertype, path, metadata, nominal)
        if origin in _LISTS or origin in _MAPS:
            return self._container(origin, args, path, metadata)
        if isinstance(annotation, type) and origin is None:
            return self._type(annotation, path, metadata, nominal)
        raise _unmapped(annotation, path)

    def _type(self, kind: type, path: str, metadata: Sequence[Any], nominal: Sequence[Any]) -> Shape:
        if issubclass(kind, enum.Enum):
            return also(self._choice(kind, path), self._held(nominal), path)
        if (make := _SCALARS.get(kind)) is not None:
            with at(path):
                field = make(_constraints(metadata), nominal, self._python)
            return also(field, nominal, path)
        if kind in _LISTS or kind in _MAPS:
            raise InputError(f"{where(path)}: {kind.__name__} does not say what it holds: write {kind.__name__}[...]")
        return self._record(kind, path, nominal)

    def _record(self, kind: type, path: str, nominal: Sequence[Any]) -> Shape:
        if kind in self._active:
            raise InputError(f"{where(path)}: {kind.__name__} contains itself, so it has no fixed set of fields")
        if (members := self._members(kind)) is None:
            raise _unmapped(kind, path)
        self._active.append(kind)
        try:
            if isinstance(members, Member):
                return self.read(members.annotation, path, members.metadata, members.nominal)
            return Record({member.name: self._member(member, path, nominal) for member in members})
        finally:
            self._active.pop()

    def _member(self, member: Member, path: str, outer: Sequence[Any]) -> Shape:
        """``outer``: whole records that are known to be good."""
        held = [getattr(record, member.name) for record in outer if hasattr(record, member.name)]
        return self.read(member.annotation, child(path, member.name), member.metadata, [*member.nominal, *held])

    def _union(self, args: Sequence[Any], path: str, metadata: Sequence[Any], nominal: Sequence[Any]) -> Shape:
        others = [arg for arg in args if arg is not types.NoneType]
        shapes = [self.read(other, path, metadata) for other in others]
        fields = [shape for shape in shapes if isinstance(shape, Field)]
        if len(fields) == len(shapes):
            return kinds.either(fields if len(others) == len(args) else [kinds.NULL, *fields], nominal, path)
        if len(others) > 1:
            raise InputError(f"{where(path)}: a choice between records or lists has no fixed set of fields")
        return self.read(others[0], path, metadata, nominal)

    def _container(self, origin: Any, args: Sequence[Any], path: str, metadata: Sequence[Any]) -> Shape:
        if origin in _MAPS:
            return Table(self.read(args[1], f"{path}[*]"))
        if origin is tuple and args[-1:] != (...,):
            return Row([self.read(arg, child(path, index)) for index, arg in enumerate(args)])
        limits = _constraints(metadata)
        return listing(self.read(args[0], f"{path}[*]"), limits.get("min_length", 0), limits.get("max_length"))

    def _choice(self, values: Iterable[Any], path: str) -> Choice:
        with at(path):
            return Choice(self._held(values))

    def _held(self, values: Iterable[Any]) -> list[Any]:
        if self._python:
            return list(values)
        return [value.value if isinstance(value, enum.Enum) else value for value in values]


_LISTS = (list, tuple, collections.abc.Sequence, collections.abc.MutableSequence)
_MAPS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)


_Limits = dict[str, Any]


def _number(limits: _Limits, nominal: Sequence[Any], python: bool) -> Field:
    return kinds.number(_bounds(limits), finite=limits.get("allow_inf_nan") is False)


def _text(limits: _Limits, nominal: Sequence[Any], python: bool) -> Field:
    if python and not limits:
        return kinds.share(Text)
    pattern = limits.get("pattern")
    wanted = getattr(pattern, "pattern", pattern)  # text, or a compiled pattern
    examples = [value for value in nominal if isinstance(value, str)] if wanted is not None else []
    return kinds.text(limits.get("min_length", 0), limits.get("max_length"), wanted, examples)


_SCALARS: dict[type, Callable[[_Limits, Sequence[Any], bool], Field]] = {
    bool: lambda limits, nominal, python: kinds.machine("bool"),
    int: lambda limits, nominal, python: kinds.integer(_bounds(limits)),
    float: _number,
    str: _text,
    bytes: lambda limits, nominal, python: kinds.octets(nominal),
    types.NoneType: lambda limits, nominal, python: kinds.NULL,
}
_LIMITS = ("ge", "gt", "le", "lt", "min_length", "max_length", "pattern", "allow_inf_nan", "multiple_of")


def _constraints(metadata: Iterable[Any]) -> _Limits:
    """The strictest of each kind."""
    found: _Limits = {}
    for item in _flat(metadata):
        for name in _LIMITS:
            if (limit := getattr(item, name, None)) is not None:
                stricter = min if name in ("le", "lt", "max_length") else max
                found[name] = stricter(found[name], limit) if name in found and _ordered(limit) else limit
    if "multiple_of" in found:
        raise InputError(
            "multiple_of cannot be said by a field: annotate it with one, Annotated[int, rw.Ordinal([...])]"
        )
    return found


def _ordered(limit: Any) -> bool:
    return isinstance(limit, int | float) and not isinstance(limit, bool)


def _flat(metadata: Iterable[Any]) -> Iterable[Any]:
    """A pydantic ``Field(...)`` within ``Annotated`` carries its constraints as metadata of its own."""
    for item in metadata:
        yield item
        if isinstance(inner := getattr(item, "metadata", None), list):
            yield from inner


def _bounds(limits: _Limits) -> Bounds:
    return Bounds(*(limits.get(name) for name in ("ge", "gt", "le", "lt")))


def _hashable(name: object) -> bool:
    """Not every annotation is, for the metadata of ``Annotated`` may be anything."""
    try:
        hash(name)
    except TypeError:
        return False
    return True


def _unmapped(annotation: Any, path: str) -> InputError:
    shown = annotation.__name__ if isinstance(annotation, type) else str(annotation)
    return InputError(
        f"{where(path)}: no field for {shown}: give one, Annotated[{shown}, rw.Choice([...])] for instance"
    )
