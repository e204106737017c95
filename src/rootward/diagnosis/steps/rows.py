"""Which rows and cells of a table make it fail? And back: do these cells alone make a good table fail?

The search repairs cells of the bad table until it passes (``searches/rows``). That shows what has to be repaired.
Whether nothing else is needed to make it fail is another question, and the good table with these cells broken answers
it.

A table may also stand behind settings that fail, because one of them names it. Then the settings are held at those of
an example of the failure, and the table that they name is repaired. What is found is true of the cells only if a copy
of the table, as we write it, fails like the original: that is tried first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

from rootward.diagnosis.questions import ONCE, Doing, View, ask, expected, often_enough, run_search
from rootward.diagnosis.state import State, named_data
from rootward.diagnosis.tuning import TUNING
from rootward.explanation.diagnosis import Explanation
from rootward.explanation.facts import (
    AnyTable,
    Broken,
    CopyPasses,
    CopyTried,
    EnoughAlone,
    FoundWith,
    Gap,
    NotAlone,
    NothingElse,
    Repaired,
    Result,
    TableNotNamed,
    Unended,
)
from rootward.facts import Fact
from rootward.search.ask import Ask
from rootward.searches.rows import METHODS
from rootward.searches.rows.bad_rows import BadRows
from rootward.searches.rows.patch import Patch, PatchedSettings
from rootward.searches.rows.tables import Tables
from rootward.verdict import FAIL, PASS, Outcome


def explain_rows(state: State, tables: Tables, view: View, rate: float) -> Doing[Explanation]:
    """The rows and cells that make it fail, checked on fresh runs."""
    draft = state.draft or Explanation()
    if "rows" not in state.plan:
        return replace(draft, unknown=(Gap.ROWS_NOT_ASKED,))
    state.begin("rows")
    view = replace(view, repeat=often_enough(rate))
    found: BadRows = yield from run_search(state, METHODS["adaptive"](tables), view, partial(_drafted, draft))
    state.end([Result.FOUND], found, complete=found.complete)
    if found.passes is False and draft.settings is not None:
        return replace(draft, settings=None, seen=(*draft.seen, FoundWith(draft.settings, draft.relevant, found)))
    state.draft = _drafted(draft, found)
    if not found.passes or not found.complete or "verify" not in state.plan:
        return state.draft
    return (yield from _Check(state, tables, found, view).made(state.draft))


def _drafted(draft: Explanation, found: BadRows) -> Explanation:
    unknown: list[Fact] = [*draft.unknown]
    if not found.complete:
        unknown.append(Unended("rows"))
    elif not found.passes:
        unknown.append(Gap.NO_REASON)
    return replace(draft, details=(found,), unknown=tuple(unknown))


class _Check:
    """Fresh runs of what was found, from both sides."""

    def __init__(self, state: State, tables: Tables, found: BadRows, view: View) -> None:
        self.state, self.tables, self.found, self.view = state, tables, found, view
        self.runs = max(TUNING.row_runs, view.repeat.limit)
        self.seen: list[Fact] = []
        self.unknown: list[Fact] = []

    def made(self, claimed: Explanation) -> Doing[Explanation]:
        """The explanation, with what fresh runs say of it."""
        self.state.begin("verify", after="rows")
        yield from self._repaired()
        failing = yield from self._broken()
        self.state.end(self.seen)
        unknown = (*claimed.unknown, *self.unknown)
        smallest = claimed.failing if failing is None else self.view.show(failing)
        return replace(claimed, failing=smallest, seen=(*claimed.seen, *self.seen), unknown=unknown)

    def _repaired(self) -> Doing[None]:
        """Does the bad table pass, every time, with these cells repaired?"""
        outcomes = yield from self._fresh(self.found.patch, "does it pass with these repaired?")
        passed = sum(outcome.verdict is PASS for outcome in outcomes)
        self.seen.append(Repaired(len(_numbers(self.found.patch)), passed, len(outcomes)))
        if passed < len(outcomes):
            self.unknown.append(Gap.REPAIR_BY_CHANCE)

    def _broken(self) -> Doing[Patch | None]:
        """Does the good table fail with nothing but these cells as in the bad one? If so, that is what fails."""
        cells = _numbers(self.found.patch)
        broken, (bad, good) = self._but(cells), self.tables.names[:2]
        if not len(broken):
            self.seen.append(NothingElse(good))
            return None
        outcomes = yield from self._fresh(broken, "does a good table fail with these?")
        failed = sum(outcome.verdict is FAIL for outcome in outcomes)
        self.seen.append(Broken(good, bad, len(cells), failed, len(outcomes)))
        if not failed:
            self.unknown.append(NotAlone(good, bad, len(cells)))
            return None
        if 1 < len(cells) <= TUNING.single_cells:
            yield from self._each(cells)
        return broken

    def _each(self, cells: Sequence[int]) -> Doing[None]:
        """Which of the cells are enough by themselves?"""
        alone = [self._but([cell]) for cell in cells]
        outcomes = yield from ask(self.state, Ask(alone, note="is each of them enough?"), self.view)
        enough = sum(outcome is not None and outcome.verdict is FAIL for outcome in outcomes)
        self.seen.append(EnoughAlone(enough, len(cells)))

    def _fresh(self, patch: Patch, note: str) -> Doing[list[Outcome]]:
        once = replace(self.view, repeat=ONCE)
        outcomes = yield from ask(self.state, Ask([patch] * self.runs, fresh=True, note=note), once)
        return [outcome for outcome in outcomes if outcome is not None]

    def _but(self, cells: Sequence[int]) -> Patch:
        """Every difference repaired but these, by their numbers in the order of what was found."""
        ends = [-1, *cells, len(self.tables)]
        return self.tables.patch(self.found.patch.order, [(left + 1, right) for left, right in pairwise(ends)])


def _numbers(patch: Patch) -> list[int]:
    return [number for start, end in patch.spans for number in range(start, end)]


# A table that settings name


def explain_named_table(state: State, explanation: Explanation, view: View) -> Doing[Explanation]:
    """The explanation of a failure of settings, with the rows of the table that these name, if they name one."""
    data, space = named_data(state.study), state.study.space
    if data is None or space is None or "rows" not in state.plan:
        return explanation
    naming = [one for one in _failing(explanation) if data.named_in(one)]
    if not naming:
        state.begin("rows")
        state.end([TableNotNamed(data.bad)])
        return explanation
    names = {name for one in naming for name in data.named_in(one)}
    varied = {name for name, field in space.items() if len(field.values) > 1}
    if explanation.certain and explanation.causes and names <= varied - set(explanation.relevant):
        state.begin("rows")
        state.end([AnyTable(data.bad)])
        return explanation
    settings, unknown = dict(naming[0]), (*explanation.unknown, *([] if explanation.causes else [Gap.OTHER_SETTINGS]))
    rate = expected(explanation.rate)
    view = replace(view, show=partial(PatchedSettings, settings), repeat=often_enough(rate))
    if naming[0] is not explanation.failing:
        view = replace(view, reference=None)  # in which way an example of a cause fails is not known
    state.draft = replace(explanation, settings=settings, unknown=unknown)
    if not (yield from _copy_fails(state, data.tables, view)):
        return replace(explanation, unknown=(*explanation.unknown, CopyPasses(data.bad)))
    return (yield from explain_rows(state, data.tables, view, rate))


def _failing(explanation: Explanation) -> list[Mapping[str, Any]]:
    """Settings that were seen to fail, those that were reproduced first."""
    shown = [explanation.failing, *(cause.example for cause in explanation.causes)]
    return [one for one in shown if isinstance(one, Mapping)]


def _copy_fails(state: State, tables: Tables, view: View) -> Doing[bool]:
    """Whether it fails with a copy of the table, too."""
    state.begin("reproduce")
    question: Ask[Any] = Ask([tables.failing], note=f"does it fail with a copy of {tables.names[0]}?")
    [outcome] = yield from ask(state, question, view)
    fails = outcome is not None and outcome.verdict is FAIL
    state.end([CopyTried(tables.names[0], fails)])
    return fails
