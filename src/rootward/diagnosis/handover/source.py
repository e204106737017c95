"""Write values as Python source that evaluates to exactly these values: a test must contain the value that failed.

``repr`` is not enough: it writes ``nan``, which is an undefined name, and the repr of an object may be any text.
"""

from __future__ import annotations

import enum
import json
import math
from collections.abc import Callable, Mapping
from typing import Any

from rootward.errors import InputError
from rootward.space.values import scalar
from rootward.words import make_visible

MAX_LINE_LENGTH = 100
"""Maximum length of a collection on one line; a longer one is written with a line for each item."""


def source(value: Any, indent: int = 0) -> str:
    """Return a Python expression for plain data. Raises InputError for anything else.

    ``indent``: the indentation of the line on which the expression begins.
    """
    value = scalar(value)
    if value is None or isinstance(value, bool):
        return repr(value)
    if isinstance(value, enum.Enum):
        raise InputError(f"{value!r} cannot be written as Python source: it is a member of {type(value).__name__}")
    for kind, write in _WRITERS.items():
        if isinstance(value, kind):
            return write(value, indent)
    raise InputError(f"a value of type {type(value).__name__} cannot be written as Python source")


def docstring(text: str) -> str:
    """Return a text as the docstring of a module; special characters are escaped."""
    inert = make_visible(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"""{inert}\n"""'


def _float(value: float) -> str:
    return repr(float(value)) if math.isfinite(value) else f'float("{float(value)!r}")'


def _int(value: int) -> str:
    return repr(int(value)) if abs(value) < 10**18 else hex(value)  # Python refuses very long decimal literals


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False) if value.isprintable() else repr(value)


def _write_items(first: str, last: str, items: list[str], indent: int) -> str:
    line = f"{first}{', '.join(items)}{last}"
    if len(line) + indent <= MAX_LINE_LENGTH and "\n" not in line:
        return line
    inner = " " * (indent + 4)
    return "\n".join([first, *(f"{inner}{item}," for item in items), f"{' ' * indent}{last}"])


def _items(values: Any, indent: int) -> list[str]:
    return [source(value, indent + 4) for value in values]


def _mapping(value: Mapping[Any, Any], indent: int) -> str:
    pairs = [f"{source(key, indent + 4)}: {source(item, indent + 4)}" for key, item in value.items()]
    return _write_items("{", "}", pairs, indent)


def _tuple(value: tuple[Any, ...], indent: int) -> str:
    return (
        f"({source(value[0], indent)},)" if len(value) == 1 else _write_items("(", ")", _items(value, indent), indent)
    )


def _set(value: Any, indent: int) -> str:
    name = "frozenset" if isinstance(value, frozenset) else "set"
    return _write_items(f"{name}([", "])", sorted(_items(value, indent)), indent)


_WRITERS: dict[type, Callable[[Any, int], str]] = {
    int: lambda value, _: _int(value),
    float: lambda value, _: _float(value),
    str: lambda value, _: _text(str(value)),
    bytes: lambda value, _: repr(bytes(value)),
    list: lambda value, indent: _write_items("[", "]", _items(value, indent), indent),
    tuple: _tuple,
    set: _set,
    frozenset: _set,
    Mapping: _mapping,
}
