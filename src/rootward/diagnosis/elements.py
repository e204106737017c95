"""From a failing input to the values that matter in it: leave out elements, then look into those that are left.

What is left after the reduction is a few elements, and each holds a few values. These are fields like any others
(``M0.InitialMode``), so the rest of the diagnosis is that of a configuration; only what the subject gets differs.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from rootward.candidate import Altered, Selection
from rootward.diagnosis.conductor import Conductor
from rootward.diagnosis.diagnosis import Explanation
from rootward.diagnosis.order import ordered
from rootward.diagnosis.view import View
from rootward.formats.parameters import Parameters, parameters
from rootward.rules import Estimate
from rootward.search import Answers, Ask
from rootward.searches.reduction import METHODS
from rootward.searches.reduction.reduction import Reduction
from rootward.searches.reduction.task import Task
from rootward.space import Space
from rootward.verdict import Outcome


def reduced(
    conductor: Conductor, task: Task[Any], view: View, *, flaky: bool, replays: bool, seed: int
) -> Generator[Ask[Any], Answers, Reduction[Any]]:
    """The step that leaves out elements."""
    if "reduce" not in conductor.plan:
        return Reduction(selection=task.elements.all, minimal=False)
    conductor.begin("reduce")
    search = task.search(METHODS["sieve"], flaky=flaky or None, replays=replays or None, seed=seed)
    found: Reduction[Any] = yield from conductor.search(search, view, partial(_drafted, conductor))
    conductor.end(found.headline(), found, complete=found.complete)
    conductor.draft = _drafted(conductor, found)
    return found


def _drafted(conductor: Conductor, found: Reduction[Any]) -> Explanation:
    assert conductor.draft is not None
    unknown = () if found.complete else ("Fewer elements may be enough: the search for them has not ended.",)
    return replace(conductor.draft, failing=found.selection, reduction=found, unknown=unknown)


def values_in(elements: Any, kept: Selection[Any], space: Space | None) -> Parameters | None:
    """The values inside of what is left, of those that the user wants to be varied; None if there are none."""
    inner = parameters(elements, kept.kept)
    return inner if inner is None or space is None else inner.restricted(space)


def put_in_order(
    conductor: Conductor, inner: Parameters, kept: Selection[Any], view: View
) -> Generator[Ask[Any], Answers, None]:
    """The step that asks whether the order of what is left matters."""
    conductor.begin("order")
    turned = replace(view, show=partial(_reordered, inner, kept))

    def run(orders: list[Any]) -> Generator[Ask[Any], Answers, list[Outcome | None]]:
        return (yield from conductor.ask(Ask(orders, note="does the order matter?"), turned, conductor.draft))

    said = yield from ordered(inner.names, run)
    conductor.end(" ".join(said) or "There is nothing to put in another order.")
    assert conductor.draft is not None
    conductor.draft = replace(conductor.draft, order=tuple(said))


def altered(inner: Parameters, kept: Selection[Any], configuration: Mapping[str, Any]) -> Any:
    """What the subject gets for values inside of what is left; unchanged ones are the selection that is known."""
    if dict(configuration) == inner.failing:
        return kept
    return Altered(configuration, inner.altered(configuration))


def _reordered(inner: Parameters, kept: Selection[Any], order: tuple[int, ...]) -> Any:
    names = tuple(inner.names[i] for i in order)
    return Altered(inner.failing, inner.altered(inner.failing, order), names)


def rate_of(found: Reduction[Any], before: Estimate) -> Estimate:
    """How often what is left fails: a few runs that all failed do not show that it fails every time."""
    if found.result is None or not found.result.runs or found.result.fails == found.result.runs:
        return before
    return found.result.estimate
