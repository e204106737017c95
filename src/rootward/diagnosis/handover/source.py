"""Values as Python source that gives them back: what a report or a test hands over must be the value that failed.

``repr`` alone does not do: it writes ``nan``, which is a name, and objects as whatever they like.
"""

from __future__ import annotations

import enum
import json
import math
from collections.abc import Callable, Mapping
from typing import Any

from rootward.errors import InputError
from rootward.space.values import scalar
from rootward.words import visible

WIDE = 100
"""A collection that is longer is written with a line for each of its items."""


def source(value: Any, indent: int = 0) -> str:
    """An expression for plain data; InputError for anything else. ``indent``: how far its first line is indented."""
    value = scalar(value)
    if value is None or isinstance(value, bool):
        return repr(value)
    if isinstance(value, enum.Enum):
        raise InputError(f"{value!r} cannot be written as Python: it is a member of {type(value).__name__}")
    for kind, write in _WRITERS.items():
        if isinstance(value, kind):
            return write(value, indent)
    raise InputError(f"a {type(value).__name__} cannot be written as Python")


def docstring(text: str) -> str:
    """A text of one or several lines as what a module begins with, whatever it contains."""
    inert = visible(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"""{inert}\n"""'


def _float(value: float) -> str:
    return repr(float(value)) if math.isfinite(value) else f'float("{float(value)!r}")'


def _int(value: int) -> str:
    return repr(int(value)) if abs(value) < 10**18 else hex(value)  # decimal digits of a very long one are refused


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False) if value.isprintable() else repr(value)


def _listed(first: str, last: str, items: list[str], indent: int) -> str:
    line = f"{first}{', '.join(items)}{last}"
    if len(line) + indent <= WIDE and "\n" not in line:
        return line
    inner = " " * (indent + 4)
    return "\n".join([first, *(f"{inner}{item}," for item in items), f"{' ' * indent}{last}"])


def _items(values: Any, indent: int) -> list[str]:
    return [source(value, indent + 4) for value in values]


def _mapping(value: Mapping[Any, Any], indent: int) -> str:
    pairs = [f"{source(key, indent + 4)}: {source(item, indent + 4)}" for key, item in value.items()]
    return _listed("{", "}", pairs, indent)


def _tuple(value: tuple[Any, ...], indent: int) -> str:
    return f"({source(value[0], indent)},)" if len(value) == 1 else _listed("(", ")", _items(value, indent), indent)


def _set(value: Any, indent: int) -> str:
    name = "frozenset" if isinstance(value, frozenset) else "set"
    return _listed(f"{name}([", "])", sorted(_items(value, indent)), indent)


_WRITERS: dict[type, Callable[[Any, int], str]] = {
    int: lambda value, _: _int(value),
    float: lambda value, _: _float(value),
    str: lambda value, _: _text(str(value)),
    bytes: lambda value, _: repr(bytes(value)),
    list: lambda value, indent: _listed("[", "]", _items(value, indent), indent),
    tuple: _tuple,
    set: _set,
    frozenset: _set,
    Mapping: _mapping,
}
