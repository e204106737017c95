"""Thresholds: bounds of numbers, finer than the values that were run.

A cause says ``size >= 0.3`` because 0.3 failed and the next smaller value of the universe passed. Nothing between these
two was run, nor anything beyond the smallest and the largest value. Bisection, with everything else as in a passing
run, moves the bound to where the failure really begins: exactly for integers, to a thousandth of the gap for other
numbers.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Any

import numpy as np

from rootward.rules import Atom, Conjunction
from rootward.rules.constants import is_nan
from rootward.search.ask import Answers, Ask
from rootward.search.border import BorderStep, bisect
from rootward.search.design import Box, Instance
from rootward.search.relay import relay
from rootward.searches.causes.causes import Causes
from rootward.searches.causes.facts import Rest
from rootward.searches.causes.instance_queries import Asking, InstanceQueries
from rootward.searches.causes.pipeline import instance_of
from rootward.searches.causes.tuning import TUNING
from rootward.space.candidate import Configuration
from rootward.space.space import Float, Int
from rootward.verdict import FAIL

Number = int | float


def find_gaps(queries: InstanceQueries, many: int) -> Iterator[tuple[Instance, str]]:
    """Find bounds that are not tight, in parameters with more than ``many`` values.

    For each bound, yield a run halfway between the last failing and the first passing value, and the parameter's name.
    """
    codes, failed = queries.runs.codes, queries.runs.fails > 0
    for box in queries.causes:
        for p in [p for p in box if queries.pipeline.sizes[p] > many and queries.pipeline.ordered[p]]:
            rest, own = (
                queries.runs_inside({i: allowed for i, allowed in box.items() if i != p}),
                codes[:, p].astype(int),
            )
            bad = own[rest & failed & box[p][own]]
            good = np.flatnonzero(rest & ~failed & ~box[p][own])
            for last, beyond in ((bad.max(), good[own[good] > bad.max()]), (bad.min(), good[own[good] < bad.min()])):
                if len(beyond):
                    first = beyond[np.argmin(abs(own[beyond] - last))]
                    row = codes[first].astype(np.int64)
                    row[p] = last + (own[first] - last) // 2 if own[first] > last else last - (last - own[first]) // 2
                    yield instance_of(row), queries.pipeline.names[p]


def refine_bounds(queries: InstanceQueries) -> Generator[Asking, Answers, Causes]:
    """Bisect each bound of a number in the causes, and return the finding with the finer bounds."""
    for box in queries.causes:
        original = queries.to_conjunction(box)
        atoms = set(original)
        for p in box:
            name = queries.pipeline.names[p]
            if isinstance(queries.pipeline.space[name], Int | Float):
                bounds = yield from _refine_bounds(queries, original, box, p)
                atoms = {atom for atom in atoms if atom.field != name or not bounds} | set(bounds)
        if Conjunction(atoms) != original:
            queries.finer_causes[original] = Conjunction(atoms)
            if queries.guarantee is Rest.PASSED:
                queries.guarantee = None  # not everything was run: there are values between those of the universe
    return queries.best


def _refine_bounds(
    queries: InstanceQueries, original: Conjunction, box: Box, p: int
) -> Generator[Asking, Answers, list[Atom]]:
    """Return the refined comparisons of one number in a cause.

    The list is empty if the allowed values do not form an interval.
    """
    name, values, places = queries.pipeline.names[p], queries.pipeline.values[p], np.flatnonzero(box[p])
    first, last = int(places[0]), int(places[-1])
    end = len(values) - 1 - is_nan(values[-1])
    if last - first + 1 != len(places) or last > end:
        return []
    field: Any = queries.pipeline.space[name]
    below, above = values[first - 1] if first else field.lo, values[last + 1] if last < end else field.hi
    low = (yield from _find_edge(queries, original, box, p, values[first], below)) if below is not None else None
    high = (yield from _find_edge(queries, original, box, p, values[last], above)) if above is not None else None
    if low is not None and low == high:
        return [Atom(name, "=", low)]
    ends = [(">=", low), ("<=", high)]
    return [Atom(name, op, bound) for op, bound in ends if bound is not None]


def _find_edge(
    queries: InstanceQueries, original: Conjunction, box: Box, p: int, inner: Number, outer: Number
) -> Generator[Asking, Answers, Number | None]:
    """Find the last failing value between ``inner``, which the cause allows, and ``outer``, beyond its bound.

    A value that fails with some settings need not fail with others. So the bound is tried with several failing runs,
    and the tightest bound counts. The result is None if ``outer`` is only an end of the field's range, not a value of
    the universe, and no run with it passes.
    """
    inside = queries.runs_inside(box) & (queries.runs.fails > 0)
    rows = [dict(queries.pipeline.configuration(queries.runs.codes[row])) for row in np.flatnonzero(inside)]
    listed = outer in queries.pipeline.values[p]
    if inner == outer or not np.isfinite([float(inner), float(outer)]).all():
        return inner if listed and inner != outer else None
    row = yield from _find_crossing(queries, box, p, outer, rows)
    if row is None:
        return inner if listed else None
    bad, row = yield from _bisect(queries, p, row, inner, outer)
    name = queries.pipeline.names[p]
    for other in rows[:: max(1, len(rows) // TUNING.bound_checks)]:
        if bad != inner and (yield from _fails(queries, {**other, name: bad})) is False:
            bad, row = yield from _bisect(queries, p, other, inner, bad)
    queries.runs_beyond[original, p] = row
    return bad


def _bisect(
    queries: InstanceQueries, p: int, row: Configuration, bad: Number, good: Number
) -> Generator[Asking, Answers, tuple[Number, Configuration]]:
    """Return the last value that fails with these settings, and the run with the first value that passes."""
    name = queries.pipeline.names[p]
    field: Any = queries.pipeline.space[name]
    whole = isinstance(field, Int)
    fine = 1 if whole else abs(good - bad) / TUNING.bound_fineness

    def middle(bad: Number, good: Number) -> list[Number]:
        half = field.middle(bad, good) if abs(good - bad) > fine else bad
        return [half] if min(bad, good) < half < max(bad, good) else []  # nothing: close enough, or adjacent

    def fails(one: BorderStep[Number]) -> Generator[Asking, Answers, bool | None]:
        return (yield from _fails(queries, {**row, name: one.place}))

    bad, good = yield from relay(bisect(bad, good, middle), fails)
    return bad, {**row, name: good}


def _find_crossing(
    queries: InstanceQueries, box: Box, p: int, outer: Number, failing: Sequence[Configuration]
) -> Generator[Asking, Answers, Configuration | None]:
    """Return a run that passes with the value ``outer`` and fulfils the rest of the cause.

    Uses a known run if there is one, otherwise makes a new one. None if no such run is found.
    """
    codes, values = queries.runs.codes, queries.pipeline.values[p]
    rest = queries.runs_inside({i: allowed for i, allowed in box.items() if i != p}) & (queries.runs.fails == 0)
    if outer in values:
        passing = np.flatnonzero(rest & (codes[:, p] == values.index(outer)))
        if len(passing):
            return dict(queries.pipeline.configuration(codes[passing[0]]))
    for row in failing[: TUNING.bound_starts]:
        moved = {**row, queries.pipeline.names[p]: outer}
        if (yield from _fails(queries, moved)) is False:
            return moved
    return None


def _fails(queries: InstanceQueries, candidate: Configuration) -> Generator[Asking, Answers, bool | None]:
    """Run the candidate and return True if it fails. None if it must not be run."""
    if queries.pipeline.never is not None and queries.pipeline.never.holds(candidate):
        return None
    [outcome] = yield Ask([candidate], best=queries.best, note="bisecting where it begins to fail")
    return outcome is not None and outcome.verdict is FAIL
