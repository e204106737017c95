"""The values inside plain Python elements: numbers, texts, and mappings, lists and dataclasses of them."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from rootward.formats.documents.paths import child
from rootward.formats.interfaces.samples import field_around
from rootward.formats.parameters.parameters import Parameters, build_parameters, member_names
from rootward.space.space import Field

_SCALARS = (bool, int, float, str, type(None))
_NAME = re.compile(r"E([1-9][0-9]*)(?=[.\[]|\Z)")


@dataclasses.dataclass(frozen=True)
class Item:
    """One element of a list."""

    name: str
    element: Any

    @cached_property
    def values(self) -> Mapping[str, Any]:
        return dict(_leaves(self.element, self.name))

    @cached_property
    def fields(self) -> Mapping[str, Field]:
        return {path: field_around(value, path) for path, value in self.values.items()}

    def place(self, changes: Mapping[str, Any], at: Item) -> Any:
        return _replace_leaves(self.element, self.name, changes) if changes else self.element


def read(elements: Sequence[Any], kept: Sequence[int]) -> Parameters | None:
    """Return the values in the kept elements of a list.

    ``E3`` is the third element of the list, and ``E3.speed`` is a member of this element.
    """

    def is_removed(name: str) -> bool:
        found = _NAME.match(name)
        if found is not None and int(found[1]) <= len(elements) and int(found[1]) - 1 not in kept:
            return True
        return name in member_names(Item(f"E{i + 1}", element) for i, element in enumerate(elements))

    every_item = (Item(f"E{i + 1}", element) for i, element in enumerate(elements))
    return build_parameters((Item(f"E{i + 1}", elements[i]) for i in kept), is_removed, ordered=True, among=every_item)


def _children(value: Any) -> Iterator[tuple[str | int, Any]]:
    """Yield the items of a collection with their keys, indices or field names.

    Yields nothing for a value that is not a collection.
    """
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield from ((field.name, getattr(value, field.name)) for field in dataclasses.fields(value) if field.init)
    elif type(value) is dict:
        yield from value.items() if all(type(key) is str for key in value) else ()
    elif isinstance(value, list | tuple):
        yield from enumerate(value)


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    if type(value) in _SCALARS:
        yield path, value
    for step, below in _children(value):
        yield from _leaves(below, child(path, step))


def _replace_leaves(value: Any, path: str, changes: Mapping[str, Any]) -> Any:
    """Return the value with some leaves changed. Collections keep their types."""
    if type(value) in _SCALARS:
        return changes.get(path, value)
    whole = dict(_children(value))
    parts = {step: _replace_leaves(below, child(path, step), changes) for step, below in whole.items()}
    if all(parts[step] is below for step, below in whole.items()):
        return value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.replace(value, **{str(step): part for step, part in parts.items()})
    if type(value) is dict:
        return parts
    make = getattr(type(value), "_make", type(value))  # the constructor of a named tuple takes no iterable
    return make(parts.values())
