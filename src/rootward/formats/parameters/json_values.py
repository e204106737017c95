"""The scalars of a JSON text: where each stands, and what it could be instead."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from rootward.formats.json_tree import JsonTree, grown
from rootward.formats.parameters.parameters import Parameters, of
from rootward.formats.parameters.stated import Stated
from rootward.formats.parts import Edit, Span
from rootward.formats.tree import Collection, Separated
from rootward.interfaces.document import around
from rootward.interfaces.paths import Step, child
from rootward.space import Field

_MEMBER = re.compile(r'("(?:[^"\\]|\\.)*+")[ \t\n\r]*+:', re.DOTALL)


@dataclass(frozen=True)
class Scalar:
    """A number, a text, true, false or null in a JSON text."""

    path: str
    now: Any
    span: Span

    @cached_property
    def field(self) -> Field:
        return around(self.now, self.path)

    def edit(self, value: Any) -> Edit:
        return *self.span, json.dumps(value)


class _Grown(Protocol):
    """A tree of which it is known where its parts stand."""

    @property
    def spans(self) -> Sequence[Span]: ...
    @property
    def parents(self) -> Sequence[int | None]: ...
    @property
    def collections(self) -> Mapping[int | None, Collection]: ...


def read(document: JsonTree, kept: Sequence[int]) -> Parameters | None:
    """The kept values of a JSON document that are no collections, by their paths in the whole document."""
    contents, taken = [], dict[str, int]()
    for place, path, scalar in _places(document.text, document, sorted(kept), ""):
        taken[path] = taken.get(path, 0) + 1  # two members of one name are two parts
        name = path if taken[path] == 1 else f"{path} ({taken[path]})"
        contents.append(Stated(name, document[place], document, {name: scalar} if scalar else {}))

    def removed(name: str) -> bool:
        return any(name == path for _, path, _ in _places(document.text, document, range(len(document)), ""))

    return of(contents, removed, ordered=False)


def scalars(path: Path, text: str, span: Span, prefix: str) -> Iterator[Scalar]:
    """Those of the JSON value at that place of a text, with names that begin with ``prefix``."""
    start, end = span
    piece = text[start:end]
    tree = grown(path, piece, lines=False)
    for _, _, found in _places(piece, tree, range(len(tree.spans)), prefix):
        if found is not None:
            yield Scalar(found.path, found.now, (start + found.span[0], start + found.span[1]))


def _places(text: str, tree: _Grown, parts: Iterable[int], prefix: str) -> Iterator[tuple[int, str, Scalar | None]]:
    """Each of the parts, which come after what they lie in, with its path and the scalar that it is, if it is one."""
    paths: dict[int | None, str] = {None: prefix}
    steps = {part: i for collection in tree.collections.values() for i, part in enumerate(collection.items)}
    for part in parts:
        start, end = tree.spans[part]
        step: Step = steps[part]
        parent = tree.parents[part]
        inside = tree.collections[parent]
        if isinstance(inside, Separated) and text[inside.start - 1] == "{":
            step, start = _member(text, start)
        paths[part] = child(paths[parent], step)
        yield part, paths[part], None if part in tree.collections else _scalar(text, start, end, paths[part])


def _member(text: str, start: int) -> tuple[str, int]:
    """The name of a member, and where its value begins."""
    found = _MEMBER.match(text, start)
    assert found is not None
    return json.loads(found[1], strict=False), found.end()


def _scalar(text: str, start: int, end: int, path: str) -> Scalar | None:
    piece = text[start:end]
    start, end = start + len(piece) - len(piece.lstrip()), end - len(piece) + len(piece.rstrip())
    try:
        return Scalar(path, json.loads(text[start:end], strict=False), (start, end))
    except ValueError:  # Python reads no integer of more than 4300 digits
        return None
