"""A model file as a tree of texts, lists and entries, each with its file and line, before it is interpreted.

YAML is read as a stream of events: no tag is interpreted, so the file cannot construct objects. Keys and values are
the texts as written (``on`` is a word, ``0100`` keeps its zero). Plain Python values become the same tree, so that
a model written in Python is compiled in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import yaml

from rootward.errors import InputError
from rootward.formats.files import read_bytes

MAX_BYTES, MAX_DEPTH, MAX_VALUES = 5_000_000, 40, 250_000
"""Maximum number of bytes of a file, of nested levels, and of values (those that aliases repeat count again). Far more
than any model has; they stop files that would exhaust the memory."""
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_EMPTY = ("", "~", "null")


@dataclass(frozen=True, eq=False)
class Node:
    """A text, a list or entries of a model file, with its position."""

    value: str | tuple[Node, ...] | dict[str, Node]
    where: str
    """The file and the line; in Python, the path through the keys and items."""
    quoted: bool = False
    """True if it was quoted, and is therefore a text even if it looks like a number."""
    size: int = 1
    """Number of values in it, itself included."""

    def error(self, reason: str) -> InputError:
        """Return an error about this node, with its position."""
        return InputError(f"{self.where}: {reason}")

    def text(self, what: str) -> str:
        """Return the text. ``what`` describes what is expected here, for the error message."""
        if not isinstance(self.value, str):
            raise self.error(f"expected {what}, got {self._kind}")
        return self.value

    def items(self, what: str) -> tuple[Node, ...]:
        """Return the values of a list; a single text counts as a list of one."""
        if isinstance(self.value, dict):
            raise self.error(f"expected {what}, got {self._kind}")
        return self.value if isinstance(self.value, tuple) else (self,)

    def entries(self, what: str) -> dict[str, Node]:
        """Return the values by their keys; an empty value has no entries."""
        if isinstance(self.value, str) and self.value in _EMPTY and not self.quoted:
            return {}
        if not isinstance(self.value, dict):
            raise self.error(f"expected {what}, got {self._kind}")
        return self.value

    def checked_entries(self, what: str, allowed: Iterable[str]) -> dict[str, Node]:
        """Return the values by their keys. Raises InputError if a key is not in ``allowed``."""
        entries, allowed = self.entries(what), tuple(allowed)
        for key, node in entries.items():
            if key not in allowed:
                raise node.error(f"unknown key {key!r} in {what}: {suggest(key, allowed)}")
        return entries

    def part(self, text: str) -> Node:
        """Return a piece of this text as a node with the same position."""
        return Node(text, self.where)

    @property
    def _kind(self) -> str:
        return "a list" if isinstance(self.value, tuple) else "entries" if isinstance(self.value, dict) else "a text"


def suggest(name: str, allowed: Iterable[str]) -> str:
    """Return a hint for an unknown name: the most similar allowed name.

    If no allowed name is similar, the hint lists the first 30 of them.
    """
    allowed = list(allowed)
    if close := get_close_matches(name, allowed, 1):
        return f"did you mean {close[0]!r}?"
    return f"expected one of {', '.join(map(str, allowed[:30]))}" if allowed else "none is declared"


def from_python(value: object, where: str) -> Node:
    """Build the tree from texts, numbers, lists and mappings of Python. A text of digits stays a text."""
    if isinstance(value, Mapping):
        return Node({str(key): from_python(one, f"{where}, {key}") for key, one in value.items()}, where)
    if isinstance(value, list | tuple):
        return Node(tuple(from_python(one, f"{where}, item {i}") for i, one in enumerate(value, 1)), where)
    if isinstance(value, bool) or value is None:
        return Node("null" if value is None else str(value).lower(), where)
    if isinstance(value, int | float):
        return Node(str(value) if isinstance(value, float) or value < 0 else hex(value), where)
    if isinstance(value, str):
        return Node(value, where, quoted=value.isdigit())
    raise InputError(f"{where}: expected a text, a number, a list or a dict, got {type(value).__name__}")


def read_yaml(path: str | Path) -> Node:
    """Read a YAML file as a tree. Raises InputError if it cannot be read, is not YAML, or is too large."""
    content = read_bytes(path, MAX_BYTES)
    try:
        return parse_yaml(content.decode(), str(path))
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path} is not valid UTF-8: unexpected byte {content[error.start]:#04x} at offset {error.start}"
        ) from None


def parse_yaml(text: str, path: str) -> Node:
    """Read YAML as a tree. ``path`` is the name of the file, for messages."""
    try:
        return _NodeReader(path).read(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{path}, line {mark.line + 1}" if mark is not None else str(path)
        reason = getattr(error, "problem", None) or getattr(error, "reason", None) or "it cannot be parsed"
        raise InputError(f"{place}: not valid YAML: {reason}") from None


class _NodeReader:
    def __init__(self, path: str) -> None:
        self.path = path
        self._anchors: dict[str, Node] = {}

    def read(self, text: str) -> Node:
        self._events: Any = yaml.parse(text, Loader=_LOADER)
        found: Node | None = None
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                if found is not None:
                    raise InputError(f"{self._where(event)}: a model file must contain only one YAML document")
                found = self._node(next(self._events), 0)
        if found is None:
            raise InputError(f"{self.path} is empty: a model needs `model`, its name, and `components` or `services`")
        return found

    def _where(self, event: Any) -> str:
        return f"{self.path}, line {event.start_mark.line + 1}"

    def _node(self, event: Any, depth: int, where: str = "") -> Node:
        where = where or self._where(event)
        if isinstance(event, yaml.AliasEvent):
            if event.anchor not in self._anchors:
                raise InputError(f"{where}: the alias *{event.anchor} has no anchor &{event.anchor} before it")
            return self._anchors[event.anchor]
        if depth > MAX_DEPTH:
            raise InputError(f"{where}: nested more than {MAX_DEPTH} levels deep, the maximum for a model")
        if event.tag is not None and not (event.tag == "!" and isinstance(event, yaml.ScalarEvent)):
            raise InputError(f"{where}: YAML tags such as {event.tag} are not supported: write the value itself")
        found = self._content(event, depth, where)
        if found.size > MAX_VALUES:
            raise InputError(f"{where}: more than {MAX_VALUES:,} values, the maximum for a model")
        if event.anchor is not None:
            self._anchors[event.anchor] = found
        return found

    def _content(self, event: Any, depth: int, where: str) -> Node:
        if isinstance(event, yaml.ScalarEvent):
            return Node(event.value, where, quoted=bool(event.style))
        size = 1
        if isinstance(event, yaml.SequenceStartEvent):
            items = []
            while not isinstance(following := next(self._events), yaml.SequenceEndEvent):
                items.append(self._node(following, depth + 1))
                size = self._add_size(size, items[-1])
            return Node(tuple(items), where, size=size)
        entries: dict[str, Node] = {}
        while not isinstance(key := next(self._events), yaml.MappingEndEvent):
            name, there = self._key(key), self._where(key)
            if name in entries:
                raise InputError(f"{there}: the key {name!r} occurs twice")
            entries[name] = self._node(next(self._events), depth + 1, there)
            size = self._add_size(size, entries[name])
        return Node(entries, where, size=size)

    def _add_size(self, size: int, node: Node) -> int:
        if size + node.size > MAX_VALUES:
            raise InputError(f"{node.where}: more than {MAX_VALUES:,} values, the maximum for a model")
        return size + node.size

    def _key(self, event: Any) -> str:
        if not isinstance(event, yaml.ScalarEvent):
            raise InputError(f"{self._where(event)}: a key must be a text")
        return str(event.value)
