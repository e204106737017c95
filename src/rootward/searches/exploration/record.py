"""The outcomes so far, and the finding that follows from them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from rootward.searches.exploration.dictionary import Coverage, Dictionary
from rootward.searches.exploration.failures import STAGES, Failure, Failures
from rootward.searches.exploration.plan import PlannedTrial
from rootward.searches.exploration.tuning import TUNING
from rootward.space.candidate import Variation
from rootward.verdict import FAIL, OTHER, PASS, Outcome, Verdict


@dataclass
class _Nearest:
    """The few candidates that differ least from their bases.

    Among candidates with equally many changes, those that were run first are kept.
    """

    most: int
    seen: int = 0
    kept: list[tuple[int, int, Variation, tuple[str, ...]]] = field(default_factory=list)

    def add(self, candidate: Variation, changed: tuple[str, ...]) -> None:
        self.seen += 1
        self.kept = sorted([*self.kept, (len(changed), self.seen, candidate, changed)], key=lambda one: one[:2])
        del self.kept[self.most :]

    @property
    def configurations(self) -> tuple[dict[str, Any], ...]:
        return tuple(candidate.whole for _, _, candidate, _ in self.kept)


class ExplorationRecord:
    """The outcomes of a search, recorded run by run."""

    def __init__(self, dictionary: Dictionary, *, given: bool, seed: int) -> None:
        self._dictionary, self._given = dictionary, given
        self._coverage = Coverage(dictionary.sizes, seed)
        self._tried: Counter[str] = Counter()
        self._failures: dict[tuple[Verdict, str | None], _Nearest] = {}
        """By verdict and signature: the verdict, too, because the lab may separate failures with the same signature."""
        self._errors: dict[tuple[Verdict, str | None], str] = {}
        """The error text of the first run of each failure."""
        self._passing = _Nearest(1)
        self._unjudged = 0
        self.runs = 0
        self.first: int | None = None
        """The number of the first run that failed."""

    def add(self, draft: PlannedTrial, outcome: Outcome) -> None:
        """Record a run. The verdict OTHER counts as a failure, too: no failure was given from which it could differ."""
        self.runs += 1
        self._tried[draft.stage] += 1
        changed = self._dictionary.changed_fields(draft.candidate)
        if outcome.verdict in (FAIL, OTHER):
            self.first = self.first or self.runs
            kind = outcome.verdict, outcome.signature
            self._errors.setdefault(kind, outcome.detail)
            self._failures.setdefault(kind, _Nearest(TUNING.kept_inputs)).add(draft.candidate, changed)
        elif outcome.verdict is PASS:
            self._passing.add(draft.candidate, changed)
        else:
            self._unjudged += 1
            return  # such a run says nothing about its values
        self._coverage.add(draft.places)

    def finding(self, *, exhausted: bool = False) -> Failures:
        return Failures(
            failures=tuple(_make_failure(kind[1], seen, self._errors[kind]) for kind, seen in self._failures.items()),
            passing=next(iter(self._passing.configurations), None),
            tried={stage: self._tried[stage] for stage in STAGES if stage in self._tried},
            covered=self._coverage.covered,
            first=self.first,
            unjudged=self._unjudged,
            exhausted=exhausted,
            given=self._given,
        )


def _make_failure(signature: str | None, seen: _Nearest, error: str) -> Failure:
    nearest, *others = seen.configurations
    return Failure(signature, nearest, seen.kept[0][3], tuple(others), seen.seen, error)
