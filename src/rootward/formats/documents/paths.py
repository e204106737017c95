"""Places in a nested document: their names, and the document as a flat mapping from names to leaves.

The name of a place is ``a.b[0].c``, and ``a["x.y"]`` for a key that is no plain word.
Every place has exactly one name. A plain word is what Python calls an identifier; any other key is written as a JSON
string in brackets. The name of the whole document is empty. A flat document maps the name of every leaf to its value;
``flatten`` and ``nest`` are inverses. An empty list or object is a leaf, for it has no places below it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from rootward.errors import InputError
from rootward.space.fields import show

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


# A document and its flat form


def flatten(document: Any) -> dict[str, Any]:
    """Every leaf of a nested document by its name, ``{"a": [{"b": 1}]}`` as ``{"a[0].b": 1}``; see ``nest``."""
    return dict(_leaves(document, ""))


def nest(configuration: Mapping[str, Any]) -> Any:
    """The document whose leaves these are: the inverse of ``flatten``. InputError if the names do not fit together."""
    root = _Branch()
    for path, value in configuration.items():
        _put(root, path, value)
    if not root:
        raise InputError("no fields: a document has at least one leaf")
    return _grown(root[None], ())


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping) and value:
        for key, below in value.items():
            if not isinstance(key, str):
                raise InputError(f"{where(path)}: the keys of an object are texts, not {show(key)}")
            yield from _leaves(below, child(path, key))
    elif isinstance(value, list | tuple) and value:
        for index, below in enumerate(value):
            yield from _leaves(below, child(path, index))
    else:
        yield path, value


class _Branch(dict[Any, Any]):
    """Steps to what is below them. A class of its own, to tell it from a leaf that is a mapping."""


def _put(root: _Branch, path: str, value: Any) -> None:
    branch, last = root, None
    for step in parse(path):
        branch = branch.setdefault(last, _Branch())
        if type(branch) is not _Branch:
            raise _overlap(path)
        last = step
    if last in branch:
        raise _overlap(path)
    branch[last] = value


def _overlap(path: str) -> InputError:
    return InputError(f"{where(path)} and another field overlap: one is a part of the other")


def _grown(node: Any, steps: tuple[Step, ...]) -> Any:
    if type(node) is not _Branch:
        return node
    kinds = {type(step) for step in node}
    if kinds == {str}:
        return {step: _grown(below, (*steps, step)) for step, below in node.items()}
    if len(kinds) > 1:
        raise InputError(f"{where(write(steps))} has both keys and indices below it")
    for index in range(len(node)):
        if index not in node:
            raise InputError(f"{write((*steps, index))} is missing: the items of a list are numbered without a gap")
    return [_grown(node[index], (*steps, index)) for index in range(len(node))]
