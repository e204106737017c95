"""Identity of values: equal keys mean the same value, in every process, on every platform, with every hash seed.

In Python, ``1 == 1.0 == True`` and ``nan != nan``; a system under test may disagree. The canonical encoding
distinguishes whatever a subject could distinguish (type, sign of zero), and NaN equals itself. Lists and tuples are the
same value, and so are mappings in another order, because a file does not preserve either difference.
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
    """Return the self-delimiting encoding of ``value``."""
    encode = _ENCODERS.get(type(value))
    return encode(value) if encode else _other(value)


def key(value: object) -> str:
    """Return a short name for ``value``: 32 hexadecimal digits. Names are equal exactly if the encodings are equal."""
    return digest(canonical(value))


def digest(encoded: bytes) -> str:
    return hashlib.blake2b(encoded, digest_size=16).hexdigest()


def _float(value: float) -> bytes:
    # All floats have the same width: with a shorter NaN, [nan, text] could be encoded like [number, other].
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
    """Encode the name of a field. Cached, because the same names occur in every configuration."""
    return _text(name)


def _other(value: object) -> bytes:
    """Encode a value whose exact type has no encoder.

    It is encoded by the kind of object that it is; if that is not known either, by its pickle.
    """
    if isinstance(value, enum.Enum):
        return b"e" + _text(f"{type(value).__qualname__}.{value.name or value.value}")  # a Flag without bits is unnamed
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = ((f.name, getattr(value, f.name)) for f in dataclasses.fields(value))
        return b"D" + _text(type(value).__qualname__) + b"".join(_pairs(fields)) + b";"
    if isinstance(value, Mapping):
        return _mapping(value)
    if callable(item := getattr(value, "item", None)) and getattr(value, "ndim", None) == 0:
        held = item()  # a NumPy scalar counts as the Python number it contains, if there is one
        if type(held) is not type(value):
            return canonical(held)
    for kind in (bool, int, float, str, bytes, list, tuple, set, frozenset):
        if isinstance(value, kind):
            return _ENCODERS[kind](value)
    try:
        return b"P" + _bytes(cloudpickle.dumps(value))
    except Exception as error:
        raise InputError(
            f"a value of type {type(value).__name__} has no identity, because it cannot be pickled ({error}); "
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
