"""Chunks: what the sieve tries where a sweep is slow because many elements seem to be needed.

Then the failure may not be monotone: in a program, no line can go while another one uses it. A sweep leaves out only
what comes next in its line. Here, a chunk may stand anywhere, and is also tried alone.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TypeVar

from rootward.search.ask import first_failing
from rootward.searches.reduction.ddmin import reduce_units, split
from rootward.searches.reduction.files.moves import patience, try_list
from rootward.searches.reduction.line import Asking, Ground
from rootward.searches.reduction.reduction import Reduction, count_left
from rootward.searches.reduction.sieve_tuning import TUNING
from rootward.space.candidate import Selection

E = TypeVar("E")


def keep_one_part(ground: Ground[E], current: Selection[E], order: Sequence[int]) -> Asking[E, Selection[E]]:
    """Keep only one half of these elements, or else a smaller part, as long as it is enough."""
    while True:
        units, before = _present(order, current), current
        for count in _doublings(min(TUNING.max_parts, len(units))):
            parts = [part for part in split(current, units, count)[0] if not ground.refuses(part)]
            best, note = Reduction(selection=current, minimal=False), f"{count_left(current)}, trying parts alone"
            found = yield from first_failing(parts, best=best, note=note)
            if found is not None:
                current = parts[found]
                break
        if current is before:
            return current


def try_parts(current: Selection[E], order: Sequence[int], max_parts: int) -> Asking[E, Selection[E]]:
    """Try parts of these elements alone, and all but one part, with at most ``max_parts`` parts."""
    return (yield from reduce_units(current, partial(_present, order), max_parts))


def leave_out_chunks(ground: Ground[E], current: Selection[E], order: Sequence[int]) -> Asking[E, Selection[E]]:
    """Leave out chunks of these elements, from large to small; each size again as long as it removes a tenth."""
    for grain in _grains(len(order)):
        again = True
        while again:
            before = len(current)
            current = yield from _leave_out(ground, current, _present(order, current), grain)
            again = len(current) <= TUNING.worth_another * before
    return current


def _leave_out(ground: Ground[E], start: Selection[E], units: Sequence[int], grain: int) -> Asking[E, Selection[E]]:
    moves, removed, current = try_list([({i: None}, 1) for i in units], grain), set[int](), start
    with contextlib.suppress(StopIteration):
        chunk = next(moves)
        while True:
            asked = start.without(removed | chunk.keys())
            best, note = Reduction(selection=current, minimal=False), f"{count_left(current)}, trying chunks"
            worked = not ground.refuses(asked) and (yield from first_failing([asked], best=best, note=note)) is not None
            if worked:
                removed, current = removed | chunk.keys(), asked
            chunk = moves.send(worked)
    return current


def cost_of_parts(max_parts: int) -> int:
    """Return the runs of ``try_parts`` if none of them fails."""
    return sum(2 * count for count in _doublings(max_parts))


def cost_of_chunks(count: int) -> int:
    """Return the runs of ``leave_out_chunks`` among ``count`` elements if none of them can go."""
    return sum(2 + patience(count, grain) for grain in _grains(count))


def _present(order: Sequence[int], selection: Selection[E]) -> list[int]:
    kept = set(selection.kept)
    return [i for i in order if i in kept]


def _doublings(last: int) -> Iterator[int]:
    count = 2
    while count <= last:
        yield count
        count *= 2


def _grains(count: int) -> Iterator[int]:
    grain = count // 8
    while grain >= TUNING.min_chunk:
        yield grain
        grain //= 4
