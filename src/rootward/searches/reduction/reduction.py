"""The finding of every reduction: what is kept, what was removed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from rootward.candidate import Selection
from rootward.finding import Finding

E = TypeVar("E")
SHOWN = 10
"""How many elements a printed finding shows before it elides the rest."""


@dataclass(frozen=True, kw_only=True)
class Reduction(Finding, Generic[E]):
    """The kept elements fail; if the finding is complete, none of them can be left out (1-minimal)."""

    selection: Selection[E]

    @property
    def kept(self) -> list[E]:
        return self.selection.items

    @property
    def removed(self) -> list[E]:
        kept = set(self.selection.kept)
        return [item for i, item in enumerate(self.selection.elements.items) if i not in kept]

    def answer(self) -> dict[str, Any]:
        return {
            "of": len(self.selection.elements),
            "kept": [{"position": i, "element": _text(item)} for i, item in zip(self.selection.kept, self.kept, strict=True)],
        }

    def __str__(self) -> str:
        total, kept = len(self.selection.elements), len(self.selection)
        if kept == 0:
            return "It fails with nothing at all: the failure does not depend on these elements."
        if kept == total and self.complete:
            head = f"All {total} elements are needed: it no longer fails when any one of them is left out."
        elif self.complete:
            head = f"{kept} of {total} elements are enough to make it fail, and none of them can be left out:"
        else:
            head = f"{kept} of {total} elements are enough to make it fail (the search did not end: fewer may do):"
        return "\n".join([head, *_listed(self.selection.kept, self.kept)])


def _listed(positions: Iterable[int], items: list[Any]) -> list[str]:
    width = max((len(str(i + 1)) for i in positions), default=0)
    lines = [f"  {i + 1:>{width}}  {_short(item)}" for i, item in zip(positions, items, strict=True)]
    return lines if len(lines) <= SHOWN + 1 else [*lines[:SHOWN], f"  ... and {len(lines) - SHOWN} more"]


def _short(item: object, limit: int = 100) -> str:
    text = _text(item).rstrip("\r\n")
    text = "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)
    return text if len(text) <= limit else text[: limit - 3] + "..."


def _text(item: object) -> str:
    if isinstance(item, bytes):
        return item.decode("utf-8", "backslashreplace")
    return item if isinstance(item, str) else repr(item)
