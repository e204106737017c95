"""The finding of every reduction: what is kept, what was removed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from rootward.rules.score import Estimate
from rootward.search.finding import Finding
from rootward.searches.reduction.excerpt import excerpt
from rootward.searches.reduction.outline import outlines
from rootward.searches.reduction.rates import Rate
from rootward.searches.reduction.surroundings import Surroundings, Way
from rootward.space.candidate import Selection

E = TypeVar("E")


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
                {"position": i, "element": element_text(item), "pinned": i in self.selection.elements.pinned}
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
                {"name": element_text(item), "kept": i in kept, "outlines": outlines(item, places[i])}
                for i, item in enumerate(items)
            ],
            "before": [list(sample) for sample in around.trajectory],
            "after": [list(sample) for sample in self.way],
        }


def _rate(rate: Rate | None, often: Estimate | None = None) -> dict[str, Any] | None:
    if rate is None or rate.runs == 0:
        return None
    value, low, high = often or rate.estimate
    return {"fails": rate.fails, "runs": rate.runs, "value": value, "low": low, "high": high}


def element_text(item: object) -> str:
    """An element as a text."""
    if isinstance(item, bytes):
        return item.decode("utf-8", "backslashreplace")
    return item if isinstance(item, str) else str(item)
