"""An opinion: what the search believes, about which parameters, and the answer that follows from it.

`beliefs` weighs rules over a given list of parameters, with a given number of conjunctions, against a given list of
runs. An opinion chooses these three, and the blocks of values, and extends each only when it must:

- *Parameters.* It begins with those that may matter: all of them if they are few, otherwise those that `splitting` has
  found. If a failing and a passing run agree in all of them (``find_conflicting_pair``), something else must matter,
  and the search looks for it.
- *Values.* Neighbouring values of a parameter with very many are treated as one block. If the best rule gets runs
  wrong, new blocks are cut where the verdicts change (``recut_blocks``).
- *Conjunctions.* A rule may have ``first_conjunctions`` of them. If the best rule still gets runs wrong, the search
  restarts the beliefs with two more, up to ``max_conjunctions``. Beyond that it reports that it has no explanation.
- *Runs.* Of a long history only a sample is weighed. If the best rule contradicts runs outside of the sample, some of
  these are added, until none is left (``update``).

The answer is the likeliest rule (goal "all") or the likeliest single conjunction (goal "one"). ``groups`` says which
rules give the same answer; the search goes on while no group is likely enough. To let an opinion grow in another way,
add the reason to ``_CauseSearch._believe`` in `bayes`, which tries the ways in order of their cost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from rootward.search.design import Instance
from rootward.searches.causes.beliefs import Beliefs, Slot
from rootward.searches.causes.instance_queries import InstanceQueries
from rootward.searches.causes.options import options
from rootward.searches.causes.pipeline import instance_of
from rootward.searches.causes.runs import Runs
from rootward.searches.causes.tuning import TUNING


class Opinion:
    """The beliefs of a search, and the answer that follows from them.

    ``columns``: the parameters that a cause may name.
    """

    def __init__(self, queries: InstanceQueries, columns: Iterable[int], seed: int, rate: float) -> None:
        self.queries, self.pipeline, self.goal = queries, queries.pipeline, queries.goal
        self._seed, self.rate = seed, rate
        self.options = options(self.pipeline, self.runs)
        self.set_columns(columns)
        self.contradicting = np.zeros(0, dtype=np.int64)
        """Runs of a long history that were added to the sample because the best rule contradicted them."""
        self.best_chances: dict[bytes, float] = {}
        """The highest chance that each conjunction has had so far. It is used only while no run refutes the
        conjunction."""

    @property
    def runs(self) -> Runs:
        return self.queries.runs

    def set_columns(self, columns: Iterable[int]) -> None:
        """Restart the beliefs with these parameters."""
        self.columns = np.array(sorted(columns) or [0], dtype=np.int64)  # rules need at least one column
        self.restart(TUNING.first_conjunctions)

    def restart(self, slots: int) -> None:
        """Restart the beliefs with rules of up to ``slots`` conjunctions."""
        seed = [self._seed, 2, slots, len(self.columns)]
        self.beliefs = Beliefs(self.options, self.columns, slots, seed, self.rate)

    @property
    def fits(self) -> bool:
        """True if the best rule explains the runs."""
        return self.beliefs.fit > -TUNING.max_misfit

    @property
    def is_full(self) -> bool:
        """True if rules already have the maximum number of conjunctions."""
        return self.beliefs.slots >= TUNING.max_conjunctions

    def publish(self, chances: Mapping[bytes, float]) -> None:
        """Publish the current beliefs as the answer so far. Causes that a run refutes are left out."""
        slots = [slot for slot in self.slots() if self.rate < 1 or not self.queries.is_refuted(self.beliefs.box(slot))]
        for slot in slots:
            key = slot.tobytes()
            self.best_chances[key] = max(self.best_chances.get(key, 0.0), min(1.0, chances[key]))
        self.queries.causes = [self.beliefs.box(slot) for slot in slots]
        compared = bool((self.runs.fails == 0).any())  # if every run failed, the chances mean nothing
        self.queries.chances = [self.best_chances[slot.tobytes()] for slot in slots] if compared else None

    def update(self) -> None:
        """Weigh the rules by the runs.

        If there are very many runs, use a sample, and add runs that contradict the best rule.
        """
        runs = self.runs
        while True:
            rows = self._select_rows()
            codes = np.asarray(runs.codes[rows], dtype=np.int64)
            self.beliefs.update(codes, runs.fails[rows], runs.passes[rows])
            best = self.beliefs.covers(runs.codes, self.beliefs.rules[:1])[0].any(axis=0)
            wrong = np.setdiff1d(np.flatnonzero(best != (runs.fails > 0)), rows)
            if not len(wrong) or not self.fits:
                return
            self.contradicting = np.union1d(self.contradicting, wrong[:: max(1, len(wrong) // TUNING.believed_runs)])

    def _select_rows(self) -> NDArray[np.int64]:
        """Return the rows of the runs to weigh.

        If there are few runs, all are weighed. Otherwise, weigh a sample of each verdict, the runs noted as
        contradicting, and all runs that this search made.
        """
        made = np.arange(self.queries.history_count, len(self.runs))
        return np.unique(np.concatenate([self.runs.sample_rows(TUNING.believed_runs), self.contradicting, made]))

    def recut_blocks(self) -> bool:
        """Cut parameters with very many values into new blocks; return True if any block changed."""
        if all(len(values) <= TUNING.max_blocks for values in self.pipeline.values):
            return False
        before, self.options = self.options, options(self.pipeline, self.runs)
        return any(not np.array_equal(one.masks, two.masks) for one, two in zip(before, self.options, strict=True))

    def find_conflicting_pair(self) -> tuple[Instance, Instance] | None:
        """Return a failing and a passing run that agree in all believed columns. None if there is no such pair.

        Of several pairs, return the one that differs in the fewest parameters.
        """
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
        """Return the conjunctions of the likeliest rule. For the goal "one", return only the likeliest conjunction."""
        if self.goal == "one":
            found = self.beliefs.conjunctions()
            return [np.frombuffer(max(found, key=lambda key: (found[key], key)), np.int16)] if found else []
        best = self.beliefs.rules[0]
        return list(best[best[:, 0] >= 0])

    def groups(self) -> tuple[NDArray[np.int64], float]:
        """Return a group number for each rule, and the chance of the best answer.

        Rules with the same answer are in the same group.
        """
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

    def has_several_causes(self) -> bool:
        """True if the likeliest rule has more than one conjunction."""
        return bool((self.beliefs.rules[0][:, 0] >= 0).sum() > 1)
