"""A document and its flat form, and the space around a sample document.

A flat document maps the name of every leaf (`paths`) to its value; ``flatten`` and ``nest`` are inverses. An empty list
or object is a leaf, for it has no places below it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rootward.errors import InputError
from rootward.fields import Text, show
from rootward.interfaces.files import read_json
from rootward.interfaces.kinds import Bounds, also, choice, machine, number, share
from rootward.interfaces.paths import Step, child, parse, where, write
from rootward.space import Field, Int, Ordinal, Space

_UNKNOWN = (None, False, True, 0, 1, -1, 0.5, "", "a")


def from_document(document: Any) -> Space:
    """The space around a sample: each leaf is a field of its type, which tries the leaf's own value too.

    ``document`` is a parsed JSON value; a text or a Path is the path of a JSON file. Integers have 64 bits, unsigned if
    the sample needs it; a larger one is kept, among the others that are tried, as an ordinal. A null says nothing of
    its type: its field tries None and a few plain values of each type. An empty list or object stays as it is.
    """
    sample = flatten(read_json(document) if isinstance(document, str | Path) else document)
    return Space([(path, around(value, path)) for path, value in sample.items()])


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


def around(value: Any, path: str) -> Field:
    """The field around one leaf; InputError if it is none of a JSON document."""
    if isinstance(value, bool):
        return machine("bool")
    if isinstance(value, int):
        return _integer(value, path)
    if value is None:
        return choice(_UNKNOWN)
    if isinstance(value, float):
        finite = math.isfinite(value)  # JSON holds no other numbers, unless this one was written all the same
        return also(number(Bounds(), finite=finite), [value], path)
    if isinstance(value, str):
        return also(share(Text), [value], path)
    if isinstance(value, dict | list | tuple):
        return choice([value])
    raise InputError(f"{where(path)} = {show(value)} ({type(value).__name__}): a document holds JSON values only")


def _integer(value: int, path: str) -> Field:
    field = share(Int, None, None, 64, value < 1 << 63)
    return also(field, [value], path) if field.contains(value) else share(Ordinal, sorted([*field.values, value]))
