"""Paths in a nested document, and the document as a flat mapping from paths to leaves.

A path looks like ``a.b[0].c``. Every place in a document has exactly one path: a key that is a Python identifier is
written as it is, any other key as a JSON string in brackets (``a["x.y"]``). The path of the whole document is empty.
A flat document maps the path of every leaf to its value; ``flatten`` and ``nest`` are inverses. An empty list or object
is a leaf, because nothing lies below it.
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
    """Return the path one step below ``path``."""
    if isinstance(step, int):
        return f"{path}[{step}]"
    if not step.isidentifier():
        return f"{path}[{json.dumps(step, ensure_ascii=False)}]"
    return f"{path}.{step}" if path else step


def join(prefix: str, path: str) -> str:
    """Return the path that leads to ``prefix`` and from there on along ``path``."""
    return f"{prefix}.{path}" if prefix and path and not path.startswith("[") else prefix + path


def write(steps: Sequence[Step]) -> str:
    """Return the path that these steps form."""
    path = ""
    for step in steps:
        path = child(path, step)
    return path


@lru_cache(maxsize=1 << 16)  # every configuration repeats the field names of its space
def parse(path: str) -> tuple[Step, ...]:
    """Return the steps of a path. This is the inverse of ``write``.

    Raises InputError for a text that ``write`` never returns.
    """
    steps: list[Step] = []
    at = 0
    while at < len(path):
        step, at = _parse_step(path, at)
        steps.append(step)
    if (written := write(steps)) != path:
        raise InputError(f"{path!r} is not a valid path in a document: write {written!r}")
    return tuple(steps)


def display_path(path: str) -> str:
    """Return the path as a message shows it."""
    return path or "the top level"


def _parse_step(path: str, at: int) -> tuple[Step, int]:
    if found := _INDEX.match(path, at):
        return int(found[1]), found.end()
    if path.startswith('["', at):
        return _parse_quoted(path, at + 1)
    start = at + 1 if at and path[at] == "." else at
    if (found := _WORD.match(path, start)) and found[0].isidentifier() and (start > at or not at):
        return found[0], found.end()
    raise _invalid_path(path, at)


def _parse_quoted(path: str, at: int) -> tuple[str, int]:
    try:
        key, end = _DECODER.raw_decode(path, at)
    except json.JSONDecodeError:
        raise _invalid_path(path, at) from None
    if not path.startswith("]", end):
        raise _invalid_path(path, end)
    return key, end + 1


def _invalid_path(path: str, at: int) -> InputError:
    expected = 'expected a form such as a.b[0].c, or a["x.y"] for a key that is not an identifier'
    return InputError(f"{path!r} is not a valid path in a document (at character {at}): {expected}")


# A document and its flat form


def flatten(document: Any) -> dict[str, Any]:
    """Return every leaf of a nested document by its path. ``nest`` is the inverse.

    For example, ``{"a": [{"b": 1}]}`` becomes ``{"a[0].b": 1}``.
    """
    return dict(_leaves(document, ""))


def nest(configuration: Mapping[str, Any]) -> Any:
    """Build the document with these leaves. This is the inverse of ``flatten``.

    Raises InputError if the paths contradict each other.
    """
    root = _Branch()
    for path, value in configuration.items():
        _put(root, path, value)
    if not root:
        raise InputError("no fields given: a document needs at least one")
    return _build(root[None], ())


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping) and value:
        for key, below in value.items():
            if not isinstance(key, str):
                raise InputError(f"{display_path(path)}: the keys of an object must be strings, not {show(key)}")
            yield from _leaves(below, child(path, key))
    elif isinstance(value, list | tuple) and value:
        for index, below in enumerate(value):
            yield from _leaves(below, child(path, index))
    else:
        yield path, value


class _Branch(dict[Any, Any]):
    """A mapping from steps to what lies below them. The class distinguishes it from a leaf that is a mapping."""


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
    return InputError(f"{display_path(path)} and another field overlap: one lies inside the other")


def _build(node: Any, steps: tuple[Step, ...]) -> Any:
    if type(node) is not _Branch:
        return node
    kinds = {type(step) for step in node}
    if kinds == {str}:
        return {step: _build(below, (*steps, step)) for step, below in node.items()}
    if len(kinds) > 1:
        raise InputError(
            f"{display_path(write(steps))} is used both as an object (with keys) and as a list (with indices)"
        )
    for index in range(len(node)):
        if index not in node:
            raise InputError(f"{write((*steps, index))} is missing: list indices must run from 0 without gaps")
    return [_build(node[index], (*steps, index)) for index in range(len(node))]
