"""Python classes as spaces: dataclasses and pydantic models, by the annotations of their members.

A class with annotated members is a record. Dataclasses and pydantic models differ only in how their members are listed,
so one `AnnotationReader` serves both. A rootward field in the metadata of ``Annotated`` overrides everything else.
Constraints are recognised by their attributes (``ge``, ``max_length``, ...), which `annotated_types` and pydantic
share.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import enum
import types
import typing
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rootward.errors import InputError
from rootward.formats.documents.paths import child, display_path
from rootward.formats.interfaces import kinds
from rootward.formats.interfaces.kinds import NumberBounds, add_values, locate_errors
from rootward.formats.interfaces.shapes import Lengths, RecordShape, RowShape, Shape, TableShape, build, listing
from rootward.space.fields import show
from rootward.space.keys import canonical
from rootward.space.space import Choice, Field, Space, Text

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic.fields import FieldInfo


def from_dataclass(cls: type, *, lengths: Lengths | None = None) -> Space:
    """Build the space of a dataclass's members.

    Supported are ``bool``, ``int`` (64 bits), ``float``, ``str``, ``bytes``, enumerations, ``Literal``, ``Optional``
    (None is one more value), unions of scalars, nested dataclasses and tuples; ``list[X]`` and ``dict[str, X]`` need
    ``lengths``. A rootward field overrides the annotation, given as ``Annotated[int, rw.Int(0, 10)]`` or as
    ``field(metadata={"rootward": rw.Int(0, 10)})``. Defaults are among the values to try. Members with ``init=False``
    are skipped. The values are the Python objects that the members hold, so those of an enumeration are its members.
    """
    if not _is_dataclass(cls):
        raise InputError(f"from_dataclass needs a dataclass, not {show(cls)}")
    return build(AnnotationReader(dataclass_members, python=True).read(cls, ""), lengths)


def from_pydantic(model: type[BaseModel], *, lengths: Lengths | None = None) -> Space:
    """Build the space of a pydantic (version 2) model's fields.

    Supports what `from_dataclass` supports, and ``ge``, ``gt``, ``le``, ``lt`` (exact, for integers and floats),
    ``min_length``, ``max_length``, ``pattern`` and ``allow_inf_nan``, wherever they are given. Defaults and examples
    are among the values to try. A field with an alias has that name. The values are JSON values (those of an
    enumeration are its members' values), so that ``model.model_validate(nest(configuration))`` accepts them.
    """
    if not _is_model(model):
        raise InputError(f"from_pydantic needs a pydantic model class, not {show(model)}")
    return build(AnnotationReader(_model_members, python=False).read(model, ""), lengths)


@dataclass(frozen=True, slots=True)
class AnnotatedMember:
    """One annotated member; ``nominal`` holds its default and its examples."""

    name: str
    annotation: Any
    metadata: Sequence[Any] = ()
    nominal: Sequence[Any] = ()


Members = Iterable[AnnotatedMember] | AnnotatedMember | None
"""The members of a record; a single member if the class only wraps it (a root model); None for any other class."""


class AnnotationReader:
    """Turns annotations into shapes; ``members`` lists the members of a class."""

    def __init__(self, members: Callable[[type], Members], *, python: bool) -> None:
        """:param python: True if values are Python objects, False if they are their JSON counterparts"""
        self._members = members
        self._python = python
        self._active: list[type] = []
        self._known: dict[Any, Shape] = {}

    def read(self, annotation: Any, path: str, metadata: Sequence[Any] = (), nominal: Sequence[Any] = ()) -> Shape:
        if own := [item for item in metadata if isinstance(item, Field)]:
            return own[0]
        name = (annotation, canonical(nominal) if nominal else b"")
        if metadata or not _is_hashable(name):
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
            return add_values(self._choice(args, path), self._to_values(nominal), path)
        if (supertype := getattr(annotation, "__supertype__", None)) is not None:
            return self.read(supertype, path, metadata, nominal)
        if origin in _LISTS or origin in _MAPS:
            return self._container(origin, args, path, metadata)
        if isinstance(annotation, type) and origin is None:
            return self._type(annotation, path, metadata, nominal)
        raise _unsupported_type(annotation, path)

    def _type(self, kind: type, path: str, metadata: Sequence[Any], nominal: Sequence[Any]) -> Shape:
        if issubclass(kind, enum.Enum):
            return add_values(self._choice(kind, path), self._to_values(nominal), path)
        if (make := _SCALARS.get(kind)) is not None:
            with locate_errors(path):
                field = make(_constraints(metadata), nominal, self._python)
            return add_values(field, nominal, path)
        if kind in _LISTS or kind in _MAPS:
            raise InputError(
                f"{display_path(path)}: {kind.__name__} needs the type of its items: write {kind.__name__}[...]"
            )
        return self._record(kind, path, nominal)

    def _record(self, kind: type, path: str, nominal: Sequence[Any]) -> Shape:
        if kind in self._active:
            raise InputError(f"{display_path(path)}: {kind.__name__} contains itself, so it has no fixed set of fields")
        if (members := self._members(kind)) is None:
            raise _unsupported_type(kind, path)
        self._active.append(kind)
        try:
            if isinstance(members, AnnotatedMember):
                return self.read(members.annotation, path, members.metadata, members.nominal)
            return RecordShape({member.name: self._member(member, path, nominal) for member in members})
        finally:
            self._active.pop()

    def _member(self, member: AnnotatedMember, path: str, outer: Sequence[Any]) -> Shape:
        """Read one member. ``outer`` holds valid values of the whole class, which give valid values of the member."""
        held = [getattr(record, member.name) for record in outer if hasattr(record, member.name)]
        return self.read(member.annotation, child(path, member.name), member.metadata, [*member.nominal, *held])

    def _union(self, args: Sequence[Any], path: str, metadata: Sequence[Any], nominal: Sequence[Any]) -> Shape:
        others = [arg for arg in args if arg is not types.NoneType]
        shapes = [self.read(other, path, metadata) for other in others]
        fields = [shape for shape in shapes if isinstance(shape, Field)]
        if len(fields) == len(shapes):
            return kinds.merge_fields(fields if len(others) == len(args) else [kinds.NULL, *fields], nominal, path)
        if len(others) > 1:
            raise InputError(f"{display_path(path)}: a union of records or lists has no fixed set of fields")
        return self.read(others[0], path, metadata, nominal)

    def _container(self, origin: Any, args: Sequence[Any], path: str, metadata: Sequence[Any]) -> Shape:
        if origin in _MAPS:
            return TableShape(self.read(args[1], f"{path}[*]"))
        if origin is tuple and args[-1:] != (...,):
            return RowShape([self.read(arg, child(path, index)) for index, arg in enumerate(args)])
        limits = _constraints(metadata)
        return listing(self.read(args[0], f"{path}[*]"), limits.get("min_length", 0), limits.get("max_length"))

    def _choice(self, values: Iterable[Any], path: str) -> Choice:
        with locate_errors(path):
            return Choice(self._to_values(values))

    def _to_values(self, values: Iterable[Any]) -> list[Any]:
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
    bool: lambda limits, nominal, python: kinds.machine_field("bool"),
    int: lambda limits, nominal, python: kinds.integer(_bounds(limits)),
    float: _number,
    str: _text,
    bytes: lambda limits, nominal, python: kinds.octets(nominal),
    types.NoneType: lambda limits, nominal, python: kinds.NULL,
}
_LIMITS = ("ge", "gt", "le", "lt", "min_length", "max_length", "pattern", "allow_inf_nan", "multiple_of")


def _constraints(metadata: Iterable[Any]) -> _Limits:
    """Return the constraints in the metadata.

    Of several limits of one kind, the strictest counts; of several patterns or flags, the last.
    """
    found: _Limits = {}
    for item in _flatten_metadata(metadata):
        for name in _LIMITS:
            if (limit := getattr(item, name, None)) is not None:
                stricter = min if name in ("le", "lt", "max_length") else max
                found[name] = stricter(found[name], limit) if name in found and _is_number(limit) else limit
    if "multiple_of" in found:
        raise InputError(
            "multiple_of is not supported: list the values in the annotation, as in Annotated[int, rw.Ordinal([...])]"
        )
    return found


def _is_number(limit: Any) -> bool:
    return isinstance(limit, int | float) and not isinstance(limit, bool)


def _flatten_metadata(metadata: Iterable[Any]) -> Iterable[Any]:
    """Yield the metadata, including the metadata of a pydantic ``Field(...)`` within ``Annotated``."""
    for item in metadata:
        yield item
        if isinstance(inner := getattr(item, "metadata", None), list):
            yield from inner


def _bounds(limits: _Limits) -> NumberBounds:
    return NumberBounds(*(limits.get(name) for name in ("ge", "gt", "le", "lt")))


def _is_hashable(name: object) -> bool:
    """Return True if ``name`` is hashable. An ``Annotated`` with unhashable metadata is not."""
    try:
        hash(name)
    except TypeError:
        return False
    return True


def _unsupported_type(annotation: Any, path: str) -> InputError:
    shown = annotation.__name__ if isinstance(annotation, type) else str(annotation)
    return InputError(
        f"{display_path(path)}: unsupported type {shown}: add a field, as in Annotated[{shown}, rw.Choice([...])]"
    )


# Dataclasses


def _is_dataclass(cls: object) -> bool:
    return isinstance(cls, type) and dataclasses.is_dataclass(cls)


def dataclass_members(cls: type) -> Iterable[AnnotatedMember] | None:
    """Return the members of a dataclass; None for any other class."""
    if not dataclasses.is_dataclass(cls):
        return None
    hints = _hints(cls)
    return [_dataclass_member(field, hints[field.name]) for field in dataclasses.fields(cls) if field.init]


def _dataclass_member(field: dataclasses.Field[Any], annotation: Any) -> AnnotatedMember:
    own = [field.metadata["rootward"]] if "rootward" in field.metadata else []
    if own and not isinstance(own[0], Field):
        raise InputError(
            f"{field.name}: the metadata 'rootward' must be a field such as rw.Int(0, 10), not {show(own[0])}"
        )
    return AnnotatedMember(field.name, annotation, own, [] if field.default is dataclasses.MISSING else [field.default])


def _hints(cls: type) -> dict[str, Any]:
    try:
        return typing.get_type_hints(cls, include_extras=True)
    except NameError as error:
        raise InputError(
            f"{cls.__name__}: an annotation cannot be resolved ({error}): define that name at module level"
        ) from error


# Pydantic models


def _is_model(model: object) -> bool:
    from pydantic import BaseModel

    return isinstance(model, type) and issubclass(model, BaseModel)


def _model_members(cls: type) -> Members:
    from pydantic import BaseModel, RootModel

    if not issubclass(cls, BaseModel):
        return dataclass_members(cls)
    finite = [_Finite] if cls.model_config.get("allow_inf_nan") is False else []
    members = [_model_member(name, info, finite) for name, info in cls.model_fields.items()]
    return members[0] if issubclass(cls, RootModel) else members


class _Finite:
    """Metadata that forbids infinities and NaN. It stands for that setting in a model's ``model_config``."""

    allow_inf_nan = False


def _model_member(name: str, info: FieldInfo, metadata: list[Any]) -> AnnotatedMember:
    from pydantic_core import PydanticUndefined

    default = [] if info.default is PydanticUndefined else [info.default]
    alias = info.validation_alias if isinstance(info.validation_alias, str) else info.alias
    return AnnotatedMember(
        alias or name, info.annotation, [*info.metadata, *metadata], [*default, *(info.examples or [])]
    )
