"""Questions: the instances to run next. There are three kinds, one for each state of the search.

*Telling rules apart*, while several rules are likely. The question is the instance whose outcome is expected to say
most about which rule is true, per unit of its cost. The expected information is the mutual information between the
outcome and the answer, over all believed rules (``expected_information``). Computing it for every instance would take
too long, so it is computed for instances over which likely rules may disagree (``proposals``): inside a likely
conjunction or just outside of it, with everything else as in a passing run or at random; mixtures of a failing and a
passing run; one step from a known run. These questions end when one answer is likely enough or no instance tells
enough.

*Challenges*, once a cause is likely: runs inside of the cause, any of which refutes it by passing. A challenge should
not be covered by another cause, which would make it fail in any case. There are three kinds:

- Pairs. Each part of a cause should be supported by two runs that differ in nothing else: one that passes and one,
  inside of the cause, that fails. Where the second is missing, it is run.
- Near. Other passing runs, moved into the cause by few changes. The original passes, so another cause is unlikely to
  make the moved run fail.
- Far. Anything else inside of the cause, with values that no failing run inside of it has had.

*Exploration*, when the causes stand: runs outside of them that would reveal a cause of which no failing run is known.
Possible causes are drawn from the prior, and those that a passing run refutes are dropped (``UnseenCauses``). The next
instance is the one that most of the remaining causes cover. The instances after it are chosen as if it had passed, so
that all of them can run at once.

To add a kind of question, write a function that returns instances, as here, and ask them in `bayes`, which decides
their turn. A new source of instances for telling rules apart only needs to be added to ``proposals``: the information
ranks them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from rootward.search.design import Box, Instance
from rootward.search.design.constraints import FREE, Constraints
from rootward.searches.causes.beliefs import Beliefs, Codes, Columns, Slot, covers
from rootward.searches.causes.options import Options
from rootward.searches.causes.runs import Runs
from rootward.searches.causes.tuning import TUNING

Bits = NDArray[np.float64]


def expected_information(beliefs: Beliefs, codes: Codes, groups: NDArray[np.int64], unseen: float) -> Bits:
    """Return the expected information, in bits, of running each instance.

    It is the information about the group to which the true rule belongs. ``unseen``: the chance that an instance fails
    although no rule covers it.
    """
    fails = np.where(beliefs.covers(codes).any(axis=1), 1.0, unseen) * beliefs.chances[:, None]
    count = int(groups.max()) + 1
    chance = np.bincount(groups, beliefs.chances, count)[:, None]
    by_group = np.zeros((count, len(codes)))
    np.add.at(by_group, groups, fails)
    inner = (chance * _entropy(by_group / np.maximum(chance, 1e-300))).sum(axis=0)
    return np.asarray(_entropy(fails.sum(axis=0)) - inner)


def _entropy(chance: NDArray[np.float64]) -> NDArray[np.float64]:
    inside = np.clip(chance, 1e-12, 1 - 1e-12)
    return np.asarray(-(inside * np.log2(inside) + (1 - inside) * np.log2(1 - inside)))


def proposals(
    beliefs: Beliefs, sizes: NDArray[np.int64], failing: Codes, passing: Codes, rng: np.random.Generator
) -> Codes:
    """Return the instances from which the next question is chosen, without duplicates."""
    others = passing if len(passing) else rng.integers(0, sizes, size=(TUNING.drawn_instances, len(sizes)))
    known = np.concatenate([failing, others])
    anywhere = rng.integers(0, sizes, size=(TUNING.drawn_instances, len(sizes)))
    bad, good = (rows[rng.integers(len(rows), size=2 * TUNING.drawn_instances)] for rows in (failing, others))
    between = np.where(rng.random(bad.shape) < rng.random((len(bad), 1)), bad, good)
    beside = _change_one(known[rng.integers(len(known), size=2 * TUNING.drawn_instances)], beliefs.columns, sizes, rng)
    found = [anywhere, between, beside, _draw_around(beliefs, sizes, others, rng)]
    return np.unique(np.concatenate(found), axis=0)


def _change_one(rows: Codes, columns: Columns, sizes: NDArray[np.int64], rng: np.random.Generator) -> Codes:
    rows = rows.copy()
    at = rng.choice(columns, size=len(rows))
    rows[np.arange(len(rows)), at] = rng.integers(0, sizes[at])
    return rows


def _draw_around(beliefs: Beliefs, sizes: NDArray[np.int64], passing: Codes, rng: np.random.Generator) -> Codes:
    """Return instances in and around likely conjunctions.

    Half of them fulfil a conjunction. The other half may violate its condition on one parameter.
    """
    found = []
    likely = sorted(beliefs.conjunctions().items(), key=lambda item: (-item[1], item[0]))[: TUNING.drawn_around]
    for place, (key, _) in enumerate(likely):
        slot = np.frombuffer(key, np.int16)
        count = 2 * TUNING.drawn_instances if place == 0 else 4 * TUNING.drawn_instances // len(likely)
        rows = np.where(
            rng.random((count, 1)) < 0.5,
            rng.integers(0, sizes, size=(count, len(sizes))),
            passing[rng.integers(len(passing), size=count)],
        )
        box = beliefs.box(slot)
        out = rng.choice([*box], size=count) if box else np.zeros(count, dtype=np.int64)
        out[rng.random(count) < 0.5] = -1
        for p, mask in box.items():
            inside = out != p
            rows[inside, p] = rng.choice(np.flatnonzero(mask), size=int(inside.sum()))
        found.append(rows)
    return np.concatenate(found) if found else np.zeros((0, len(sizes)), dtype=np.int64)


def one_step_neighbours(row: NDArray[np.int64], columns: Columns, sizes: NDArray[np.int64]) -> Codes:
    """Return every instance that differs from ``row`` in exactly one of the columns."""
    found = []
    for p in columns:
        near = np.repeat(row[None], sizes[p] - 1, axis=0)
        near[:, p] = [place for place in range(sizes[p]) if place != row[p]]
        found.append(near)
    return np.concatenate(found)


def rank_usable(scores: Bits, codes: Codes, usable: Callable[[NDArray[np.int64]], bool], count: int) -> Iterable[int]:
    """Yield the indices of up to ``count`` usable instances, the best first."""
    left = count
    for i in np.argsort(-scores, kind="stable"):
        if left and usable(codes[i]):
            left -= 1
            yield int(i)
        if not left:
            return


# Challenges


def challenges(
    beliefs: Beliefs,
    slot: Slot,
    slots: Sequence[Slot],
    runs: Runs,
    usable: Callable[[NDArray[np.int64]], bool],
    count: int,
    rng: np.random.Generator,
) -> list[Instance]:
    """Return up to ``count`` instances that fulfil a cause and could refute it.

    First come passing runs in which one violated condition is now fulfilled. Then near instances (changed passing runs)
    and far instances (random ones) alternate.
    """
    box, codes = beliefs.box(slot), runs.codes.astype(np.int64)
    novelty = _Novelty(codes[beliefs.covers(codes, slot[None, None])[0, 0]], runs.pipeline.sizes)
    others = [one for one in slots if one is not slot]
    sizes = runs.pipeline.sizes
    near = _move_inside(codes[runs.fails == 0], box, sizes, rng)
    far = _force_inside(rng.integers(0, sizes, size=(TUNING.drawn_instances, len(sizes))), box, rng)
    kinds = [_drop_covered(rows, others, beliefs) for rows in (near, far) if len(rows)]
    kinds = [*_complete_pairs(codes, runs.fails == 0, box, rng), *kinds * count][:count]
    found: list[Instance] = []
    for rows in kinds:
        for i in np.argsort(-novelty.score(rows), kind="stable"):
            one = tuple(map(int, rows[i]))
            if one not in found and usable(rows[i]):
                found.append(one)
                novelty.add(rows[i])
                break
    return found


class _Novelty:
    """Novelty scores of instances.

    The score is high if the values of the instance, and pairs of them, are rare among the runs inside of a cause.
    """

    def __init__(self, inside: Codes, sizes: NDArray[np.int64]) -> None:
        self._first = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        total = int(sizes.sum())
        self._with_pairs = total <= TUNING.max_paired_values
        self._seen = np.zeros((total, total if self._with_pairs else 1))
        for row in inside:
            self.add(row)

    def _at(self, row: NDArray[np.int64]) -> tuple[NDArray[np.int64], ...]:
        places = self._first + row
        return np.ix_(places, places) if self._with_pairs else np.ix_(places, np.zeros(1, dtype=np.int64))

    def add(self, row: NDArray[np.int64]) -> None:
        self._seen[self._at(row)] += 1

    def score(self, rows: Codes) -> NDArray[np.float64]:
        scores = [1 / (1 + self._seen[self._at(row)]) for row in rows]
        return np.array([score.sum() + len(score) * score.diagonal().sum() for score in scores])


def _complete_pairs(codes: Codes, passed: NDArray[np.bool_], box: Box, rng: np.random.Generator) -> list[Codes]:
    """Turn passing runs that violate only one condition of the cause into instances that fulfil it.

    Returns one array for each such condition. Leaves out conditions for which a run inside of the cause already differs
    from a passing run only in this parameter.
    """
    wrong = np.stack([~mask[codes[:, p]] for p, mask in box.items()]) if box else np.zeros((0, len(codes)), dtype=bool)
    inside = codes[~wrong.any(axis=0)]
    found = []
    for at, p in enumerate(box):
        alone = codes[passed & wrong[at] & (wrong.sum(axis=0) == 1)]
        apart = [(inside != one).sum(axis=1) for one in alone]
        paired = [
            bool(((count == 1) & (inside[:, p] != one[p])).any()) for one, count in zip(alone, apart, strict=True)
        ]
        if len(alone) and not any(paired):
            found.append(_force_inside(np.repeat(alone, 4, axis=0), {p: box[p]}, rng))
    return found


def _drop_covered(rows: Codes, others: Sequence[Slot], beliefs: Beliefs) -> Codes:
    """Return the rows that none of the ``others`` covers. If they cover every row, return all rows."""
    if not others:
        return rows
    clear = ~beliefs.covers(rows, np.array(others)[None])[0].any(axis=0)
    return rows[clear] if clear.any() else rows


def _move_inside(passing: Codes, box: Box, sizes: NDArray[np.int64], rng: np.random.Generator) -> Codes:
    """Return passing runs, changed so that they fulfil the cause.

    Takes the runs that need the fewest changes. Half of them get one random change more.
    """
    if not len(passing):
        return passing
    wrong = sum((~mask[passing[:, p]]).astype(np.int64) for p, mask in box.items()) + np.zeros(len(passing), np.int64)
    order = np.argsort(wrong, kind="stable")
    order = order[wrong[order] <= max(1, wrong[order[0]])][: TUNING.drawn_instances]
    rows = np.repeat(passing[order], max(2, TUNING.drawn_instances // len(order)), axis=0)
    at = rng.integers(rows.shape[1], size=len(rows) // 2)
    rows[: len(at)][np.arange(len(at)), at] = rng.integers(0, sizes[at])
    return _force_inside(rows, box, rng)


def _force_inside(rows: Codes, box: Box, rng: np.random.Generator) -> Codes:
    """Replace values that the cause does not allow by allowed ones, in place, and return the rows."""
    for p, mask in box.items():
        wrong = ~mask[rows[:, p]]
        rows[wrong, p] = rng.choice(np.flatnonzero(mask), size=int(wrong.sum()))
    return rows


# Exploration


class UnseenCauses:
    """Causes that may exist but that no failing run has shown yet, one slot each.

    Without options no causes are drawn, and instances are taken at random.
    """

    def __init__(self, options: Sequence[Options], sizes: NDArray[np.int64], seed: Sequence[int]) -> None:
        self._options, self._sizes = options, sizes
        self._rng = np.random.default_rng(seed)
        self._causes = self._draw_causes() if options else np.zeros((0, len(sizes)), dtype=np.int16)
        self._checked_count = 0

    def _draw_causes(self) -> NDArray[np.int16]:
        rng, count = self._rng, len(self._options)
        lengths = 1 / (np.arange(count) + 2.0) / (np.arange(count) + 3.0)
        wanted = rng.choice(count, size=TUNING.imagined_causes, p=lengths / lengths.sum()) + 1
        named = rng.random((TUNING.imagined_causes, count)).argsort(axis=1).argsort(axis=1) < wanted[:, None]
        causes = np.zeros((TUNING.imagined_causes, count), dtype=np.int16)
        for p, own in enumerate(self._options):
            if len(own) > 1:
                chance = np.exp(own.chances[1:])
                causes[:, p] = 1 + rng.choice(len(chance), size=TUNING.imagined_causes, p=chance / chance.sum())
        return np.where(named, causes, 0).astype(np.int16)

    def instances(
        self, boxes: Sequence[Box], runs: Runs, usable: Callable[[NDArray[np.int64]], bool], count: int
    ) -> list[Instance]:
        """Return up to ``count`` instances outside of the known causes.

        Instances that the most unseen causes cover come first.
        """
        if len(self._causes):
            self._drop_refuted(runs.codes_of(False))
        offered = self._draw_instances(boxes, usable)
        inside = covers(self._options, self._causes[:, None], offered)[:, 0]
        left, free = np.ones(len(self._causes), dtype=bool), np.ones(len(offered), dtype=bool)
        found: list[Instance] = []
        while len(found) < count and free.any():
            best = int(np.argmax(np.where(free, left @ inside, -1)))
            found.append(tuple(map(int, offered[best])))
            free[best] = False
            left &= ~inside[:, best]
        return found

    def _draw_instances(self, boxes: Sequence[Box], usable: Callable[[NDArray[np.int64]], bool]) -> Codes:
        rows = np.unique(self._rng.integers(0, self._sizes, size=(TUNING.offered_instances, len(self._sizes))), axis=0)
        rows = rows[self._rng.permutation(len(rows))]
        known = np.zeros(len(rows), dtype=bool)
        for box in boxes:
            known |= np.logical_and.reduce([mask[rows[:, p]] for p, mask in box.items()])
        rows = np.array([row for row in rows[~known] if usable(row)], dtype=np.int64).reshape(-1, len(self._sizes))
        return rows if len(rows) >= TUNING.min_offered else self._construct_instances(boxes, usable)

    def _construct_instances(self, boxes: Sequence[Box], usable: Callable[[NDArray[np.int64]], bool]) -> Codes:
        """Construct instances outside of the causes one by one.

        Used if the causes cover nearly everything, so that random instances are rarely outside.
        """
        constraints, free = Constraints(self._sizes.tolist(), boxes), [FREE] * len(self._sizes)
        tries = 4 * TUNING.min_offered if constraints.allow(free) else 0
        made = [constraints.complete(free, self._rng) for _ in range(tries)]
        rows = [np.array(one, dtype=np.int64) for one in dict.fromkeys(one for one in made if one is not None)]
        return np.array([row for row in rows if usable(row)], dtype=np.int64).reshape(-1, len(self._sizes))

    def _drop_refuted(self, passing: Codes) -> None:
        new = passing[self._checked_count :]
        self._checked_count = len(passing)
        if len(new) and len(self._causes):
            self._causes = self._causes[~covers(self._options, self._causes[:, None], new)[:, 0].any(axis=1)]
