"""Write values as JSON and read them back without losing their type; convert NumPy scalars to plain Python values.

JSON has no NaN, no bytes and no sets, and not every reader preserves large integers. A value that JSON cannot express
is written as a mapping with one entry, whose key is its kind; so every mapping is written in this way, too. Any value
can be written, because a report must not fail because of an unusual one; an object that is not plain data is written as
its ``repr``, and rejected when it is read.
"""

from __future__ import annotations

import enum
import math
import sys
from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from typing import Any

from rootward.errors import InputError
from rootward.space.keys import canonical

MAX_EXACT_INTEGER = 2**53  # the largest integer that is exact for readers that store every number as a float


def scalar(value: Any) -> Any:
    """Return the Python value in a NumPy scalar. Any other value is returned unchanged."""
    return value.item() if type(value).__module__ == "numpy" and getattr(value, "ndim", None) == 0 else value


def to_json(value: object) -> Any:
    """Convert ``value`` to data that ``json`` writes without loss."""
    value = scalar(value)
    if isinstance(value, enum.Enum):
        return {"enum": [type(value).__module__, type(value).__qualname__, value.name]}
    if value is None or isinstance(value, bool | str):
        return value
    write = next((write for kind, write in _WRITERS.items() if isinstance(value, kind)), None)
    return write(value) if write else {"object": repr(value)}


def from_json(written: object) -> Any:
    """Convert the result of ``to_json`` back to the original value. Tuples become lists."""
    if isinstance(written, list):
        return [from_json(item) for item in written]
    if not isinstance(written, dict):
        return written
    try:
        ((kind, content),) = written.items()
        return _READERS[kind](content)
    except InputError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(f"{written!r} cannot be read back as a value") from error


def _enum(content: tuple[str, str, str]) -> enum.Enum:
    """Return a member of an enumeration.

    Its module must already be imported, because reading data must not import code.
    """
    module, qualname, name = content
    if module not in sys.modules:
        raise InputError(f"import {module} first: the enumeration {qualname} is defined there")
    found = attrgetter(qualname)(sys.modules[module])
    if not (isinstance(found, type) and issubclass(found, enum.Enum)):
        raise InputError(f"{module}.{qualname} is not an enumeration")
    return found[name]


def _items(values: Iterable[object]) -> list[Any]:
    return [to_json(value) for value in values]


def _set(values: Iterable[object]) -> dict[str, list[Any]]:
    return {"set": _items(sorted(values, key=canonical))}


_WRITERS: dict[type, Callable[[Any], Any]] = {
    int: lambda value: int(value) if abs(value) <= MAX_EXACT_INTEGER else {"int": hex(value)},
    float: lambda value: float(value) if math.isfinite(value) else {"float": repr(float(value))},
    bytes: lambda value: {"bytes": value.hex()},
    list: _items,
    tuple: _items,
    set: _set,
    frozenset: _set,
    Mapping: lambda value: {"map": [[to_json(key), to_json(item)] for key, item in value.items()]},
}

_READERS: dict[str, Callable[[Any], Any]] = {
    "int": lambda content: int(content, 16),
    "float": float,
    "bytes": bytes.fromhex,
    "set": lambda content: frozenset(_hashable(from_json(item)) for item in content),
    "map": lambda content: {_hashable(from_json(key)): from_json(item) for key, item in content},
    "enum": _enum,
}


def _hashable(value: Any) -> Any:
    return tuple(map(_hashable, value)) if isinstance(value, list) else value
