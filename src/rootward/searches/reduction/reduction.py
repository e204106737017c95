"""``Reduction``: the finding of every reduction method."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from rootward.rules.score import Estimate
from rootward.search.finding import Finding
from rootward.searches.reduction.excerpt import excerpt
from rootward.searches.reduction.outline import outlines, outlines_at, path_of
from rootward.searches.reduction.rates import Rate
from rootward.searches.reduction.surroundings import Surroundings, Way
from rootward.space.candidate import Selection
from rootward.words import count

E = TypeVar("E")


@dataclass(frozen=True, kw_only=True)
class Reduction(Finding, Generic[E]):
    """The kept elements still fail. If the finding is ``minimal``, no single one of them can be removed.

    In printed text, elements are numbered from 1, like lines of a file; in data, positions start at 0.
    """

    selection: Selection[E]
    minimal: bool = True
    """True if the search checked that each kept element is needed."""
    original: Rate | None = None
    """For a flaky failure: failures and runs of the complete list."""
    result: Rate | None = None
    """For a flaky failure: failures and runs of the kept elements, counting only runs made to test them."""
    again: Rate | None = None
    """The runs among ``result`` that used a seed with which the original failed, if runs were replayed."""
    often: Estimate | None = None
    """The estimated failure rate of the kept elements, where ``result`` alone would be a biased sample."""
    share: float = 1.0
    """The share of the original's failure rate that the kept elements had to reach."""
    confidence: float | None = None
    """The probability that the kept elements reach this share, if that was tested."""
    course: tuple[tuple[int, int], ...] = field(default=(), compare=False)
    """A pair (answers so far, elements left) for each time that the number of elements dropped."""
    surroundings: Surroundings | None = field(default=None, compare=False, repr=False)
    """Positions of the elements and trajectory of the failing run, if known."""
    way: Way = field(default=(), compare=False, repr=False)
    """The trajectory of a failing run with only the kept elements, if known."""
    pictures: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """Pictures for the report, as data URLs (``data:image/png;base64,...``)."""

    @property
    def kept(self) -> list[E]:
        return self.selection.items

    @property
    def removed(self) -> list[E]:
        kept = set(self.selection.kept)
        return [item for i, item in enumerate(self.selection.elements.items) if i not in kept]

    @property
    def gone(self) -> float:
        """The share of the elements that was removed, from 0 to 1."""
        total = len(self.selection.elements)
        return (total - len(self.selection)) / total if total else 0.0

    @property
    def is_trusted(self) -> bool:
        """True if the kept elements can be relied on to fail.

        For a flaky failure, this must have been shown by enough runs.
        """
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
        """Return the data of a map: the elements seen from above, and the trajectories before and after."""
        around = self.surroundings
        if around is None or not (around.positions or around.trajectory):
            return None
        kept, items = set(self.selection.kept), self.selection.elements.items
        places = around.positions or (None,) * len(items)
        return {
            "elements": [
                {"name": element_text(item), "kept": i in kept, "outlines": outlines(item, places[i])}
                | self._map_motion(i, item, around)
                for i, item in enumerate(items)
            ],
            "before": [list(sample) for sample in around.trajectory],
            "after": [list(sample) for sample in self.way],
        }

    def _map_motion(self, element: int, item: E, around: Surroundings) -> dict[str, Any]:
        """Return the path of a moving element, and where it was when the robot was nearest to it.

        Nothing if the element does not move, or the trajectory of the robot is unknown.
        """
        met, met_after = around.meeting_time(element), around.meeting_time(element, self.way)
        if met is None or met_after is None:
            return {}
        track = around.tracks[element]
        after = {"met": met_after, "outlines": outlines_at(item, track, met_after)}
        path = path_of(track, (sample[0] for sample in around.trajectory))
        return {
            "outlines": outlines_at(item, track, met),
            "motion": {"path": [list(point) for point in path], "met": met, "after": after},
        }


def _rate(rate: Rate | None, often: Estimate | None = None) -> dict[str, Any] | None:
    if rate is None or rate.runs == 0:
        return None
    value, low, high = often or rate.estimate
    return {"fails": rate.fails, "runs": rate.runs, "value": value, "low": low, "high": high}


def count_left(selection: Selection[Any]) -> str:
    """Return the number of elements left, for a progress note: ``3 of 40 lines left``."""
    return f"{len(selection):,} of {count(len(selection.elements), selection.elements.noun)} left"


def element_text(item: object) -> str:
    """Return an element as text."""
    if isinstance(item, bytes):
        return item.decode("utf-8", "backslashreplace")
    return item if isinstance(item, str) else str(item)
