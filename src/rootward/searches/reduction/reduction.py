"""The finding of every reduction: what is kept, what was removed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from rootward.candidate import Selection
from rootward.finding import Finding

E = TypeVar("E")
SHOWN = 10
"""How many elements a printed finding shows before it elides the rest."""


@dataclass(frozen=True, kw_only=True)
class Reduction(Finding, Generic[E]):
    """The kept elements fail; if the finding is complete, none of them can be left out (1-minimal).

    Printed, elements are counted from 1, as lines of a file are; in data, positions are counted from 0.
    """

    selection: Selection[E]

    @property
    def kept(self) -> list[E]:
        return self.selection.items

    @property
    def removed(self) -> list[E]:
        kept = set(self.selection.kept)
        return [item for i, item in enumerate(self.selection.elements.items) if i not in kept]

    def answer(self) -> dict[str, Any]:
        pairs = zip(self.selection.kept, self.kept, strict=True)
        return {
            "noun": self.selection.elements.noun,
            "of": len(self.selection.elements),
            "kept": [{"position": i, "element": _text(item)} for i, item in pairs],
        }

    def __str__(self) -> str:
        failure = [f"Failure: {self.signature}"] if self.signature else []
        return "\n".join([self._headline(), *_listed(self.selection.kept, self.kept), *failure])

    def _headline(self) -> str:
        total, kept, noun = len(self.selection.elements), len(self.selection), self.selection.elements.noun
        if kept == 0:
            return f"It fails with nothing at all: the failure does not depend on these {noun}s."
        one = kept == 1
        what = f"{kept} of {total} {noun}s {'is' if one else 'are'} enough to make it fail"
        if not self.complete:
            return f"{what} (the search did not end: fewer may do)."
        if kept == total:
            return f"All {total} {noun}s are needed: without any one of them it no longer fails."
        return f"{what}; without {'it,' if one else 'any one of them'} it no longer fails."


def _listed(positions: Sequence[int], items: list[Any]) -> list[str]:
    shown = len(items) if len(items) <= SHOWN + 1 else SHOWN
    width = max((len(str(i + 1)) for i in positions[:shown]), default=0)
    lines = [f"  {i + 1:>{width}}  {_short(item)}" for i, item in zip(positions[:shown], items, strict=False)]
    return lines if shown == len(items) else [*lines, f"  ... and {len(items) - shown} more"]


def _short(item: object, limit: int = 100) -> str:
    text = _text(item).rstrip("\r\n")
    text = "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)
    return text if len(text) <= limit else text[: limit - 3] + "..."


def _text(item: object) -> str:
    if isinstance(item, bytes):
        return item.decode("utf-8", "backslashreplace")
    return item if isinstance(item, str) else repr(item)
