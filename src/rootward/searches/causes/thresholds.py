"""Bounds of numbers, finer than the values that were seen.

A cause says ``size >= 0.3`` because 0.3 failed and the next smaller value of the universe passed. What lies between
them was never run. Bisection between the two, with everything else as in that passing run, moves the bound to where
the failure really begins: exactly for integers, to a thousandth of the gap for other numbers.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np

from rootward.rules import Atom, Conjunction
from rootward.rules.atoms import is_nan
from rootward.search import Answers, Ask
from rootward.searches.causes.causes import Causes
from rootward.searches.causes.inquiry import EVERYTHING, Asking, Inquiry
from rootward.searches.causes.pipeline import Box
from rootward.space import Float, Int
from rootward.verdict import FAIL

FINE = 1000
"""Bisection of floats ends at this part of the gap."""
TRIED = 3
"""Failing runs that are moved across a bound to find one that passes there."""
Number = int | float


def refined(inquiry: Inquiry) -> Generator[Asking, Answers, Causes]:
    """The causes with each bound of a number moved to where it lies."""
    for box in inquiry.causes:
        said = inquiry.said(box)
        atoms = set(said)
        for p in box:
            name = inquiry.pipeline.names[p]
            if isinstance(inquiry.pipeline.space[name], Int | Float):
                bounds = yield from _bounds(inquiry, said, box, p)
                atoms = {atom for atom in atoms if atom.field != name or not bounds} | set(bounds)
        if Conjunction(atoms) != said:
            inquiry.finer[said] = Conjunction(atoms)
            if inquiry.guarantee == EVERYTHING:
                inquiry.guarantee = ""  # there is more between the values that were run
    return inquiry.best


def _bounds(inquiry: Inquiry, said: Conjunction, box: Box, p: int) -> Generator[Asking, Answers, list[Atom]]:
    """What the cause says of a number, with its bounds refined; nothing if that is no interval."""
    name, values, places = inquiry.pipeline.names[p], inquiry.pipeline.values[p], np.flatnonzero(box[p])
    first, last = int(places[0]), int(places[-1])
    end = len(values) - 1 - is_nan(values[-1])
    if last - first + 1 != len(places) or last > end:
        return []
    low = (yield from _edge(inquiry, said, box, p, first, first - 1)) if first else None
    high = (yield from _edge(inquiry, said, box, p, last, last + 1)) if last < end else None
    if low is not None and low == high:
        return [Atom(name, "=", low)]
    ends = [(">=", low), ("<=", high)]
    return [Atom(name, op, bound) for op, bound in ends if bound is not None]


def _edge(
    inquiry: Inquiry, said: Conjunction, box: Box, p: int, inner: int, outer: int
) -> Generator[Asking, Answers, Number]:
    """The last value that fails, on the way from an allowed value to its neighbour that is not."""
    name, values = inquiry.pipeline.names[p], inquiry.pipeline.values[p]
    field, bad, good = inquiry.pipeline.space[name], values[inner], values[outer]
    if not np.isfinite([float(bad), float(good)]).all():
        return bad  # type: ignore[no-any-return]
    row = yield from _crossing(inquiry, box, p, outer)
    if row is None:
        return bad  # type: ignore[no-any-return]
    whole = isinstance(field, Int)
    fine = 1 if whole else abs(good - bad) / FINE
    while abs(good - bad) > fine:
        middle = field.coerce((bad + good) // 2 if whole else bad / 2 + good / 2)
        if not min(bad, good) < middle < max(bad, good):
            break  # neighbours among floats
        failed = yield from _fails(inquiry, {**row, name: middle})
        if failed is None:
            break
        bad, good = (middle, good) if failed else (bad, middle)
    inquiry.crossed[said, p] = {**row, name: good}
    return bad  # type: ignore[no-any-return]


def _crossing(inquiry: Inquiry, box: Box, p: int, outer: int) -> Generator[Asking, Answers, dict[str, Any] | None]:
    """A run that fulfils all else and passes with the outer value: one that is known, or a failing one that does."""
    codes, failed = inquiry.runs.codes, inquiry.runs.fails > 0
    rest = inquiry.inside({i: allowed for i, allowed in box.items() if i != p})
    passing = np.flatnonzero(rest & (codes[:, p] == outer) & ~failed)
    if len(passing):
        return dict(inquiry.pipeline.configuration(codes[passing[0]]))
    for row in np.flatnonzero(inquiry.inside(box) & failed)[:TRIED]:
        moved = codes[row].copy()
        moved[p] = outer
        configuration = dict(inquiry.pipeline.configuration(moved))
        if (yield from _fails(inquiry, configuration)) is False:
            return configuration
    return None


def _fails(inquiry: Inquiry, candidate: dict[str, Any]) -> Generator[Asking, Answers, bool | None]:
    """Whether it fails; None if it must not be run."""
    if inquiry.pipeline.never is not None and inquiry.pipeline.never.holds(candidate):
        return None
    [outcome] = yield Ask([candidate], best=inquiry.best, note="where it begins to fail")
    return outcome is not None and outcome.verdict is FAIL
