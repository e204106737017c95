"""Dataclasses: each annotated member is a field, or the fields of the dataclass it holds.

The values are the Python objects that the members hold: enumerations stand for their members.
"""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Iterable
from typing import Any

from rootward.errors import InputError
from rootward.fields import show
from rootward.interfaces.annotations import Member, Reader
from rootward.interfaces.shapes import Lengths, build
from rootward.space import Field, Space


def from_dataclass(cls: type, *, lengths: Lengths | None = None) -> Space:
    """The space of a dataclass's members.

    ``bool``, ``int`` (64 bits), ``float``, ``str``, ``bytes``, enumerations, ``Literal``, ``Optional`` (None is another
    value), unions of scalars, nested dataclasses and tuples are understood; ``list[X]`` and ``dict[str, X]`` need their
    ``lengths``. A rootward field wins, given as ``Annotated[int, rw.Int(0, 10)]`` or as ``field(metadata={"rootward":
    rw.Int(0, 10)})``. A default is among the values to try. Members with ``init=False`` are no input.
    """
    if not _is_dataclass(cls):
        raise InputError(f"from_dataclass needs a class made by @dataclass, not {show(cls)}")
    return build(Reader(members, python=True).read(cls, ""), lengths)


def _is_dataclass(cls: object) -> bool:
    return isinstance(cls, type) and dataclasses.is_dataclass(cls)


def members(cls: type) -> Iterable[Member] | None:
    """Those of a dataclass; None for any other class."""
    if not dataclasses.is_dataclass(cls):
        return None
    hints = _hints(cls)
    return [_member(field, hints[field.name]) for field in dataclasses.fields(cls) if field.init]


def _member(field: dataclasses.Field[Any], annotation: Any) -> Member:
    own = [field.metadata["rootward"]] if "rootward" in field.metadata else []
    if own and not isinstance(own[0], Field):
        raise InputError(
            f"{field.name}: the metadata 'rootward' is {show(own[0])}: expected a field such as rw.Int(0, 10)"
        )
    return Member(field.name, annotation, own, [] if field.default is dataclasses.MISSING else [field.default])


def _hints(cls: type) -> dict[str, Any]:
    try:
        return typing.get_type_hints(cls, include_extras=True)
    except NameError as error:
        raise InputError(f"{cls.__name__}: an annotation cannot be read ({error}): define it in a module") from error
