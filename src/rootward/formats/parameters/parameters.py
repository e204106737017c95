"""The values inside the kept elements, as fields of a space.

Each kept element is a `Content` with a name and values; a configuration replaces some of the values. Unchanged values
are never rewritten: a configuration that changes nothing yields exactly the kept elements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from typing import Any, Protocol, TypeVar

from rootward.errors import InputError
from rootward.formats.documents.paths import join
from rootward.formats.interfaces.kinds import add_values
from rootward.space.fields import show
from rootward.space.keys import canonical
from rootward.space.space import Field, Space, Text

C = TypeVar("C", bound="Content")
MAX_BORROWED_TEXTS = 16
"""Maximum number of texts that a field takes over from the same place in other elements."""


class Content(Protocol):
    """The content of one kept element."""

    @property
    def name(self) -> str: ...
    @property
    def values(self) -> Mapping[str, Any]:
        """The values by the names of their fields, such as ``M0.speed``. Empty if no value of the element can vary."""

    @property
    def fields(self) -> Mapping[str, Field]:
        """The domain of each value."""

    def place(self: C, changes: Mapping[str, Any], at: C) -> Any:
        """Return the element with ``changes``, in the place of ``at``.

        ``at`` is the element itself unless the elements are reordered.
        """


@dataclass(frozen=True)
class Parameters:
    """The values that can vary inside the kept elements."""

    contents: tuple[Content, ...]
    """The contents of the kept elements, in order."""
    space: Space
    failing: dict[str, Any]
    """The values that the kept elements have now."""
    reorderable: bool
    """True if the kept elements may be reordered."""
    is_removed: Callable[[str], bool]
    """Returns True for the name of a value in an element that is not kept."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the kept elements."""
        return tuple(content.name for content in self.contents)

    @cached_property
    def _owners(self) -> dict[str, int]:
        return {name: i for i, content in enumerate(self.contents) for name in content.fields}

    def alter(self, configuration: Mapping[str, Any], order: Sequence[int] | None = None) -> list[Any]:
        """Return the kept elements with these values, in the form that the subject receives.

        Values that are not named stay. ``order`` lists the numbers of the kept elements, from 0, in their new order. An
        element that moves takes over the place of another: a message, for example, gets the time of that place.
        """
        changes: list[dict[str, Any]] = [{} for _ in self.contents]
        for name, value in configuration.items():
            self.space[name]
            if canonical(value) != canonical(self.failing[name]):
                changes[self._owners[name]][name] = value
        places = zip(self._check_order(order), self.contents, strict=True)
        return [self.contents[i].place(changes[i], at) for i, at in places]

    def _check_order(self, order: Sequence[int] | None) -> Sequence[int]:
        usual = range(len(self.contents))
        if order is None or list(order) == list(usual):
            return usual
        if not self.reorderable:
            raise InputError("these elements cannot be reordered: their order has no meaning")
        if sorted(order) != list(usual):
            raise InputError(f"an order must list each of 0..{len(usual) - 1} once, not {show(list(order))}")
        return order

    def restrict(self, space: Space) -> Parameters | None:
        """Return the same elements with only the fields of ``space`` free to vary, in the domains of ``space``.

        Returns None if no field remains. A name such as ``session`` stands for that member of every element that has
        one: ``M0.session``, ``M3.session``. Fields that only removed elements have are ignored. InputError for an
        unknown name, and for a domain that does not contain the failing value.
        """
        there = self.match_fields(space)
        if not there:
            return None
        values = {name: value for content in self.contents for name, value in content.values.items()}
        ordered = [(name, there[name]) for name in self._owners if name in there]
        failing = {name: field.coerce(values[name], name) for name, field in ordered}
        return replace(self, space=Space(ordered), failing=failing)

    def match_fields(self, space: Space) -> dict[str, Field]:
        """Return the fields of kept elements that the names in ``space`` stand for, with their domains in ``space``.

        Raises InputError for an unknown name.
        """
        return {path: space[name] for name in space for path in self._match_name(name)}

    def _match_name(self, name: str) -> list[str]:
        """Return the fields of kept elements that a name stands for."""
        if name in self._owners:
            return [name]
        paths = [join(content.name, name) for content in self.contents]
        found = [path for path in paths if path in self._owners]
        if not found and not self.is_removed(name):
            close = get_close_matches(name, self._owners, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(list(self._owners)[:8])}"
            raise InputError(f"no element has a value {name!r}; {hint}")
        return found


def member_names(contents: Iterable[Content]) -> set[str]:
    """Return the names of the values within their elements, such as ``speed`` for ``M0.speed``."""
    return {_member(name, content) for content in contents for name in content.values}


def _member(name: str, content: Content) -> str:
    return name.removeprefix(f"{content.name}.")


def _texts(contents: Iterable[Content]) -> dict[str, list[str]]:
    """Return the first distinct texts that the elements have in each member."""
    found: dict[str, dict[str, None]] = {}
    for content in contents:
        for name, value in content.values.items():
            if (
                isinstance(value, str)
                and len(said := found.setdefault(_member(name, content), {})) < MAX_BORROWED_TEXTS
            ):
                said[value] = None
    return {member: list(texts) for member, texts in found.items()}


def _add_texts(field: Field, texts: Sequence[str], path: str) -> Field:
    return add_values(field, texts, path) if isinstance(field, Text) and texts else field


def build_parameters(
    contents: Iterable[Content], is_removed: Callable[[str], bool], *, ordered: bool, among: Iterable[Content] = ()
) -> Parameters | None:
    """Return the parameters of these contents. Returns None if nothing in them can vary.

    ``among`` holds all elements if they are of one kind. A text that one element has in a member is also tried in the
    same member of the other elements.
    """
    everyone = tuple(contents)
    said = _texts(among)
    fields = [
        (name, _add_texts(field, said.get(_member(name, content), ()), name))
        for content in everyone
        for name, field in content.fields.items()
    ]
    if not fields:
        return None
    failing = {name: value for content in everyone for name, value in content.values.items()}
    return Parameters(everyone, Space(fields), failing, ordered, is_removed)
