"""The finding of every reduction: what is kept, what was removed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from rootward.candidate import Selection
from rootward.finding import Finding
from rootward.rules.score import Estimate
from rootward.searches.reduction.excerpt import excerpt
from rootward.searches.reduction.outline import outlines
from rootward.searches.reduction.rates import Rate
from rootward.searches.reduction.surroundings import Surroundings, Way

E = TypeVar("E")
SHOWN = 10
"""How many elements a printed finding shows before it elides the rest."""


@dataclass(frozen=True, kw_only=True)
class Reduction(Finding, Generic[E]):
    """The kept elements fail. If it is ``minimal``, none of them can be left out.

    Printed, elements are counted from 1, as lines of a file are; in data, positions are counted from 0.
    """

    selection: Selection[E]
    minimal: bool = True
    """Whether each kept element was seen to be needed."""
    original: Rate | None = None
    """How often all of them failed, if the failure does not show every time."""
    result: Rate | None = None
    """How often the kept ones failed, in runs made to test them ..."""
    again: Rate | None = None
    """... among them, in runs with seeds with which the original failed ..."""
    often: Estimate | None = None
    """... and how often they fail, if that is not just the rate of those runs."""
    share: float = 1.0
    """The part of the original's rate that the kept ones were asked to have."""
    confidence: float | None = None
    """How sure it is that they have it, if that was tested."""
    course: tuple[tuple[int, int], ...] = field(default=(), compare=False)
    """How many elements were left after how many answers, whenever there were fewer."""
    surroundings: Surroundings | None = field(default=None, compare=False, repr=False)
    """Where the elements are and where the failing run went, as far as that is known ..."""
    way: Way = field(default=(), compare=False, repr=False)
    """... and the way of a failing run with the kept elements only."""
    pictures: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """Pictures for the report, as addresses that hold their content (``data:image/png;base64,...``)."""

    @property
    def kept(self) -> list[E]:
        return self.selection.items

    @property
    def removed(self) -> list[E]:
        kept = set(self.selection.kept)
        return [item for i, item in enumerate(self.selection.elements.items) if i not in kept]

    @property
    def gone(self) -> float:
        """The share of elements that was removed."""
        total = len(self.selection.elements)
        return (total - len(self.selection)) / total if total else 0.0

    @property
    def trusted(self) -> bool:
        """Whether it was shown to fail as often as it was asked to."""
        return self.original is None or self.confidence is not None

    def answer(self) -> dict[str, Any]:
        pairs = zip(self.selection.kept, self.kept, strict=True)
        return {
            "noun": self.selection.elements.noun,
            "of": len(self.selection.elements),
            "kept": [
                {"position": i, "element": _text(item), "pinned": i in self.selection.elements.pinned}
                for i, item in pairs
            ],
            "minimal": self.minimal,
            "original": _rate(self.original),
            "result": _rate(self.result, self.often),
            "again": None if self.again is None else {"fails": self.again.fails, "runs": self.again.runs},
            "share": self.share,
            "confidence": self.confidence,
            "course": [list(step) for step in self.course],
            "excerpt": excerpt(self.selection),
            "map": self._map(),
            "pictures": list(self.pictures),
        }

    def _map(self) -> dict[str, Any] | None:
        """The elements seen from above, and the ways through them."""
        around = self.surroundings
        if around is None or not (around.positions or around.trajectory):
            return None
        kept, items = set(self.selection.kept), self.selection.elements.items
        places = around.positions or (None,) * len(items)
        return {
            "elements": [
                {"name": _text(item), "kept": i in kept, "outlines": outlines(item, places[i])}
                for i, item in enumerate(items)
            ],
            "before": [list(sample) for sample in around.trajectory],
            "after": [list(sample) for sample in self.way],
        }

    def __str__(self) -> str:
        failure = [f"Failure: {self.signature}"] if self.signature else []
        return "\n".join([self._headline(), *self._rates(), *_listed(self.selection.kept, self.kept), *failure])

    def _headline(self) -> str:
        noun, total = self.selection.elements.noun, len(self.selection.elements)
        found, asked = len(self.selection.free), len(self.selection) - len(self.selection.free)
        if len(self.selection) == 0:
            return f"It fails with nothing at all: the failure does not depend on these {noun}s."
        if found == 0:
            return f"It fails with nothing but the {noun}{'s' if asked > 1 else ''} that had to stay."
        beside = f", with the {asked if asked > 1 else 'one'} that had to stay" if asked else ""
        what = f"{found} of {total} {noun}s {'is' if found == 1 else 'are'} enough to make it fail{beside}"
        if not self.complete and len(self.selection) == total:
            return f"Nothing is left out of {total} {noun}s yet (the search did not end)."
        if not self.complete:
            return f"{what} (the search did not end: fewer may do)."
        if not self.minimal:
            return self._not_minimal(what)
        rarely = "no longer fails" if self.original is None else "fails much more rarely or not at all"
        if found == total == 1:
            return f"The only {noun} is needed: without it, it {rarely}."
        if found == total:
            return f"All {total} {noun}s are needed: without any one of them it {rarely}."
        return f"{what}; without {'it,' if found == 1 else 'any one of them'} it {rarely}."

    def _not_minimal(self, what: str) -> str:
        if len(self.selection) < len(self.selection.elements):
            return f"{what}; fewer may do."
        often = " to fail often enough" if self.original else " to fail"
        return f"No smaller part of the {len(self.selection)} {self.selection.elements.noun}s was shown{often}."

    def _rates(self) -> list[str]:
        """How often it fails now and did before."""
        if self.original is None or self.result is None:
            return []
        if self.result.runs == 0:
            return [f"How often that fails was not seen yet; the original failed in {self.original}."]
        if len(self.selection) == len(self.selection.elements):
            return [f"It fails in {self.original}."]
        now, before = self.often or self.result.estimate, self.original.estimate
        always = all(rate.fails == rate.runs for rate in (self.result, self.original))
        often = str(self.result) if self.again is None or always else f"about {now.value:.0%} of its runs"
        lines = [
            f"It fails in {often} ({now.low:.0%} to {now.high:.0%}); the original did in {self.original} "
            f"({before.low:.0%} to {before.high:.0%})."
        ]
        if self.again is not None:
            lines.append(f"Tested {_with_seeds(self.again, self.result.minus(self.again))}.")
        if self.confidence is not None:
            sure = min(99, math.floor(100 * self.confidence))
            lines.append(f"That is at least {self.share:.0%} as often as the original, with {sure}% confidence.")
        return lines


def _rate(rate: Rate | None, often: Estimate | None = None) -> dict[str, Any] | None:
    if rate is None or rate.runs == 0:
        return None
    value, low, high = often or rate.estimate
    return {"fails": rate.fails, "runs": rate.runs, "value": value, "low": low, "high": high}


def _with_seeds(again: Rate, others: Rate) -> str:
    """How often it failed with seeds with which the original failed, and with others."""
    these = f"with {_seeds(again, '')} with which the original failed, it failed {_times(again.fails)}"
    if not others.runs:
        return these
    if not again.runs:
        return f"with {_seeds(others, '')}, it failed {_times(others.fails)}"
    return f"{these}; with {_seeds(others, 'other ')}, {_times(others.fails)}"


def _seeds(rate: Rate, which: str) -> str:
    return f"{rate.runs} {which}seed{'' if rate.runs == 1 else 's'}"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


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
    return item if isinstance(item, str) else str(item)
