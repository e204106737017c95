"""Bounds of numbers, finer than the values that were seen.

A cause says ``size >= 0.3`` because 0.3 failed and the next smaller value of the universe passed. What lies between
them was never run. Bisection between the two, with everything else as in a failing run, moves the bound to where the
failure really begins: exactly for integers, to a thousandth of the gap for other numbers.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np

from rootward.rules import Atom, Conjunction
from rootward.search import Answers, Ask
from rootward.searches.causes.causes import Cause, Causes
from rootward.searches.causes.inquiry import Asking, Inquiry
from rootward.searches.causes.pipeline import Box
from rootward.space import Float, Int
from rootward.verdict import FAIL

FINE = 1000
"""Bisection of floats ends at this part of the gap."""


def refined(inquiry: Inquiry) -> Generator[Asking, Answers, Causes]:
    """The causes with each bound of a number moved to where it lies."""
    for box in inquiry.causes:
        found = inquiry.best
        [cause] = [one for one in found.details if one.conjunction == inquiry.said(box)]
        finer = yield from _refined(inquiry, box, cause)
        inquiry.finer[cause.conjunction] = finer
    return inquiry.best


def _refined(inquiry: Inquiry, box: Box, cause: Cause) -> Generator[Asking, Answers, Conjunction]:
    atoms = list(cause.conjunction.atoms)
    for at, atom in enumerate(atoms):
        p = inquiry.pipeline.names.index(atom.field)
        if atom.op in ("<=", ">=") and isinstance(inquiry.pipeline.space[atom.field], Int | Float):
            places = np.flatnonzero(box[p])
            inner, outer = (places[-1], places[-1] + 1) if atom.op == "<=" else (places[0], places[0] - 1)
            row = _witness(inquiry, box, p, int(inner), int(outer))
            if row is not None:
                bound = yield from _bisected(inquiry, row, p, int(inner), int(outer))
                atoms[at] = Atom(atom.field, atom.op, bound)
    return Conjunction(atoms)


def _witness(inquiry: Inquiry, box: Box, p: int, inner: int, outer: int) -> dict[str, Any] | None:
    """A run with the outer value that passed while it fulfils all else: between it and the inner one lies the bound."""
    codes, runs = inquiry.runs.codes, inquiry.runs
    rest = inquiry.inside({i: allowed for i, allowed in box.items() if i != p})
    rows = np.flatnonzero(rest & (codes[:, p] == outer) & (runs.fails == 0))
    return dict(inquiry.pipeline.configuration(codes[rows[0]])) if len(rows) else None


def _bisected(
    inquiry: Inquiry, row: dict[str, Any], p: int, inner: int, outer: int
) -> Generator[Asking, Answers, int | float]:
    """The last value, from the inner one on, that fails."""
    name, values = inquiry.pipeline.names[p], inquiry.pipeline.values[p]
    bad, good = values[inner], values[outer]
    whole = isinstance(inquiry.pipeline.space[name], Int)
    fine = 1 if whole else abs(good - bad) / FINE
    while abs(good - bad) > fine:
        middle = (bad + good) // 2 if whole else (bad + good) / 2
        if middle in (bad, good):
            break
        candidate = {**row, name: middle}
        if inquiry.pipeline.never is not None and inquiry.pipeline.never.holds(candidate):
            break
        [outcome] = yield Ask([candidate], best=inquiry.best, note=f"where {name} begins to fail")
        if outcome is not None and outcome.verdict is FAIL:
            bad = middle
        else:
            good = middle
    return bad  # type: ignore[no-any-return]
