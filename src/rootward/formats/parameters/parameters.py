"""The values inside of the elements that matter, as fields of a space.

Each kept element is a content with a name and values of its own; a configuration says which of them are other ones.
What is not changed is never written anew: a configuration that changes nothing gives the very elements that were kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from typing import Any, Protocol, TypeVar

from rootward.errors import InputError
from rootward.formats.documents.paths import join
from rootward.formats.interfaces.kinds import also
from rootward.space.fields import show
from rootward.space.keys import canonical
from rootward.space.space import Field, Space, Text

C = TypeVar("C", bound="Content")
SAID = 16
"""So many texts that other elements have in a place are tried there."""


class Content(Protocol):
    """What one kept element holds."""

    @property
    def name(self) -> str: ...
    @property
    def values(self) -> Mapping[str, Any]:
        """By the names of their fields, such as ``M0.speed``; none if nothing in it can vary."""

    @property
    def fields(self) -> Mapping[str, Field]:
        """What each of the values could be instead."""

    def placed(self: C, changes: Mapping[str, Any], at: C) -> Any:
        """The element with other values, where the element ``at`` is: itself, unless the order is changed."""


@dataclass(frozen=True)
class Parameters:
    """What can vary inside of kept elements."""

    contents: tuple[Content, ...]
    """One for each of them, in their order."""
    space: Space
    failing: dict[str, Any]
    """The values that the kept elements have now."""
    ordered: bool
    """Whether the kept elements may come in another order."""
    removed: Callable[[str], bool]
    """Whether a name is that of a value in an element that is not kept."""

    @property
    def names(self) -> tuple[str, ...]:
        """What each kept element is called."""
        return tuple(content.name for content in self.contents)

    @cached_property
    def _owners(self) -> dict[str, int]:
        return {name: i for i, content in enumerate(self.contents) for name in content.fields}

    def altered(self, configuration: Mapping[str, Any], order: Sequence[int] | None = None) -> list[Any]:
        """The kept elements with these values: what the subject gets.

        Values that are not named stay. ``order`` says which of the kept elements, counted from 0, comes first, second
        and so on; the places that they come to (of messages, also their times) stay.
        """
        changes: list[dict[str, Any]] = [{} for _ in self.contents]
        for name, value in configuration.items():
            self.space[name]
            if canonical(value) != canonical(self.failing[name]):
                changes[self._owners[name]][name] = value
        places = zip(self._checked(order), self.contents, strict=True)
        return [self.contents[i].placed(changes[i], at) for i, at in places]

    def _checked(self, order: Sequence[int] | None) -> Sequence[int]:
        usual = range(len(self.contents))
        if order is None or list(order) == list(usual):
            return usual
        if not self.ordered:
            raise InputError("the order of these elements says nothing: it cannot be changed")
        if sorted(order) != list(usual):
            raise InputError(f"an order names each of 0..{len(usual) - 1} once, not {show(list(order))}")
        return order

    def restricted(self, space: Space) -> Parameters | None:
        """The same elements, of which only these fields may vary, with these domains; None if none of them is left.

        ``session`` stands for that member of every element that has one: ``M0.session``, ``M3.session``. What only
        elements have that are not kept is passed over. InputError for a name that there never was, and for a domain
        without the value that fails.
        """
        there = self.meant(space)
        if not there:
            return None
        values = {name: value for content in self.contents for name, value in content.values.items()}
        ordered = [(name, there[name]) for name in self._owners if name in there]
        failing = {name: field.coerce(values[name], name) for name, field in ordered}
        return replace(self, space=Space(ordered), failing=failing)

    def meant(self, space: Space) -> dict[str, Field]:
        """The fields of kept elements that the names of a space stand for, with its domains; InputError for a name that
        there never was."""
        return {path: space[name] for name in space for path in self._meant(name)}

    def _meant(self, name: str) -> list[str]:
        """The fields of kept elements that a name stands for."""
        if name in self._owners:
            return [name]
        paths = [join(content.name, name) for content in self.contents]
        found = [path for path in paths if path in self._owners]
        if not found and not self.removed(name):
            near = get_close_matches(name, self._owners, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else f"; there is {', '.join(list(self._owners)[:8])}"
            raise InputError(f"no element has a value {name!r}{hint}")
        return found


def members(contents: Iterable[Content]) -> set[str]:
    """What the values of these elements are called in them."""
    return {_member(name, content) for content in contents for name in content.values}


def _member(name: str, content: Content) -> str:
    return name.removeprefix(f"{content.name}.")


def _texts(contents: Iterable[Content]) -> dict[str, list[str]]:
    """By member, the first texts that elements have there, each once."""
    found: dict[str, dict[str, None]] = {}
    for content in contents:
        for name, value in content.values.items():
            if isinstance(value, str) and len(said := found.setdefault(_member(name, content), {})) < SAID:
                said[value] = None
    return {member: list(texts) for member, texts in found.items()}


def _or_said(field: Field, texts: Sequence[str], path: str) -> Field:
    return also(field, texts, path) if isinstance(field, Text) and texts else field


def of(
    contents: Iterable[Content], removed: Callable[[str], bool], *, ordered: bool, among: Iterable[Content] = ()
) -> Parameters | None:
    """The parameters of these contents; None if nothing in them can vary. ``among``: all elements, if they are alike:
    what one of them says in some place, another may say there."""
    everyone = tuple(contents)
    said = _texts(among)
    fields = [
        (name, _or_said(field, said.get(_member(name, content), ()), name))
        for content in everyone
        for name, field in content.fields.items()
    ]
    if not fields:
        return None
    failing = {name: value for content in everyone for name, value in content.values.items()}
    return Parameters(everyone, Space(fields), failing, ordered, removed)
