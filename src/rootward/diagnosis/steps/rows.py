"""Find the rows and cells of a table that make it fail, and check in reverse that they make a good table fail.

The search repairs cells of the bad table until it passes (``searches/rows``). That shows which cells must be repaired.
It does not show that these cells alone make it fail. For that, the good table is run with the bad values of these
cells.

A table may also be the reason why settings fail, if one of them names it. Then the settings are fixed at those of a
failing example, and the table that they name is repaired. The result is about the cells only if a copy of the table, as
we write it, fails like the original, so that is tried first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

from rootward.diagnosis.questions import ONCE, Routine, StepView, ask, expected_rate, policy_for_rate, run_search
from rootward.diagnosis.state import DiagnosisState, named_data
from rootward.diagnosis.tuning import TUNING
from rootward.explanation.diagnosis import Explanation
from rootward.explanation.facts import (
    AnyTable,
    BrokenRuns,
    CellsEnoughAlone,
    CellsNotEnough,
    CopyPasses,
    CopyTried,
    CutShort,
    FoundWith,
    Gap,
    NothingElse,
    RepairedRuns,
    Result,
    TableNotNamed,
)
from rootward.facts import Fact
from rootward.search.ask import Ask
from rootward.searches.rows import METHODS
from rootward.searches.rows.bad_rows import BadRows
from rootward.searches.rows.patch import Patch, PatchedSettings
from rootward.searches.rows.tables import Tables
from rootward.verdict import FAIL, PASS, Outcome


def explain_rows(state: DiagnosisState, tables: Tables, view: StepView, rate: float) -> Routine[Explanation]:
    """Find the rows and cells that make the table fail, and check them on fresh runs."""
    draft = state.draft or Explanation()
    if "rows" not in state.plan:
        return replace(draft, unknown=(Gap.ROWS_SKIPPED,))
    state.begin("rows")
    view = replace(view, repeat=policy_for_rate(rate))
    found: BadRows = yield from run_search(state, METHODS["adaptive"](tables), view, partial(_make_draft, draft))
    state.end([Result.FOUND], found, complete=found.complete)
    if found.passes is False and draft.settings is not None:
        return replace(draft, settings=None, seen=(*draft.seen, FoundWith(draft.settings, draft.relevant, found)))
    state.draft = _make_draft(draft, found)
    if not found.passes or not found.complete or "verify" not in state.plan:
        return state.draft
    return (yield from _Check(state, tables, found, view).run(state.draft))


def _make_draft(draft: Explanation, found: BadRows) -> Explanation:
    unknown: list[Fact] = [*draft.unknown]
    if not found.complete:
        unknown.append(CutShort("rows"))
    elif not found.passes:
        unknown.append(Gap.NO_REPAIR)
    return replace(draft, details=(found,), unknown=tuple(unknown))


class _Check:
    """Checks the found cells on fresh runs: the bad table with the cells repaired, the good table with them broken."""

    def __init__(self, state: DiagnosisState, tables: Tables, found: BadRows, view: StepView) -> None:
        self.state, self.tables, self.found, self.view = state, tables, found, view
        self.runs = max(TUNING.row_runs, view.repeat.limit)
        self.seen: list[Fact] = []
        self.unknown: list[Fact] = []

    def run(self, claimed: Explanation) -> Routine[Explanation]:
        """Return the explanation, with the results of fresh runs."""
        self.state.begin("verify", after="rows")
        yield from self._run_repaired()
        failing = yield from self._run_broken()
        self.state.end(self.seen)
        unknown = (*claimed.unknown, *self.unknown)
        smallest = claimed.failing if failing is None else self.view.show(failing)
        return replace(claimed, failing=smallest, seen=(*claimed.seen, *self.seen), unknown=unknown)

    def _run_repaired(self) -> Routine[None]:
        """Run the bad table with the found cells repaired. It should pass every time."""
        outcomes = yield from self._run_fresh(self.found.patch, "does it pass with these cells repaired?")
        passed = sum(outcome.verdict is PASS for outcome in outcomes)
        self.seen.append(RepairedRuns(len(_numbers(self.found.patch)), passed, len(outcomes)))
        if passed < len(outcomes):
            self.unknown.append(Gap.REPAIR_BY_CHANCE)

    def _run_broken(self) -> Routine[Patch | None]:
        """Run the good table with the bad values of the found cells.

        If it fails, return this table as the smallest one that fails; otherwise None.
        """
        cells = _numbers(self.found.patch)
        broken, (bad, good) = self._repair_all_but(cells), self.tables.names[:2]
        if not len(broken):
            self.seen.append(NothingElse(good))
            return None
        outcomes = yield from self._run_fresh(broken, "does the good table fail with these cells?")
        failed = sum(outcome.verdict is FAIL for outcome in outcomes)
        self.seen.append(BrokenRuns(good, bad, len(cells), failed, len(outcomes)))
        if not failed:
            self.unknown.append(CellsNotEnough(good, bad, len(cells)))
            return None
        if 1 < len(cells) <= TUNING.single_cells:
            yield from self._run_each(cells)
        return broken

    def _run_each(self, cells: Sequence[int]) -> Routine[None]:
        """For each of ``cells``, run the good table with the bad value of this cell only."""
        alone = [self._repair_all_but([cell]) for cell in cells]
        outcomes = yield from ask(self.state, Ask(alone, note="is each of these cells enough?"), self.view)
        enough = sum(outcome is not None and outcome.verdict is FAIL for outcome in outcomes)
        self.seen.append(CellsEnoughAlone(enough, len(cells)))

    def _run_fresh(self, patch: Patch, note: str) -> Routine[list[Outcome]]:
        once = replace(self.view, repeat=ONCE)
        outcomes = yield from ask(self.state, Ask([patch] * self.runs, fresh=True, note=note), once)
        return [outcome for outcome in outcomes if outcome is not None]

    def _repair_all_but(self, cells: Sequence[int]) -> Patch:
        """Return the patch that repairs all differences except those in ``cells``.

        ``cells``: positions in the order of the found patch.
        """
        ends = [-1, *cells, len(self.tables)]
        return self.tables.patch(self.found.patch.order, [(left + 1, right) for left, right in pairwise(ends)])


def _numbers(patch: Patch) -> list[int]:
    return [number for start, end in patch.spans for number in range(start, end)]


# A table that settings name


def explain_named_table(state: DiagnosisState, explanation: Explanation, view: StepView) -> Routine[Explanation]:
    """Return an explanation of failing settings, extended by the bad rows of the table that the settings name.

    If the settings do not name the bad table, the explanation is returned unchanged.
    """
    data, space = named_data(state.study), state.study.space
    if data is None or space is None or "rows" not in state.plan:
        return explanation
    naming = [one for one in _failing(explanation) if data.settings_with_table(one)]
    if not naming:
        state.begin("rows")
        state.end([TableNotNamed(data.bad)])
        return explanation
    names = {name for one in naming for name in data.settings_with_table(one)}
    varied = {name for name, field in space.items() if len(field.values) > 1}
    if explanation.certain and explanation.causes and names <= varied - set(explanation.relevant):
        state.begin("rows")
        state.end([AnyTable(data.bad)])
        return explanation
    settings, unknown = dict(naming[0]), (*explanation.unknown, *([] if explanation.causes else [Gap.OTHER_SETTINGS]))
    rate = expected_rate(explanation.rate)
    view = replace(view, show=partial(PatchedSettings, settings), repeat=policy_for_rate(rate))
    if naming[0] is not explanation.failing:
        view = replace(view, reference=None)  # the signature of a cause's example is not known
    state.draft = replace(explanation, settings=settings, unknown=unknown)
    if not (yield from _copy_fails(state, data.tables, view)):
        return replace(explanation, unknown=(*explanation.unknown, CopyPasses(data.bad)))
    return (yield from explain_rows(state, data.tables, view, rate))


def _failing(explanation: Explanation) -> list[Mapping[str, Any]]:
    """Return settings that failed. The settings that were reproduced come first."""
    shown = [explanation.failing, *(cause.example for cause in explanation.causes)]
    return [one for one in shown if isinstance(one, Mapping)]


def _copy_fails(state: DiagnosisState, tables: Tables, view: StepView) -> Routine[bool]:
    """Return True if the subject also fails with a copy of the table."""
    state.begin("reproduce")
    question: Ask[Any] = Ask([tables.failing], note=f"does it fail with a copy of {tables.names[0]}?")
    [outcome] = yield from ask(state, question, view)
    fails = outcome is not None and outcome.verdict is FAIL
    state.end([CopyTried(tables.names[0], fails)])
    return fails
