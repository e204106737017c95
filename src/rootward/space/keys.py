"""Identity of values: equal keys, same value, whatever the process, the platform or the hash seed.

Python says that ``1 == 1.0 == True`` and ``nan != nan``; a system under test disagrees. A canonical encoding tells
apart whatever a subject could tell apart (type, sign of zero) and lets NaN equal itself. Lists and tuples are the same
value, and so are mappings in another order, because both are lost on the way through a file.
"""

from __future__ import annotations

import dataclasses
import enum
import hashlib
import math
import struct
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import cloudpickle

from rootward.errors import InputError


def canonical(value: object) -> bytes:
    """The self-delimiting encoding of ``value``."""
    encode = _ENCODERS.get(type(value))
    return encode(value) if encode else _other(value)


def key(value: object) -> str:
    """A short name for ``value``: 32 hexadecimal digits, equal exactly for equal encodings."""
    return digest(canonical(value))


def digest(encoded: bytes) -> str:
    return hashlib.blake2b(encoded, digest_size=16).hexdigest()


def _float(value: float) -> bytes:
    # One width for all of them: with a shorter NaN, [nan, text] could be encoded like [number, other].
    return b"d" + struct.pack(">d", math.nan if math.isnan(value) else value)


def _text(value: str) -> bytes:
    encoded = value.encode("utf-8", "surrogatepass")
    return b"s%d:%b" % (len(encoded), encoded)


def _bytes(value: bytes) -> bytes:
    return b"b%d:%b" % (len(value), bytes(value))


def _sequence(value: Sequence[object]) -> bytes:
    return b"l%d:%b" % (len(value), b"".join(map(canonical, value)))


def _set(value: Collection[object]) -> bytes:
    return b"S%d:%b" % (len(value), b"".join(sorted(map(canonical, value))))


def _mapping(value: Mapping[Any, object]) -> bytes:
    return b"m%d:%b" % (len(value), b"".join(_pairs(value.items())))


def _pairs(items: Iterable[tuple[object, object]]) -> list[bytes]:
    return sorted([(_name(name) if type(name) is str else canonical(name)) + canonical(value) for name, value in items])


@lru_cache(maxsize=1 << 16)
def _name(name: str) -> bytes:
    """The names of fields come again with every configuration."""
    return _text(name)


def _other(value: object) -> bytes:
    """Kinds that are recognised by what they are, not by their exact type; anything else by its pickle."""
    if isinstance(value, enum.Enum):
        return b"e" + _text(f"{type(value).__qualname__}.{value.name or value.value}")  # a Flag without bits is unnamed
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = ((f.name, getattr(value, f.name)) for f in dataclasses.fields(value))
        return b"D" + _text(type(value).__qualname__) + b"".join(_pairs(fields)) + b";"
    if isinstance(value, Mapping):
        return _mapping(value)
    if callable(item := getattr(value, "item", None)) and getattr(value, "ndim", None) == 0:
        held = item()  # a NumPy scalar is the Python number it holds, if there is such a number
        if type(held) is not type(value):
            return canonical(held)
    for kind in (bool, int, float, str, bytes, list, tuple, set, frozenset):
        if isinstance(value, kind):
            return _ENCODERS[kind](value)
    try:
        return b"P" + _bytes(cloudpickle.dumps(value))
    except Exception as error:
        raise InputError(
            f"a value of type {type(value).__name__} cannot be told apart from others ({error}); "
            "use plain data (numbers, text, lists, mappings) or something that can be pickled"
        ) from error


_ENCODERS: dict[type, Callable[[Any], bytes]] = {
    type(None): lambda value: b"n",
    bool: lambda value: b"t" if value else b"f",
    int: lambda value: b"i%x;" % value,
    float: _float,
    str: _text,
    bytes: _bytes,
    list: _sequence,
    tuple: _sequence,
    dict: _mapping,
    set: _set,
    frozenset: _set,
}
