"""What a model file says, before anybody knows what it means: texts, lists and entries, each with its place.

YAML is read as events, so no tag is obeyed and nothing is built that was not written. Keys and values are texts as they
stand there (``on`` is a word, ``0100`` keeps its zero). The same tree is made of plain Python values, so that a model
written in Python goes the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import yaml

from rootward.errors import InputError

LARGEST, DEEPEST, MOST = 5_000_000, 40, 250_000
"""Bytes of a file, levels, and values with what aliases repeat: far more than any model has."""
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NOTHING = ("", "~", "null")


@dataclass(frozen=True, eq=False)
class Node:
    value: str | tuple[Node, ...] | dict[str, Node]
    where: str
    """The file and the line, or the way to it in Python."""
    quoted: bool = False
    """Whether it was marked as a text, whatever it looks like."""
    size: int = 1

    def wrong(self, reason: str) -> InputError:
        return InputError(f"{self.where}: {reason}")

    def text(self, what: str) -> str:
        if not isinstance(self.value, str):
            raise self.wrong(f"expected {what}, got {self._kind}")
        return self.value

    def items(self, what: str) -> tuple[Node, ...]:
        """The values of a list; a single text is a list of one."""
        if isinstance(self.value, dict):
            raise self.wrong(f"expected {what}, got {self._kind}")
        return self.value if isinstance(self.value, tuple) else (self,)

    def entries(self, what: str) -> dict[str, Node]:
        """The values by their keys; nothing at all means none."""
        if isinstance(self.value, str) and self.value in _NOTHING and not self.quoted:
            return {}
        if not isinstance(self.value, dict):
            raise self.wrong(f"expected {what}, got {self._kind}")
        return self.value

    def only(self, what: str, allowed: Iterable[str]) -> dict[str, Node]:
        """The entries, if their keys are all allowed."""
        entries, allowed = self.entries(what), tuple(allowed)
        for key, node in entries.items():
            if key not in allowed:
                raise node.wrong(f"{what} has no {key!r}: {nearest(key, allowed)}")
        return entries

    def part(self, text: str) -> Node:
        """A piece of this text, in the same place."""
        return Node(text, self.where)

    @property
    def _kind(self) -> str:
        return "a list" if isinstance(self.value, tuple) else "entries" if isinstance(self.value, dict) else "a text"


def nearest(name: str, allowed: Iterable[str]) -> str:
    """What may have been meant, or all that is allowed."""
    allowed = list(allowed)
    if close := get_close_matches(name, allowed, 1):
        return f"did you mean {close[0]!r}?"
    return f"allowed are {', '.join(map(str, allowed[:30]))}" if allowed else "there are none"


def plain(value: object, where: str) -> Node:
    """The tree of texts, numbers, lists and mappings of Python. A text that looks like a number stays a text."""
    if isinstance(value, Mapping):
        return Node({str(key): plain(one, f"{where}, {key}") for key, one in value.items()}, where)
    if isinstance(value, list | tuple):
        return Node(tuple(plain(one, f"{where}, item {i}") for i, one in enumerate(value, 1)), where)
    if isinstance(value, bool) or value is None:
        return Node("null" if value is None else str(value).lower(), where)
    if isinstance(value, int | float):
        return Node(str(value) if isinstance(value, float) or value < 0 else hex(value), where)
    if isinstance(value, str):
        return Node(value, where, quoted=value.isdigit())
    raise InputError(f"{where}: expected a text, a number, a list or a dict, got {type(value).__name__}")


def read(path: str | Path) -> Node:
    """The tree of a YAML file. InputError if it is none, or larger than a model can be."""
    try:
        with open(path, "rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise InputError(f"{str(path)!r} cannot be read: {error}") from None
    if len(content) > LARGEST:
        raise InputError(f"{path} is larger than {LARGEST:,} bytes, which no model is")
    try:
        return _Reader(str(path)).read(content.decode())
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not text in UTF-8: byte {error.start} is {content[error.start]:#04x}") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{path}, line {mark.line + 1}" if mark is not None else str(path)
        reason = getattr(error, "problem", None) or getattr(error, "reason", None) or "it cannot be parsed"
        raise InputError(f"{place}: not YAML: {reason}") from None


class _Reader:
    def __init__(self, path: str) -> None:
        self.path = path
        self._anchors: dict[str, Node] = {}

    def read(self, text: str) -> Node:
        self._events: Any = yaml.parse(text, Loader=_LOADER)
        found: Node | None = None
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                if found is not None:
                    raise InputError(f"{self._where(event)}: a model file has one document only")
                found = self._node(next(self._events), 0)
        if found is None:
            raise InputError(f"{self.path} is empty: a model has a name, `model`, and `components` or `services`")
        return found

    def _where(self, event: Any) -> str:
        return f"{self.path}, line {event.start_mark.line + 1}"

    def _node(self, event: Any, depth: int, where: str = "") -> Node:
        where = where or self._where(event)
        if isinstance(event, yaml.AliasEvent):
            if event.anchor not in self._anchors:
                raise InputError(f"{where}: *{event.anchor} stands for nothing that was written before")
            return self._anchors[event.anchor]
        if depth > DEEPEST:
            raise InputError(f"{where}: more than {DEEPEST} levels, which no model has")
        if event.tag is not None and not (event.tag == "!" and isinstance(event, yaml.ScalarEvent)):
            raise InputError(f"{where}: the tag {event.tag} is not obeyed: write the value itself")
        found = self._content(event, depth, where)
        if found.size > MOST:
            raise InputError(f"{where}: more than {MOST:,} values, which no model has")
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
                size = self._sum(size, items[-1])
            return Node(tuple(items), where, size=size)
        entries: dict[str, Node] = {}
        while not isinstance(key := next(self._events), yaml.MappingEndEvent):
            name, there = self._key(key), self._where(key)
            if name in entries:
                raise InputError(f"{there}: {name!r} is there twice")
            entries[name] = self._node(next(self._events), depth + 1, there)
            size = self._sum(size, entries[name])
        return Node(entries, where, size=size)

    def _sum(self, size: int, node: Node) -> int:
        if size + node.size > MOST:
            raise InputError(f"{node.where}: more than {MOST:,} values, which no model has")
        return size + node.size

    def _key(self, event: Any) -> str:
        if not isinstance(event, yaml.ScalarEvent):
            raise InputError(f"{self._where(event)}: a key is a text")
        return str(event.value)
