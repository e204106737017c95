"""Explain a failing parametrised test: pytest's own runs are the history, and a verb makes further runs as needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING

import rootward as rw  # its verbs are imported only when a test has failed
from rootward.errors import InputError
from rootward.facts import Fact
from rootward.lab.budget import Budget
from rootward.lab.events import Event
from rootward.report.markdown import code_block, escape_text
from rootward.search.finding import Finding
from rootward.space.space import Space
from rootward.testing.parameters import Values, bound_parameters, missing_combinations, space_of
from rootward.testing.parametrised_test import ParametrisedTest, PytestRun, identify, select
from rootward.testing.rerun import Rerun
from rootward.verdict import Verdict
from rootward.words import clock, count

if TYPE_CHECKING:
    from rootward.verbs import LabOptions


MAX_COMBINATIONS = 10_000
"""Maximum number of combinations of bound parameters to enumerate."""
INTERRUPTED = "the explanation was interrupted."


@dataclass(frozen=True)
class TestExplanation:
    """A finding about a test, or the reason why there is none."""

    test: ParametrisedTest
    finding: Finding | None = None
    runs: int = 0
    seconds: float = 0.0
    problem: str = ""

    @property
    def interrupted(self) -> bool:
        return self.problem == INTERRUPTED if self.finding is None else self.finding.stopped == "interrupted"

    def __str__(self) -> str:
        """Return the text that is printed below the failure."""
        if self.finding is None:
            return f"Not explained: {self.problem}"
        ways = self.test.failure_counts()
        several = [f"There are {len(ways)} different failures: {'; '.join(ways)}."] if len(ways) > 1 else []
        return "\n".join([str(self.finding), *several, *self._cost(self.finding)])

    def _cost(self, finding: Finding) -> list[str]:
        runs = f"{count(self.runs, 'more run')} in {clock(self.seconds)}"
        if finding.complete:
            return [f"{runs}."] if self.runs else []
        why = {"budget": "the budget is used up (raise --rootward-trials or --rootward-seconds)"}
        stopped = finding.stopped or "unfinished"
        return [f"{runs}; not final: {why.get(stopped, stopped)}."]


class TestQuestion:
    """The question about one failing test: its space, its failing instance and its history."""

    def __init__(self, test: ParametrisedTest) -> None:
        """Raises InputError if no parameter has two values."""
        self.test, self.first = test, test.failing[0]
        space = test.marker.space or space_of(
            [*(values for values, _ in test.specs.values()), *(one.values for one in test.runs)]
        )
        if space is None:
            raise InputError(
                "each parameter has only one value: add values, or list some in @pytest.mark.rootward(space=...)"
            )
        self.space: Space = space
        self.failing = space.check(select(self.first.values, space))

    @property
    def comparable_runs(self) -> list[PytestRun]:
        """The instances run by pytest that differ from the failing one only in fields of the space."""
        return [one for one in self.test.runs if self._is_comparable(one.values)]

    def _is_comparable(self, values: Values) -> bool:
        others = [name for name in self.first.values if name not in self.space]
        if values.keys() != self.first.values.keys() or identify(values, others) != identify(self.first.values, others):
            return False
        return all(self.space[name].contains(values[name]) for name in self.space)

    def make_subject(self) -> Rerun | None:
        """Return the test as a subject; None if it cannot be run in this process."""
        item = self.test.items.get(self.first.report.nodeid)
        if item is None or "subtests" in item.fixturenames:
            return None
        specs = {
            identify(values, self.space): spec
            for values, spec in self.test.specs.values()
            if self._is_comparable(values)
        }
        known = {identify(one.values, self.space): one.outcome for one in self.comparable_runs}
        if self.test.marker.asks_for_rule:
            known.pop(identify(self.first.values, self.space))  # run it again, to see that it also fails alone
        return Rerun(item, known, specs)

    @property
    def history(self) -> list[tuple[Values, Verdict]]:
        return [(select(one.values, self.space), one.outcome.verdict) for one in self.comparable_runs]

    def answer(self, subject: Rerun | None, budget: Budget, on_event: Callable[[Event], None]) -> Finding:
        from rootward.searches.causes.facts import Remark

        marker = self.test.marker
        options: LabOptions = {"budget": budget, "on_event": on_event}
        if subject is None:
            return self._suggest_causes([], Remark.SUBTESTS if self.test.items else Remark.OTHER_PROCESSES)
        flaky = marker.flaky if marker.flaky is not None else False  # what pytest has just run is not run again
        if marker.asks_for_rule:
            return rw.rule(self.space, subject, self.failing, flaky=flaky, **options)
        rows = [select(values, self.space) for values, _ in self.test.specs.values()]
        names = [] if marker.space is not None else bound_parameters(self.space, rows)
        if not names:
            return rw.causes(self.space, subject, self.history, flaky=flaky, **options)
        explored = None
        if len(rows) > len(self.history) and prod(len(self.space.values(name)) for name in names) <= MAX_COMBINATIONS:
            never = missing_combinations(self.space, rows, names)
            explored = rw.causes(self.space, subject, self.history, never=never, flaky=flaky, **options)
        found = self._suggest_causes(subject.verdicts, Remark.ROW_BY_ROW)
        return found if explored is None else replace(found, complete=explored.complete, stopped=explored.stopped)

    def _suggest_causes(self, heard: list[tuple[Values, Verdict]], why: Fact) -> Finding:
        """Return the causes that the known runs suggest.

        Used if not every combination can be run; ``why`` says why not, and is added to the notes.
        """
        from rootward.searches.causes.facts import NothingRun

        found = rw.causes(self.space, None, [*self.history, *heard], flaky=self.test.marker.flaky)
        return replace(found, notes=(*(note for note in found.notes if not isinstance(note, NothingRun)), why))


def markdown(explanations: Sequence[TestExplanation]) -> str:
    """Return all explanations of a session as GitHub-flavoured Markdown, for a comment on a pull request.

    All texts are escaped: none of them can become markup.
    """
    if not explanations:
        return "## Rootward\n\nNo parametrised test failed.\n"
    parts = [f"### {escape_text(one.test.name)}\n\n{code_block(str(one), 'text')}" for one in explanations]
    return "\n\n".join(["## Rootward: why tests failed", *parts]) + "\n"
