"""Find the elements of the input that are needed to fail, examine their order, and turn their values into fields.

Elements are removed until each of those left is needed (``searches/reduction``). These are few, and each holds a few
values. The values are fields like any others (``M0.InitialMode``), so the rest of the diagnosis is that of a
configuration; only the subject gets something else: the elements with these values.

Before that, the order is examined. Each pair of neighbours is exchanged: if it then no longer fails, the first must
come before the second. If it still fails after each exchange, the reverse order is tried once, to be sure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

from rootward.diagnosis.questions import Routine, StepView, ask, run_search
from rootward.diagnosis.state import DiagnosisState
from rootward.diagnosis.tuning import TUNING
from rootward.explanation.diagnosis import Explanation
from rootward.explanation.facts import Before, CutShort, Exchangeable, Result, WholeOrder
from rootward.facts import Fact
from rootward.formats.parameters import Parameters, parameters
from rootward.rules import Estimate
from rootward.search.ask import Ask
from rootward.searches.reduction import METHODS
from rootward.searches.reduction.reduction import Reduction
from rootward.space.candidate import Altered, Selection
from rootward.space.space import Space
from rootward.verdict import FAIL, Outcome

Verdicts = Callable[[list[Any]], Routine[list[Outcome | None]]]


def reduce(state: DiagnosisState, view: StepView, rate: Estimate) -> Routine[Reduction[Any]]:
    """Remove elements as long as the rest still fails."""
    task, seeded = state.task, state.subject.seeded
    if "reduce" not in state.plan:
        return Reduction(selection=task.elements.all, minimal=False)
    state.begin("reduce")
    flaky = seeded or rate.value < 1
    search = task.search(METHODS["sieve"], flaky=flaky or None, replays=seeded or None, seed=state.seed)
    found: Reduction[Any] = yield from run_search(state, search, view, partial(_make_draft, state))
    state.end([Result.FOUND], found, complete=found.complete)
    state.draft = _make_draft(state, found)
    return found


def _make_draft(state: DiagnosisState, found: Reduction[Any]) -> Explanation:
    assert state.draft is not None
    unknown = () if found.complete else (CutShort("reduce"),)
    return replace(state.draft, failing=found.selection, reduction=found, unknown=unknown)


def rate_of(found: Reduction[Any], before: Estimate) -> Estimate:
    """Return the rate at which the remaining elements fail.

    If all runs of the remaining elements failed, the runs are too few to show a rate of 1. In this case, return
    ``before``, the rate that was measured before the reduction.
    """
    if found.result is None or not found.result.runs or found.result.fails == found.result.runs:
        return before
    return found.result.estimate


# Values inside of the remaining elements


def values_in(elements: Any, kept: Selection[Any], space: Space | None) -> Parameters | None:
    """Return the values inside of the remaining elements; None if there are none.

    If ``space`` is given, only the values that it names are returned.
    """
    inner = parameters(elements, kept.kept)
    return inner if inner is None or space is None else inner.restrict(space)


def alter(inner: Parameters, kept: Selection[Any], configuration: Mapping[str, Any]) -> Any:
    """Return the remaining elements with the values of ``configuration`` inside of them.

    If no value differs from the failing one, this is ``kept`` itself, whose verdict is known.
    """
    if dict(configuration) == inner.failing:
        return kept
    return Altered(configuration, inner.alter(configuration))


# Their order


def examine_order(state: DiagnosisState, inner: Parameters, kept: Selection[Any], view: StepView) -> Routine[None]:
    """Find out if the order of the remaining elements matters."""
    state.begin("order")
    reordering = replace(view, show=partial(_reorder, inner, kept))

    def run(orders: list[Any]) -> Routine[list[Outcome | None]]:
        return (yield from ask(state, Ask(orders, note="does the order matter?"), reordering, state.draft))

    order = yield from find_order(inner.names, run)
    state.end(order or [Result.NOTHING_TO_REORDER])
    assert state.draft is not None
    state.draft = replace(state.draft, order=tuple(order))


def _reorder(inner: Parameters, kept: Selection[Any], order: tuple[int, ...]) -> Any:
    names = tuple(inner.names[i] for i in order)
    return Altered(inner.failing, inner.alter(inner.failing, order), names)


def find_order(names: Sequence[str], run: Verdicts) -> Routine[list[Fact]]:
    """Return facts about the order of the elements ``names``.

    ``run``: runs orders, given as tuples of positions, and returns their outcomes.
    """
    if not 2 <= len(names) <= TUNING.max_ordered:
        return []
    places = list(range(len(names)))
    swapped = [(*places[:i], i + 1, i, *places[i + 2 :]) for i in places[:-1]]
    outcomes = yield from run(swapped)
    needed = [outcome is None or outcome.verdict is not FAIL for outcome in outcomes]
    if not any(needed):
        [reverse] = yield from run([tuple(reversed(places))])
        if reverse is not None and reverse.verdict is FAIL:
            return [WholeOrder(tuple(names), matters=False)]
        if len(names) == 3:  # among three, the reverse differs from the exchanges in the order of the outer two
            return [Before(names[0], names[-1], ends=True)]
        return [WholeOrder(tuple(names), matters=True)]
    return [
        Before(one, other) if must else Exchangeable(one, other)
        for (one, other), must in zip(pairwise(names), needed, strict=True)
    ]
