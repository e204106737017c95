"""Adaptive group testing, ours: the smallest repair, down to the cell, in about as many trials as its bits.

The differences stand in a line, the most surprising first (orders.py). Repairing all of them passes, repairing none
fails. Each trial leaves some at the far end of the line bad: if it still passes, they are harmless; if not, one of them
is needed, and half-way cuts find it: the needed one that is least suspected. Then the same goes on with what stands
before it. Where to cut is a matter of chances: at first, by the scores (a wide gap between two of them is a likely
end of what is bad, and the short list likelier than the long one); then, by the share of needed ones so far
(``Density``). So k needed cells of n take about log2 C(n, k) + k trials if the scores say nothing, and few more than k
if they say it all.

Repairing more never hurts, usually. That is not taken for granted: at the end, the repair is tried without each of its
cells, and one that turns out not to be needed is left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rootward.search.ask import Answers, Ask, Lazily, Search
from rootward.search.border import Between, bisect
from rootward.search.relay import relay
from rootward.searches.rows.bad_rows import BadRows
from rootward.searches.rows.patch import Patch
from rootward.searches.rows.tables import Tables
from rootward.searches.rows.tuning import TUNING
from rootward.verdict import PASS, Outcome

Array = NDArray[np.float64]
Survival = Callable[[int], float]
"""The chance that the last ones of the line, as many as given, are all harmless."""

GRID = 32
"""Number of shares of needed ones that are told apart."""


def adaptive(tables: Tables) -> Search[Patch, BadRows]:
    """A 1-minimal repair: with these cells repaired it passes, with any one of them left bad it does not."""
    line = _Line(tables, len(tables), ())
    untried = BadRows(patch=line.patch(), tables=tables, passes=None)
    survival = by_scores(tables.order("bits").scores)
    # That repairing nothing fails is known: so many cannot all be harmless.
    known = len(tables)
    hints = [line.patch(_middle(0, known, survival))] if known > 1 else []
    (outcome,) = yield Ask([line.patch()], best=untried, note="every difference repaired", ahead=hints)
    if not _passed(outcome):
        return BadRows(patch=line.patch(), tables=tables, passes=False)
    line = yield from _next(line, known, survival)
    density = Density.over(line.left)
    while line.left:
        shorter = yield from _next(line, line.left + 1, by_density(density, line.left))
        found = len(shorter.needed) - len(line.needed)
        density = density.after(line.left - shorter.left - found, found)
        line = shorter
    return (yield from _singly(line))


@dataclass(frozen=True)
class _Line:
    """The first ``left`` differences are open; of those behind them, the ``needed`` ones are repaired."""

    tables: Tables
    left: int
    needed: tuple[int, ...]

    def patch(self, cut: int = 0) -> Patch:
        """Repair all that is open but the last ``cut``."""
        return self.tables.patch("bits", [(0, self.left - cut), *((i, i + 1) for i in self.needed)])


def _next(line: _Line, bound: int, survival: Survival) -> Generator[Ask[Patch], Answers, _Line]:
    """Find the needed one that stands last; so many cannot all be harmless. Without one, nothing is left."""

    def cuts(harmless: int, bound: int) -> list[int]:
        return [_middle(harmless, bound, survival)] if bound - harmless > 1 else []

    def passes(at: Between[int]) -> Generator[Ask[Patch], Answers, bool]:
        best = BadRows(patch=line.patch(at.near), tables=line.tables)
        note = f"{len(line.needed):,} needed, {line.left - at.near:,} open: without the last {at.place - at.near:,}"
        hints = (line.patch(cut) for ends in ((at.near, at.place), (at.place, at.far)) for cut in cuts(*ends))
        (outcome,) = yield Ask([line.patch(at.place)], best=best, note=note, ahead=hints)
        return _passed(outcome)

    harmless, _ = yield from relay(bisect(0, bound, cuts), passes)
    last = line.left - harmless - 1
    return _Line(line.tables, max(last, 0), (last, *line.needed) if last >= 0 else line.needed)


def _middle(harmless: int, bound: int, survival: Survival) -> int:
    """The cut, between the two, that is as likely to be harmless as not."""
    high, low = survival(harmless), survival(bound)
    half, near, far = (high + low) / 2, harmless + 1, bound - 1
    while near < far:  # the first cut whose survival is at most the half
        middle = (near + far) // 2
        near, far = (near, middle) if survival(middle) <= half else (middle + 1, far)
    before = near - 1
    return before if before > harmless and survival(before) - half < half - survival(near) else near


def by_scores(scores: Array) -> Survival:
    """How likely it is that the bad ones end before the last so many, from the scores in descending order."""
    n = len(scores)
    drops = np.maximum(scores - np.append(scores[1:], 0.0), 0.0)
    starts = np.flatnonzero(np.diff(scores, prepend=np.inf))  # of those that score alike, each is as likely the last
    sizes = np.diff(starts, append=n)
    likely = np.repeat(np.log((1 + starts + sizes) / (1 + starts)) / sizes, sizes) / np.log1p(n)
    if (total := float(drops.sum())) > 0:
        likely = (likely + drops / total) / 2
    ends = np.concatenate([[0.0], np.cumsum(likely)])
    return lambda cut: float(ends[n - cut])


def by_density(density: Density, left: int) -> Survival:
    """By the share of needed ones. That one more than there are is harmless means nothing, and never happens."""
    return lambda cut: density.survival(cut) if cut <= left else 0.0


def _singly(line: _Line) -> Search[Patch, BadRows]:
    """Try the repair without each of its cells, until each was seen to be needed."""
    while True:
        best = BadRows(patch=line.patch(), tables=line.tables)
        options = Lazily(len(line.needed), lambda i, line=line: _without(line, i).patch())  # type: ignore[misc]
        note = f"{len(line.needed):,} needed: each of them?"
        answers = yield Ask(options, until=PASS, best=best, note=note)
        spare = next((i for i, outcome in enumerate(answers) if _passed(outcome)), None)
        if spare is None:
            return BadRows(patch=best.patch, tables=line.tables, minimal=True)
        line = _without(line, spare)


def _without(line: _Line, i: int) -> _Line:
    return _Line(line.tables, 0, line.needed[:i] + line.needed[i + 1 :])


def _passed(outcome: Outcome | None) -> bool:
    return outcome is not None and outcome.verdict is PASS


@dataclass(frozen=True, eq=False)
class Density:
    """Possible shares of needed ones in a line, and the chance of each.

    The share is unknown: any order of magnitude is as likely as any other, from hardly one of them to nearly all; but
    often there are no more. Each one found and each one cleared teaches it.
    """

    shares: Array
    chances: Array

    @classmethod
    def over(cls, count: int) -> Density:
        """Nothing known of this many."""
        low = math.log(0.3 / max(1, count))
        chances = np.full(GRID, (1 - TUNING.none_chance) / GRID)
        chances[0] += TUNING.none_chance
        return cls(np.exp(np.linspace(low, math.log(0.95), GRID)), chances)

    def survival(self, count: int) -> float:
        """The chance that none of the next ones is needed."""
        return float(self.chances @ (1 - self.shares) ** count)

    def after(self, cleared: int, found: int) -> Density:
        """What this many cleared ones and needed ones teach."""
        logs = np.log(self.chances) + cleared * np.log1p(-self.shares) + found * np.log(self.shares)
        chances = np.exp(logs - logs.max()) + 1e-300
        return replace(self, chances=chances / chances.sum())
