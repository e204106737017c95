"""Sieve, Rootward's own reduction: it asks the most informative question and claims only what runs have shown.

The elements form a line, those least likely to be needed first (line.py). A *sweep* (sweep.py) finds one needed element
after another along that line. It takes about log2 C(n, k) runs to find k needed elements among n, where ddmin takes k^2
and more. A tree is swept level by level.

What it believes: each element has some probability of being needed. It starts from guesses and learns from each needed
element that it finds. Beliefs only choose the questions; wrong guesses cost runs, not correctness.

What it asks: does the list still fail without the first m elements of the line? Every decision rests on a run that
failed and one that did not, so failures that are not monotone are reduced as well. After the sweeps, it asks for what
is left without each single element, which makes the result 1-minimal. If some of these runs were UNRESOLVED, it also
tries pairs that may only go together, such as a bracket and its partner.

Why it ends: every frontier of a sweep decides at least one element, and every later round removes one or returns.

How to extend it: knowledge about which elements matter becomes a weight in line.py. A further way to shrink the result
is a generator like ``_remove_pairs``: it returns a smaller selection that fails, or None, and ``_remove_singles`` calls
it before it gives up.

This file handles failures that show every time; flaky_sieve.py handles flaky ones, for which rates must be compared.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TypeVar

from rootward.search.ask import Ask, Search, all_of, first_failing
from rootward.searches.reduction import chunks
from rootward.searches.reduction.ddmin import remove_one
from rootward.searches.reduction.flaky_sieve import sieve_flaky
from rootward.searches.reduction.line import Asking, Ground, Line
from rootward.searches.reduction.reduction import Reduction, count_left
from rootward.searches.reduction.sieve_tuning import TUNING
from rootward.searches.reduction.surroundings import Surroundings
from rootward.searches.reduction.sweep import RunNoise, Sweep
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
    """Reduce the failing list to a 1-minimal part.

    A ``flaky`` failure is reduced to a part that fails at least ``share`` times as often as the list, with probability
    ``confidence``; ``replays`` then says that the seed may decide whether a run fails. ``require`` holds sets of
    elements; at least one element of each set has to stay. The search ends early once the share ``stop_at`` of the
    elements is removed.
    """
    ground = Ground(elements, surroundings or Surroundings(), tuple(require))
    if flaky:
        return (yield from sieve_flaky(ground, share=share, confidence=confidence, replays=replays, stop_at=stop_at))
    return (yield from _sieve_steady(ground))


def _sieve_steady(ground: Ground[E]) -> Search[Selection[E], Reduction[E]]:
    current = ground.elements.all
    line, sweep = _start_sweep(ground, current, 0)
    best = Reduction(selection=current, minimal=False)
    first = line.without(sweep, sweep.cut)
    hints = itertools.chain([first], line.predict_selections(sweep))
    (outcome,) = yield Ask([current], best=best, note="running the original", ahead=hints)
    ground.learn(outcome)
    for level in range(ground.depth):
        current = yield from _sweep_level(ground, current, level)
    return Reduction(selection=(yield from _remove_singles(ground, current)), surroundings=ground.before)


def _sweep_level(ground: Ground[E], current: Selection[E], level: int) -> Asking[E, Selection[E]]:
    if ground.is_text:
        return (yield from _sweep_text(ground, current))
    line, sweep = _start_sweep(ground, current, level)
    while not sweep.done:
        sweep = yield from _ask_cut(line, sweep)
    return line.without(sweep)


def _sweep_text(ground: Ground[E], current: Selection[E]) -> Asking[E, Selection[E]]:
    """Sweep a text, but leave the sweep for chunks (chunks.py) where it is slow."""
    units, caution = current.free, TUNING.caution
    current = yield from chunks.keep_one_part(ground, current, units)
    line, sweep = _start_sweep(ground, current, 0)
    while not sweep.done:
        sweep = yield from _ask_cut(line, sweep)
        if len(sweep.needed) < TUNING.min_found:
            continue
        runs, left = line.expect_runs(sweep) / caution, line.without(sweep)
        smaller = left
        if runs > chunks.cost_of_parts(TUNING.max_parts):
            caution *= 2
            smaller = yield from chunks.try_parts(left, units, TUNING.max_parts)
        if smaller is left and runs > chunks.cost_of_chunks(len(line.order)):
            smaller = yield from chunks.leave_out_chunks(ground, left, units)
        if smaller is not left:
            line, sweep = _start_sweep(ground, smaller, 0)
    left = line.without(sweep)
    smaller = yield from chunks.try_parts(left, units, TUNING.max_last_parts)
    return left if smaller is left else (yield from _sweep_text(ground, smaller))


def _start_sweep(ground: Ground[E], current: Selection[E], level: int) -> tuple[Line[E], Sweep]:
    line = Line.build(ground, current, level)
    return line, Sweep.start(line.order, line.weights, RunNoise.none(), theta=TUNING.certain, enough=TUNING.certain)


def _ask_cut(line: Line[E], sweep: Sweep) -> Asking[E, Sweep]:
    """Ask for the sweep's next cut and return the sweep after the answer."""
    asked = line.without(sweep, sweep.cut)
    if line.ground.refuses(asked):
        return sweep.rule_out_cut()
    left = line.without(sweep)
    best = Reduction(selection=left, minimal=False)
    (outcome,) = yield Ask([asked], best=best, note=line.note(sweep, left), ahead=line.predict_selections(sweep))
    assert outcome is not None
    return sweep.after(outcome.verdict is FAIL)


def _remove_singles(ground: Ground[E], current: Selection[E]) -> Asking[E, Selection[E]]:
    """Remove single elements until nothing more can be removed. Also remove pairs that can only go together."""
    while True:
        best, order = Reduction(selection=current, minimal=False), ground.removable(current)[::-1]
        note = f"{count_left(current)}, checking that each is needed"
        smaller = yield from remove_one(current, order, best=best, note=note)
        if smaller is None:
            smaller = yield from _remove_pairs(ground, current)
        if smaller is None:
            return current
        current = smaller


def _remove_pairs(ground: Ground[E], current: Selection[E]) -> Asking[E, Selection[E] | None]:
    """Remove pairs of nearby elements that can only go together, such as a bracket and its partner.

    Only elements without which the run was UNRESOLVED are tried. Return None if no pair can be removed.
    """
    alone = ground.removable(current)
    best = Reduction(selection=current, minimal=False)
    note = f"{count_left(current)}, trying to remove pairs"
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
