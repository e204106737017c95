"""ROS messages: a definition in the .msg format of ROS 1 or ROS 2, read by the type system of rosbags.

Nested types come from the definition itself (as in bags, separated by lines of ``=``) or from a type store. Constants
do not become fields. ``byte`` and ``char`` are unsigned 8-bit integers, as in ROS 2.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rootward.errors import InputError, MissingExtra
from rootward.formats.documents.paths import child, display_path
from rootward.formats.files import read_text
from rootward.formats.interfaces.kinds import machine_field, text
from rootward.formats.interfaces.shapes import Lengths, ListingShape, RecordShape, RowShape, Shape, build
from rootward.space.space import Field, Space

if TYPE_CHECKING:
    from rosbags.typesys.store import Typestore


def from_ros(
    definition: str | Path | None, name: str, *, typestore: Typestore | None = None, lengths: Lengths | None = None
) -> Space:
    """Build the space of the message type ``name`` (``sensor_msgs/msg/Imu`` or ``sensor_msgs/Imu``).

    ``definition`` is the text of a .msg file, its path, or None for a type that ``typestore`` knows. The default
    ``typestore`` is that of the latest ROS 2. Arrays of variable length need ``lengths``.
    """
    try:
        from rosbags.typesys import Stores, get_typestore
        from rosbags.typesys.msg import normalize_msgtype
    except ImportError as error:
        raise MissingExtra("a ROS message", "interfaces") from error
    types = dict((typestore or get_typestore(Stores.LATEST)).fielddefs)
    types.update(_parse(_text(definition), name) if definition is not None else {})
    return build(_RosReader(types).message(normalize_msgtype(name), ""), lengths)


def _text(definition: str | Path) -> str:
    is_path = isinstance(definition, Path) or (definition.endswith(".msg") and "\n" not in definition)
    return read_text(definition) if is_path else str(definition)


def _parse(definition: str, name: str) -> Any:
    from rosbags.typesys import TypesysError, get_types_from_msg

    try:
        return get_types_from_msg(definition, name)
    except TypesysError as error:
        raise InputError(f"{name}: {_describe_fault(definition)}") from error


def _describe_fault(definition: str) -> str:
    """Describe the first line of the definition that is invalid if parsed alone.

    The parser itself reports only where it stopped.
    """
    from rosbags.typesys import TypesysError, get_types_from_msg

    for number, line in enumerate(definition.splitlines(), 1):
        try:
            get_types_from_msg("" if line.startswith(("====", "MSG:")) else line, "a/msg/A")
        except TypesysError:
            return f"line {number}: expected TYPE NAME, got {line.strip()!r}"
    return "not a valid message definition"


class _RosReader:
    def __init__(self, types: dict[str, Any]) -> None:
        self._types = types
        self._known: dict[str, RecordShape] = {}
        self._active: list[str] = []

    def message(self, name: str, path: str) -> RecordShape:
        if name in self._active:
            raise InputError(
                f"{display_path(path)}: the message {name} contains itself, so it has no fixed set of fields"
            )
        if name not in self._types:
            raise InputError(f"{display_path(path)}: unknown message type {name}: pass a typestore that defines it")
        if name not in self._known:
            self._active.append(name)
            _, fields = self._types[name]
            self._known[name] = RecordShape({field: self._shape(kind, child(path, field)) for field, kind in fields})
            self._active.pop()
        return self._known[name]

    def _shape(self, kind: Any, path: str) -> Shape:
        node, content = kind
        if node.name == "NAME":
            # The parser does not know ROS 2's wstring, and takes it for a message of the same package.
            return text() if content.endswith("/wstring") else self.message(content, path)
        if node.name == "BASE":
            name, size = content
            return _base(name, size, path)
        item, size = content
        below = self._shape(item, f"{path}[*]")
        return RowShape([below] * size) if node.name == "ARRAY" else ListingShape(below, 0, size or None)


def _base(name: str, size: int, path: str) -> Field:
    if name in ("string", "wstring"):
        return text(max_length=size or None)
    try:
        return machine_field(_ALIASES.get(name, name))
    except KeyError:
        raise InputError(f"{display_path(path)}: unsupported type {name}") from None


_ALIASES = {"byte": "uint8", "char": "uint8", "octet": "uint8"}
