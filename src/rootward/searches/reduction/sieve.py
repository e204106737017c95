"""Sieve, our reduction: ask what tells most, keep how often it fails, claim no more than was seen.

Elements stand in a line, the least likely to be needed first (line.py), and a sweep finds one needed element after the
other (sweep.py): about log2 C(n, k) runs for k needed elements of n, where ddmin takes k^2 and more. A tree is swept
level by level. Every decision rests on a run that failed and one that did not, so a failure that is not monotone is
reduced as well; at the end what is left is tried without each single element. Where a run could not be judged, pairs
that may only go together (a bracket and its partner) are tried, too.

This file is for failures that show every time. A flaky one is a matter of rates: see ``flaky.py``.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TypeVar

from rootward.search.ask import Ask, Search, all_of, first_failing
from rootward.searches.reduction.ddmin import without_one
from rootward.searches.reduction.flaky_sieve import sieve_flaky
from rootward.searches.reduction.line import Asking, Ground, Line
from rootward.searches.reduction.reduction import Reduction
from rootward.searches.reduction.sieve_tuning import TUNING
from rootward.searches.reduction.surroundings import Surroundings
from rootward.searches.reduction.sweep import Noise, Sweep
from rootward.space.candidate import Elements, Selection
from rootward.verdict import FAIL, UNRESOLVED

E = TypeVar("E")


def sieve(
    elements: Elements[E],
    *,
    surroundings: Surroundings | None = None,
    require: Sequence[frozenset[int]] = (),
    flaky: bool = False,
    replays: bool = False,
    share: float = 0.5,
    confidence: float = 0.95,
    stop_at: float = 1.0,
) -> Search[Selection[E], Reduction[E]]:
    """The failing list reduced to a 1-minimal part. ``require``: of each of these sets, at least one has to stay.

    If the failure is ``flaky``: to a part that fails at least ``share`` times as often, at that ``confidence``.
    ``stop_at``: the share of elements that is enough to remove.
    """
    ground = Ground(elements, surroundings or Surroundings(), tuple(require))
    if flaky:
        return (yield from sieve_flaky(ground, share=share, confidence=confidence, replays=replays, stop_at=stop_at))
    return (yield from _steady(ground))


def _steady(ground: Ground[E]) -> Search[Selection[E], Reduction[E]]:
    current = ground.elements.all
    line, sweep = _begun(ground, current, 0)
    best = Reduction(selection=current, minimal=False)
    first = line.without(sweep, sweep.cut)
    hints = itertools.chain([first], line.ahead(sweep))
    (outcome,) = yield Ask([current], best=best, note="the failing run", ahead=hints)
    ground.learn(outcome)
    for level in range(ground.depth):
        line, sweep = _begun(ground, current, level)
        while not sweep.done:
            sweep = yield from _step(line, sweep)
        current = line.without(sweep)
    return Reduction(selection=(yield from _singly(ground, current)), surroundings=ground.before)


def _begun(ground: Ground[E], current: Selection[E], level: int) -> tuple[Line[E], Sweep]:
    line = Line.over(ground, current, level)
    return line, Sweep.over(line.order, line.weights, Noise.none(), theta=TUNING.certain, enough=TUNING.certain)


def _step(line: Line[E], sweep: Sweep) -> Asking[E, Sweep]:
    """One run further."""
    asked = line.without(sweep, sweep.cut)
    if line.ground.refuses(asked):
        return sweep.barred()
    left = line.without(sweep)
    best = Reduction(selection=left, minimal=False)
    (outcome,) = yield Ask([asked], best=best, note=line.note(sweep, left), ahead=line.ahead(sweep))
    assert outcome is not None
    return sweep.after(outcome.verdict is FAIL)


def _singly(ground: Ground[E], current: Selection[E]) -> Asking[E, Selection[E]]:
    """The rest without each single element, and without pairs that may only go together, until nothing goes."""
    while True:
        best, order = Reduction(selection=current, minimal=False), ground.removable(current)[::-1]
        note = f"{len(current)} of {len(ground.elements)} left: is each of them needed?"
        smaller = yield from without_one(current, order, best=best, note=note)
        if smaller is None:
            smaller = yield from _without_pair(ground, current)
        if smaller is None:
            return current
        current = smaller


def _without_pair(ground: Ground[E], current: Selection[E]) -> Asking[E, Selection[E] | None]:
    """Of elements without which it cannot be judged, two that stand near each other: a bracket and its partner."""
    alone = ground.removable(current)
    best, note = Reduction(selection=current, minimal=False), f"{len(current)} left: do some of them go together?"
    outcomes = yield from all_of([current.without([i]) for i in alone], best=best, note=note)
    missed = [i for i, outcome in zip(alone, outcomes, strict=True) if outcome.verdict is UNRESOLVED]
    start = current
    for apart in range(1, TUNING.max_pair_distance + 1):
        place = 0
        while place + apart < len(missed):
            pair = missed[place], missed[place + apart]
            smaller = current.without(pair)
            best = Reduction(selection=current, minimal=False)
            if ground.refuses(smaller) or (yield from first_failing([smaller], best=best, note=note)) is None:
                place += 1
                continue
            current = smaller
            missed = [i for i in missed if i not in pair]
            place = max(0, place - apart)
    return None if current is start else current
