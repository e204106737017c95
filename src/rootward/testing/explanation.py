"""Why a parametrised test fails: what pytest has run is the history, and a verb runs what is missing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING

import rootward as rw  # whose verbs are loaded when something has failed
from rootward.errors import InputError
from rootward.facts import Fact
from rootward.lab.budget import Budget
from rootward.lab.events import Event
from rootward.report.markdown import code, escaped
from rootward.search.finding import Finding
from rootward.space.space import Space
from rootward.testing.parameters import Values, bound, missing, space_of
from rootward.testing.parametrised_test import Ran, Tested, part, place
from rootward.testing.rerun import Rerun
from rootward.verdict import Verdict
from rootward.words import clock, count

if TYPE_CHECKING:
    from rootward.verbs import LabOptions


CELLS = 10_000
"""Maximum number of combinations that are looked at one by one."""
INTERRUPTED = "it was interrupted."


@dataclass(frozen=True)
class Explanation:
    """A finding about a test, or why there is none."""

    test: Tested
    finding: Finding | None = None
    runs: int = 0
    seconds: float = 0.0
    problem: str = ""

    @property
    def interrupted(self) -> bool:
        return self.problem == INTERRUPTED if self.finding is None else self.finding.stopped == "interrupted"

    def __str__(self) -> str:
        """What is written below the failure."""
        if self.finding is None:
            return f"Not explained: {self.problem}"
        ways = self.test.ways()
        several = [f"It failed in {len(ways)} ways: {'; '.join(ways)}."] if len(ways) > 1 else []
        return "\n".join([str(self.finding), *several, *self._cost(self.finding)])

    def _cost(self, finding: Finding) -> list[str]:
        runs = f"{count(self.runs, 'more run')} in {clock(self.seconds)}"
        if finding.complete:
            return [f"{runs}."] if self.runs else []
        why = {"budget": "the budget is used up (--rootward-trials, --rootward-seconds)"}
        stopped = finding.stopped or "unfinished"
        return [f"{runs}; not final: {why.get(stopped, stopped)}."]


class Question:
    """What is asked about one failing test."""

    def __init__(self, test: Tested) -> None:
        """InputError if there is nothing to ask."""
        self.test, self.first = test, test.failing[0]
        space = test.marker.space or space_of(
            [*(values for values, _ in test.specs.values()), *(one.values for one in test.ran)]
        )
        if space is None:
            raise InputError("there is only one value of each of its parameters")
        self.space: Space = space
        self.failing = space.check(part(self.first.values, space))

    @property
    def ran(self) -> list[Ran]:
        """What pytest ran that differs from the failing instance in the fields of the space only."""
        return [one for one in self.test.ran if self._comparable(one.values)]

    def _comparable(self, values: Values) -> bool:
        others = [name for name in self.first.values if name not in self.space]
        if values.keys() != self.first.values.keys() or place(values, others) != place(self.first.values, others):
            return False
        return all(self.space[name].contains(values[name]) for name in self.space)

    def again(self) -> Rerun | None:
        """The test as a subject; None if it cannot be run here."""
        item = self.test.items.get(self.first.report.nodeid)
        if item is None or "subtests" in item.fixturenames:
            return None
        specs = {
            place(values, self.space): spec for values, spec in self.test.specs.values() if self._comparable(values)
        }
        known = {place(one.values, self.space): one.outcome for one in self.ran}
        if self.test.marker.asks_for_rule:
            known.pop(place(self.first.values, self.space))  # that it fails when run alone is worth a run
        return Rerun(item, known, specs)

    @property
    def history(self) -> list[tuple[Values, Verdict]]:
        return [(part(one.values, self.space), one.outcome.verdict) for one in self.ran]

    def answer(self, subject: Rerun | None, budget: Budget, on_event: Callable[[Event], None]) -> Finding:
        from rootward.searches.causes.facts import Remark

        marker = self.test.marker
        options: LabOptions = {"budget": budget, "on_event": on_event}
        if subject is None:
            return self._suggested([], Remark.SUBTESTS if self.test.items else Remark.OTHER_PROCESSES)
        if marker.asks_for_rule:
            return rw.rule(self.space, subject, self.failing, flaky=marker.flaky, **options)
        rows = [part(values, self.space) for values, _ in self.test.specs.values()]
        names = [] if marker.space is not None else bound(self.space, rows)
        if not names:
            return rw.causes(self.space, subject, self.history, flaky=marker.flaky, **options)
        explored = None
        if len(rows) > len(self.history) and prod(len(self.space.values(name)) for name in names) <= CELLS:
            never = missing(self.space, rows, names)
            explored = rw.causes(self.space, subject, self.history, never=never, flaky=marker.flaky, **options)
        found = self._suggested(subject.heard, Remark.ROW_BY_ROW)
        return found if explored is None else replace(found, complete=explored.complete, stopped=explored.stopped)

    def _suggested(self, heard: list[tuple[Values, Verdict]], why: Fact) -> Finding:
        """What the runs suggest, where not every combination can be tried."""
        from rootward.searches.causes.facts import NothingRun

        found = rw.causes(self.space, None, [*self.history, *heard], flaky=self.test.marker.flaky)
        return replace(found, notes=(*(note for note in found.notes if not isinstance(note, NothingRun)), why))


def markdown(explanations: Sequence[Explanation]) -> str:
    """All explanations of a session as GitHub-flavoured Markdown, for a comment under a pull request.

    Nothing in it can be anything but text.
    """
    if not explanations:
        return "## Rootward\n\nNo parametrised test failed.\n"
    parts = [f"### {escaped(one.test.name)}\n\n{code(str(one), 'text')}" for one in explanations]
    return "\n\n".join(["## Rootward: why tests failed", *parts]) + "\n"
