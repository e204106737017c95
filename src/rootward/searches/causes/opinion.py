"""An opinion: what is believed of the runs, over which parameters, and what the answer is by that.

The beliefs are about a few parameters and a few conjunctions at first. Where the best rule gets runs wrong, the opinion
takes in more: finer blocks of values, more parameters, more conjunctions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from rootward.search.design import Instance
from rootward.searches.causes.beliefs import Beliefs, Slot
from rootward.searches.causes.instance_queries import Inquiry
from rootward.searches.causes.options import options
from rootward.searches.causes.pipeline import instance_of
from rootward.searches.causes.runs import Runs
from rootward.searches.causes.tuning import TUNING


class Opinion:
    """What is believed. ``columns``: the parameters that a cause may name."""

    def __init__(self, inquiry: Inquiry, columns: Iterable[int], seed: int, rate: float) -> None:
        self.inquiry, self.pipeline, self.goal = inquiry, inquiry.pipeline, inquiry.goal
        self._seed, self.rate = seed, rate
        self.options = options(self.pipeline, self.runs)
        self.name(columns)
        self.weighed = np.zeros(0, dtype=np.int64)
        """Runs of a long history that are believed because they contradicted what was believed."""
        self.surest: dict[bytes, float] = {}
        """How likely each conjunction was at best: nothing that was run since has refuted it."""

    @property
    def runs(self) -> Runs:
        return self.inquiry.runs

    def name(self, columns: Iterable[int]) -> None:
        """Begin anew, about these parameters."""
        self.columns = np.array(sorted(columns) or [0], dtype=np.int64)  # a cause needs something to say nothing about
        self.begin(TUNING.first_conjunctions)

    def begin(self, slots: int) -> None:
        """Begin anew, with so many conjunctions."""
        seed = [self._seed, 2, slots, len(self.columns)]
        self.beliefs = Beliefs(self.options, self.columns, slots, seed, self.rate)

    @property
    def fits(self) -> bool:
        """Whether the best rule explains the runs."""
        return self.beliefs.fit > -TUNING.max_misfit

    @property
    def full(self) -> bool:
        """Whether a rule has as many conjunctions as it may."""
        return self.beliefs.slots >= TUNING.max_conjunctions

    def tell(self, chances: Mapping[bytes, float]) -> None:
        """What is believed now becomes the answer so far; no cause that a run refutes is part of it."""
        slots = [slot for slot in self.slots() if self.rate < 1 or not self.inquiry.refuted(self.beliefs.box(slot))]
        for slot in slots:
            key = slot.tobytes()
            self.surest[key] = max(self.surest.get(key, 0.0), min(1.0, chances[key]))
        self.inquiry.causes = [self.beliefs.box(slot) for slot in slots]
        compared = bool((self.runs.fails == 0).any())  # how likely it is means nothing if all that was run failed
        self.inquiry.sure = [self.surest[slot.tobytes()] for slot in slots] if compared else None

    def update(self) -> None:
        """Believe the runs. Of very many, believe some, and add those that contradict what is then believed."""
        runs = self.runs
        while True:
            rows = self._weighed()
            codes = np.asarray(runs.codes[rows], dtype=np.int64)
            self.beliefs.update(codes, runs.fails[rows], runs.passes[rows])
            best = self.beliefs.covers(runs.codes, self.beliefs.rules[:1])[0].any(axis=0)
            wrong = np.setdiff1d(np.flatnonzero(best != (runs.fails > 0)), rows)
            if not len(wrong) or not self.fits:
                return
            self.weighed = np.union1d(self.weighed, wrong[:: max(1, len(wrong) // TUNING.believed_runs)])

    def _weighed(self) -> NDArray[np.int64]:
        """The runs to believe: all of them if they are few; else some of each verdict, and all made since."""
        made = np.arange(self.inquiry.known, len(self.runs))
        return np.unique(np.concatenate([self.runs.spread(TUNING.believed_runs), self.weighed, made]))

    def sharpened(self) -> bool:
        """Cut the values of parameters that have very many anew, where the runs now show a change."""
        if all(len(values) <= TUNING.max_blocks for values in self.pipeline.values):
            return False
        before, self.options = self.options, options(self.pipeline, self.runs)
        return any(not np.array_equal(one.masks, two.masks) for one, two in zip(before, self.options, strict=True))

    def alike(self) -> tuple[Instance, Instance] | None:
        """A failing and a passing run that agree in all parameters that are believed to matter, and in many others."""
        codes, failed = self.runs.codes, self.runs.fails > 0
        bad, good = codes[failed], codes[~failed]
        best: tuple[int, Instance, Instance] | None = None
        for one in bad:
            same = good[(good[:, self.columns] == one[self.columns]).all(axis=1)]
            if len(same):
                apart = (same != one).sum(axis=1)
                at = int(np.argmin(apart))
                if best is None or apart[at] < best[0]:
                    best = int(apart[at]), instance_of(one), instance_of(same[at])
        return None if best is None else best[1:]

    def slots(self) -> list[Slot]:
        """The conjunctions of the likeliest rule, or the likeliest conjunction of all."""
        if self.goal == "one":
            found = self.beliefs.conjunctions()
            return [np.frombuffer(max(found, key=lambda key: (found[key], key)), np.int16)] if found else []
        best = self.beliefs.rules[0]
        return list(best[best[:, 0] >= 0])

    def groups(self) -> tuple[NDArray[np.int64], float]:
        """Which rules give the same answer, and how likely the likeliest answer is."""
        beliefs, slots = self.beliefs, self.slots()
        if self.goal == "all" or not slots:
            return np.arange(len(beliefs.rules)), float(beliefs.chances[0])
        [slot] = slots
        failing = self.runs.codes[self.runs.fails > 0]
        inside = np.flatnonzero(beliefs.covers(failing, slot[None, None])[0, 0])
        covering = beliefs.covers(failing[inside[:1]])[:, :, 0]
        numbers: dict[bytes, int] = {slot.tobytes(): 0}
        groups = []
        for rule, which in zip(beliefs.rules, covering, strict=True):
            own = [rule[m].tobytes() for m in np.flatnonzero(which)]
            key = slot.tobytes() if slot.tobytes() in own else min(own, default=b"")
            groups.append(numbers.setdefault(key, len(numbers)))
        found = np.array(groups)
        return found, float(beliefs.chances[found == 0].sum())

    def mixed(self) -> bool:
        """Whether other causes are likely to be at work."""
        return bool((self.beliefs.rules[0][:, 0] >= 0).sum() > 1)
