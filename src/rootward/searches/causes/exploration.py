"""Runs that would show a cause of which no failing run is known.

Causes that might exist are drawn from the prior; those that a passing run refutes are dropped. The instance to run is
the one, outside of all known causes, that most of the remaining ones cover. What is run after it is chosen as if it
had passed, so that all of them can be run at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from rootward.design import Box, Instance
from rootward.design.constraints import FREE, Constraints
from rootward.searches.causes.beliefs import Codes, covers
from rootward.searches.causes.options import Options
from rootward.searches.causes.runs import Runs

DRAWN = 2000
"""Causes drawn from the prior, and ..."""
OFFERED = 400
"""... instances to choose from."""
SCARCE = 40
"""If random instances leave fewer to choose from, others are made."""


class Unseen:
    """Causes that may exist, one slot each; without options, none are drawn and instances are taken at random."""

    def __init__(self, options: Sequence[Options], sizes: NDArray[np.int64], seed: Sequence[int]) -> None:
        self._options, self._sizes = options, sizes
        self._rng = np.random.default_rng(seed)
        self._causes = self._drawn() if options else np.zeros((0, len(sizes)), dtype=np.int16)
        self._refuted = 0

    def _drawn(self) -> NDArray[np.int16]:
        rng, count = self._rng, len(self._options)
        lengths = 1 / (np.arange(count) + 2.0) / (np.arange(count) + 3.0)
        wanted = rng.choice(count, size=DRAWN, p=lengths / lengths.sum()) + 1
        named = rng.random((DRAWN, count)).argsort(axis=1).argsort(axis=1) < wanted[:, None]
        causes = np.zeros((DRAWN, count), dtype=np.int16)
        for p, own in enumerate(self._options):
            if len(own) > 1:
                chance = np.exp(own.chances[1:])
                causes[:, p] = 1 + rng.choice(len(chance), size=DRAWN, p=chance / chance.sum())
        return np.where(named, causes, 0).astype(np.int16)

    def instances(
        self, boxes: Sequence[Box], runs: Runs, usable: Callable[[NDArray[np.int64]], bool], count: int
    ) -> list[Instance]:
        """So many instances outside of the known causes, the most telling first."""
        if len(self._causes):
            self._drop(runs.known(False))
        offered = self._offered(boxes, usable)
        inside = covers(self._options, self._causes[:, None], offered)[:, 0]
        left, free = np.ones(len(self._causes), dtype=bool), np.ones(len(offered), dtype=bool)
        found: list[Instance] = []
        while len(found) < count and free.any():
            best = int(np.argmax(np.where(free, left @ inside, -1)))
            found.append(tuple(map(int, offered[best])))
            free[best] = False
            left &= ~inside[:, best]
        return found

    def _offered(self, boxes: Sequence[Box], usable: Callable[[NDArray[np.int64]], bool]) -> Codes:
        rows = np.unique(self._rng.integers(0, self._sizes, size=(OFFERED, len(self._sizes))), axis=0)
        rows = rows[self._rng.permutation(len(rows))]
        known = np.zeros(len(rows), dtype=bool)
        for box in boxes:
            known |= np.logical_and.reduce([mask[rows[:, p]] for p, mask in box.items()])
        rows = np.array([row for row in rows[~known] if usable(row)], dtype=np.int64).reshape(-1, len(self._sizes))
        return rows if len(rows) >= SCARCE else self._rest(boxes, usable)

    def _rest(self, boxes: Sequence[Box], usable: Callable[[NDArray[np.int64]], bool]) -> Codes:
        """Where the causes leave little: instances that avoid them, made one by one."""
        constraints, free = Constraints(self._sizes.tolist(), boxes), [FREE] * len(self._sizes)
        made = [constraints.complete(free, self._rng) for _ in range(4 * SCARCE)] if constraints.allow(free) else []
        rows = [np.array(one, dtype=np.int64) for one in dict.fromkeys(one for one in made if one is not None)]
        return np.array([row for row in rows if usable(row)], dtype=np.int64).reshape(-1, len(self._sizes))

    def _drop(self, passing: Codes) -> None:
        new = passing[self._refuted :]
        self._refuted = len(passing)
        if len(new) and len(self._causes):
            self._causes = self._causes[~covers(self._options, self._causes[:, None], new)[:, 0].any(axis=1)]
