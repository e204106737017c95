"""Values that stand in the text of a document: only they are written anew, and only if they change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from rootward.formats.parts import Edit, Part
from rootward.space import Field


class Rewritable(Protocol):
    """A document whose parts can be altered."""

    def rewritten(self, part: Any, origin: int, edits: tuple[Edit, ...], /) -> Part:
        """What comes in the place of a part: the one numbered ``origin``, with these edits."""


class Value(Protocol):
    """One value in the text."""

    @property
    def now(self) -> Any: ...
    @property
    def field(self) -> Field: ...
    def edit(self, value: Any) -> Edit:
        """What writes another one."""


@dataclass(frozen=True)
class Stated:
    """A kept part of a document, and the values in it."""

    name: str
    part: Part
    document: Rewritable
    stated: Mapping[str, Value]

    @property
    def values(self) -> Mapping[str, Any]:
        return {name: value.now for name, value in self.stated.items()}

    @property
    def fields(self) -> Mapping[str, Field]:
        return {name: value.field for name, value in self.stated.items()}

    def placed(self, changes: Mapping[str, Any], at: Stated) -> Part:
        if not changes and at is self:
            return self.part
        edits = tuple(self.stated[name].edit(value) for name, value in changes.items())
        return self.document.rewritten(at.part, self.part.index, edits)
