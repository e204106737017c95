"""Adaptive group testing, ours: find the smallest repair, down to the cell, in about as many trials as it has bits.

The search believes that some differences are *needed*: it passes if all of these are repaired, whatever happens to the
others. All differences form a line, the most surprising first (`orders`). Repairing all of them passes, and repairing
none fails.

Each trial leaves some differences at the far end of the line bad. If it still passes, they are harmless. If it fails,
one of them is needed, and bisection finds the last one: the needed difference that is least suspected. It stays
repaired, and the search goes on with the line before it. It ends when nothing of the line is left.

The best cut is the one after which passing and failing are equally likely. Before the first needed difference is found,
the chance comes from the scores: a large gap between two of them probably ends the bad ones, and a short list is
likelier than a long one (``by_scores``). Afterwards it comes from the share of needed differences so far
(``ShareDensity``). So k needed cells of n take about log2 C(n, k) + k trials if the scores say nothing, and few more
than k if the scores are right.

Usually, repairing more never hurts, but this is not taken for granted: at the end, the repair is tried without each of
its cells, and a cell that turns out not to be needed is left out. So the result is 1-minimal.

To use other evidence about where the bad differences end, write another ``Survival`` function and pass it to
``_find_last``. Any such function gives a correct answer; a better one only needs fewer trials.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rootward.search.ask import Answers, Ask, LazyCandidates, Search
from rootward.search.border import BorderStep, bisect
from rootward.search.relay import relay
from rootward.searches.rows.bad_rows import BadRows
from rootward.searches.rows.patch import Patch
from rootward.searches.rows.tables import Tables
from rootward.searches.rows.tuning import TUNING
from rootward.verdict import PASS, Outcome
from rootward.words import count

Array = NDArray[np.float64]
Survival = Callable[[int], float]
"""A function of n: the chance that the last n differences of the line are all harmless."""

GRID_SIZE = 32
"""Number of possible shares of needed differences that are distinguished."""


def adaptive(tables: Tables) -> Search[Patch, BadRows]:
    """Find a 1-minimal repair.

    The table passes with these cells repaired, and fails if any one of them is left bad.
    """
    line = _Line(tables, len(tables), ())
    untried = BadRows(patch=line.patch(), tables=tables, passes=None)
    survival = by_scores(tables.order("bits").scores)
    # Repairing nothing is known to fail, so the whole line cannot be harmless.
    known = len(tables)
    hints = [line.patch(_choose_cut(0, known, survival))] if known > 1 else []
    (outcome,) = yield Ask([line.patch()], best=untried, note="repairing every difference", ahead=hints)
    if not _has_passed(outcome):
        return BadRows(patch=line.patch(), tables=tables, passes=False)
    line = yield from _find_last(line, known, survival)
    density = ShareDensity.prior(line.left)
    while line.left:
        shorter = yield from _find_last(line, line.left + 1, by_density(density, line.left))
        found = len(shorter.needed) - len(line.needed)
        density = density.after(line.left - shorter.left - found, found)
        line = shorter
    return (yield from _check_each(line))


@dataclass(frozen=True)
class _Line:
    """The state of a search over differences in a fixed order.

    The first ``left`` differences are still to be tested. After them, only the differences in ``needed`` are repaired.
    """

    tables: Tables
    left: int
    needed: tuple[int, ...]

    def patch(self, cut: int = 0) -> Patch:
        """Return a patch that leaves out the last ``cut`` open differences.

        It repairs all other open differences and the needed ones.
        """
        return self.tables.patch("bits", [(0, self.left - cut), *((i, i + 1) for i in self.needed)])


def _find_last(line: _Line, bound: int, survival: Survival) -> Generator[Ask[Patch], Answers, _Line]:
    """Find the last needed difference among the open ones, and return the line that ends before it.

    The line is empty if none is needed. ``bound``: the last ``bound`` open differences cannot all be harmless.
    """

    def cuts(harmless: int, bound: int) -> list[int]:
        return [_choose_cut(harmless, bound, survival)] if bound - harmless > 1 else []

    def passes(at: BorderStep[int]) -> Generator[Ask[Patch], Answers, bool]:
        best = BadRows(patch=line.patch(at.near), tables=line.tables)
        needed, left = count(len(line.needed), "repair"), count(line.left - at.near, "difference")
        note = f"{needed} needed, {left} to test; trying without the last {at.place - at.near:,}"
        hints = (line.patch(cut) for ends in ((at.near, at.place), (at.place, at.far)) for cut in cuts(*ends))
        (outcome,) = yield Ask([line.patch(at.place)], best=best, note=note, ahead=hints)
        return _has_passed(outcome)

    harmless, _ = yield from relay(bisect(0, bound, cuts), passes)
    last = line.left - harmless - 1
    return _Line(line.tables, max(last, 0), (last, *line.needed) if last >= 0 else line.needed)


def _choose_cut(harmless: int, bound: int, survival: Survival) -> int:
    """Return the cut between ``harmless`` and ``bound`` whose trial is closest to a coin toss.

    A cut is harmless if the table still passes without repairing that many of the last differences.
    """
    high, low = survival(harmless), survival(bound)
    half, near, far = (high + low) / 2, harmless + 1, bound - 1
    while near < far:  # find the first cut whose survival is at most the half
        middle = (near + far) // 2
        near, far = (near, middle) if survival(middle) <= half else (middle + 1, far)
    before = near - 1
    return before if before > harmless and survival(before) - half < half - survival(near) else near


def by_scores(scores: Array) -> Survival:
    """Return a function that gives the chance that the last ``cut`` differences are all harmless.

    The chance is estimated from the scores, which must be in descending order.
    """
    n = len(scores)
    drops = np.maximum(scores - np.append(scores[1:], 0.0), 0.0)
    starts = np.flatnonzero(np.diff(scores, prepend=np.inf))  # among equal scores, each is equally likely the last bad
    sizes = np.diff(starts, append=n)
    likely = np.repeat(np.log((1 + starts + sizes) / (1 + starts)) / sizes, sizes) / np.log1p(n)
    if (total := float(drops.sum())) > 0:
        likely = (likely + drops / total) / 2
    ends = np.concatenate([[0.0], np.cumsum(likely)])
    return lambda cut: float(ends[n - cut])


def by_density(density: ShareDensity, left: int) -> Survival:
    """Return a function that gives the chance that the last ``cut`` differences are all harmless.

    The chance follows from the share of needed differences. It is 0 if ``cut`` is larger than ``left``.
    """
    return lambda cut: density.survival(cut) if cut <= left else 0.0


def _check_each(line: _Line) -> Search[Patch, BadRows]:
    """Check that each cell of the repair is needed, by leaving out one cell at a time.

    A cell without which the table still passes is dropped. This is repeated until all remaining cells are needed.
    """
    while True:
        best = BadRows(patch=line.patch(), tables=line.tables)
        options = LazyCandidates(len(line.needed), lambda i, line=line: _without(line, i).patch())  # type: ignore[misc]
        note = f"checking that each of the {len(line.needed):,} repairs is needed"
        answers = yield Ask(options, until=PASS, best=best, note=note)
        spare = next((i for i, outcome in enumerate(answers) if _has_passed(outcome)), None)
        if spare is None:
            return BadRows(patch=best.patch, tables=line.tables, minimal=True)
        line = _without(line, spare)


def _without(line: _Line, i: int) -> _Line:
    return _Line(line.tables, 0, line.needed[:i] + line.needed[i + 1 :])


def _has_passed(outcome: Outcome | None) -> bool:
    return outcome is not None and outcome.verdict is PASS


@dataclass(frozen=True, eq=False)
class ShareDensity:
    """The possible shares of needed differences in a line, and the chance of each share.

    At first every order of magnitude is equally likely, from hardly one difference to nearly all. There is an extra
    chance that no more are needed. Each difference that is found needed or harmless updates the chances.
    """

    shares: Array
    chances: Array

    @classmethod
    def prior(cls, count: int) -> ShareDensity:
        """Return the density before anything is known about this many differences."""
        low = math.log(0.3 / max(1, count))
        chances = np.full(GRID_SIZE, (1 - TUNING.none_chance) / GRID_SIZE)
        chances[0] += TUNING.none_chance
        return cls(np.exp(np.linspace(low, math.log(0.95), GRID_SIZE)), chances)

    def survival(self, count: int) -> float:
        """Return the chance that none of the next ``count`` differences is needed."""
        return float(self.chances @ (1 - self.shares) ** count)

    def after(self, cleared: int, found: int) -> ShareDensity:
        """Return the updated density after further results.

        ``cleared``: number of differences that turned out harmless. ``found``: number of those that turned out needed.
        """
        logs = np.log(self.chances) + cleared * np.log1p(-self.shares) + found * np.log(self.shares)
        chances = np.exp(logs - logs.max()) + 1e-300
        return replace(self, chances=chances / chances.sum())
