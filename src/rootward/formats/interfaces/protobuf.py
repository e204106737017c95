"""Protocol buffers: the fields of a message type, each with the width that the wire format gives it.

Use a configuration as ``Message(**nest(configuration))``. Names are those of the .proto file, which JSON parsers accept
too. The values of an enumeration are names, because both a constructor and a JSON parser accept them; if a number has
several names, the first counts. Optional members are always present.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rootward.errors import InputError, MissingExtra
from rootward.formats.documents.paths import child, display_path
from rootward.formats.interfaces.kinds import add_values, choice, machine_field, octets, text
from rootward.formats.interfaces.shapes import Lengths, ListingShape, RecordShape, Shape, TableShape, build
from rootward.space.fields import show
from rootward.space.space import Field, Space


def from_protobuf(descriptor: Any, *, lengths: Lengths | None = None) -> Space:
    """Build the space of a message type, given as its ``Descriptor`` or its class.

    Repeated fields and maps need ``lengths``. A oneof becomes one more field, whose values are the names of the oneof's
    members. This field selects the member that counts; leave the other members out of the message. Bytes are Python
    bytes. A message that contains itself raises an InputError.
    """
    try:
        from google.protobuf.descriptor import Descriptor
    except ImportError as error:
        raise MissingExtra("a protobuf message", "interfaces") from error
    found = getattr(descriptor, "DESCRIPTOR", descriptor)
    if not isinstance(found, Descriptor):
        raise InputError(f"from_protobuf needs a message class or its Descriptor, not {show(descriptor)}")
    return build(_ProtobufReader().message(found, ""), lengths)


class _ProtobufReader:
    def __init__(self) -> None:
        self._known: dict[str, RecordShape] = {}
        self._active: list[str] = []

    def message(self, descriptor: Any, path: str) -> RecordShape:
        name = descriptor.full_name
        if name in self._active:
            raise InputError(
                f"{display_path(path)}: the message {name} contains itself, so it has no fixed set of fields"
            )
        if name not in self._known:
            self._active.append(name)
            self._known[name] = RecordShape(self._members(descriptor, path))
            self._active.pop()
        return self._known[name]

    def _members(self, descriptor: Any, path: str) -> dict[str, Shape]:
        members: dict[str, Shape] = {}
        for field in descriptor.fields:
            if (oneof := field.containing_oneof) is not None and len(oneof.fields) > 1:
                members.setdefault(oneof.name, choice(member.name for member in oneof.fields))
            members[field.name] = self._field(field, child(path, field.name))
        return members

    def _field(self, field: Any, path: str) -> Shape:
        if not field.is_repeated:
            return self._single(field, path)
        entry = field.message_type
        if entry is None or not entry.GetOptions().map_entry:
            return ListingShape(self._single(field, f"{path}[*]"))
        key, value = entry.fields_by_name["key"], entry.fields_by_name["value"]
        return TableShape(self._single(value, f"{path}[*]"), _FLAGS if key.type == key.TYPE_BOOL else None)

    def _single(self, field: Any, path: str) -> Shape:
        if field.message_type is not None:
            return self.message(field.message_type, path)
        if field.enum_type is None:
            return _scalar(field, path)
        names = {value.number: value.name for value in reversed(field.enum_type.values)}
        return choice(reversed(names.values()))


_FLAGS = ("false", "true")


def _scalar(field: Any, path: str) -> Field:
    nominal = [field.default_value] if field.has_default_value else []
    return octets(nominal) if field.type == _BYTES else add_values(_SCALARS[field.type](), nominal, path)


def _machine(name: str) -> Callable[[], Field]:
    return lambda: machine_field(name)


_BYTES = 12

# By the numbers that descriptor.proto fixes: the constants are in a package that may not be installed.
_SCALARS: dict[int, Callable[[], Field]] = {
    1: _machine("float64"),
    2: _machine("float32"),
    **dict.fromkeys((3, 16, 18), _machine("int64")),
    **dict.fromkeys((4, 6), _machine("uint64")),
    **dict.fromkeys((5, 15, 17), _machine("int32")),
    **dict.fromkeys((7, 13), _machine("uint32")),
    8: _machine("bool"),
    9: text,
}
