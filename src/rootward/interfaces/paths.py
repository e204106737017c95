"""The name of a place in a nested document: ``a.b[0].c``, and ``a["x.y"]`` for a key that is no plain word.

Every place has exactly one name. A plain word is what Python calls an identifier; any other key is written as a JSON
string in brackets. The name of the whole document is empty.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import lru_cache

from rootward.errors import InputError

Step = str | int
"""A key of an object, or an index of a list."""

_INDEX = re.compile(r"\[(0|[1-9][0-9]*)\]")
_WORD = re.compile(r"[^.\[]+")
_DECODER = json.JSONDecoder(strict=False)


def child(path: str, step: Step) -> str:
    """The name of what lies one step below ``path``."""
    if isinstance(step, int):
        return f"{path}[{step}]"
    if not step.isidentifier():
        return f"{path}[{json.dumps(step, ensure_ascii=False)}]"
    return f"{path}.{step}" if path else step


def join(prefix: str, path: str) -> str:
    """The name that ``path`` has below ``prefix``."""
    return f"{prefix}.{path}" if prefix and path and not path.startswith("[") else prefix + path


def write(steps: Sequence[Step]) -> str:
    """The name of the place that these steps lead to."""
    path = ""
    for step in steps:
        path = child(path, step)
    return path


@lru_cache(maxsize=1 << 16)  # the names of a space come again with every configuration
def parse(path: str) -> tuple[Step, ...]:
    """The inverse of ``write``; InputError for a text that it never gives."""
    steps: list[Step] = []
    at = 0
    while at < len(path):
        step, at = _step(path, at)
        steps.append(step)
    if (written := write(steps)) != path:
        raise InputError(f"{path!r} is not the name of a place in a document: write {written!r}")
    return tuple(steps)


def where(path: str) -> str:
    """The place, for a message."""
    return path or "the top level"


def _step(path: str, at: int) -> tuple[Step, int]:
    if found := _INDEX.match(path, at):
        return int(found[1]), found.end()
    if path.startswith('["', at):
        return _quoted(path, at + 1)
    start = at + 1 if at and path[at] == "." else at
    if (found := _WORD.match(path, start)) and found[0].isidentifier() and (start > at or not at):
        return found[0], found.end()
    raise _unreadable(path, at)


def _quoted(path: str, at: int) -> tuple[str, int]:
    try:
        key, end = _DECODER.raw_decode(path, at)
    except json.JSONDecodeError:
        raise _unreadable(path, at) from None
    if not path.startswith("]", end):
        raise _unreadable(path, end)
    return key, end + 1


def _unreadable(path: str, at: int) -> InputError:
    expected = 'expected the form a.b[0].c, with a key that is no plain word as in a["x.y"]'
    return InputError(f"{path!r} is not the name of a place in a document (character {at}): {expected}")
