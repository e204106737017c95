"""ALO-Trees: active learning of omnivariate decision trees for fault diagnosis in robotic systems (Hutchison, Zizyte,
Guttendorf, Le Goues and Koopman).

A passive sample comes first. Then, round after round, a tree is fitted to all trials, and a batch of new ones is drawn
where its predictions are least certain. While one label is rare, the batch comes from spheres around the trials that
have it; while it was never seen, from the passive sampler.

The paper leaves open how many trials are passive, how large a batch is and what is rare: see the constants here. A
batch is there to run trials at the same time, and costs accuracy: its later points are drawn without the answers to its
first ones, and a sphere shrinks once a round. So it is a share of what is known: one trial at first, many when one more
answer changes little. The first step of the paper, to find the fields that matter, is the verb ``triggers``; ``fields``
takes its result.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from rootward.errors import InputError
from rootward.search.ask import Answers, Ask, Search
from rootward.searches.conditions.rule_finding import RuleFinding
from rootward.searches.conditions.trees.axes import Axes, Data, Rows, domain_of
from rootward.searches.conditions.trees.fitting import fit
from rootward.searches.conditions.trees.sampling import Bandit, batch, latin, sphere
from rootward.searches.conditions.trees.tree import Leaf, Tree, predict
from rootward.searches.conditions.trees.tuning import TUNING
from rootward.searches.conditions.trees.wording import Wording
from rootward.space.candidate import Configuration
from rootward.space.space import Space
from rootward.verdict import FAIL, UNRESOLVED

Asking = Generator[Ask[Configuration], Answers, None]


def alo(
    space: Space,
    failing: Mapping[str, Any] | None = None,
    *,
    fields: Sequence[str] | None = None,
    seed: int = 0,
    trials: int = 200,
) -> Search[Configuration, RuleFinding]:
    """The condition of the failure, from so many ``trials`` (the failing configuration is one of them).

    ``fields``: only these may change; the others keep their value in ``failing``, which is then needed.
    """
    _check_trials(trials)
    return _Alo(Axes(space, failing, fields), seed, trials).search()


def _check_trials(trials: object) -> None:
    if isinstance(trials, bool) or not isinstance(trials, int) or trials < 1:
        raise InputError(f"trials = {trials!r}: expected how many configurations to run, 1 or more")


class Round(NamedTuple):
    """Points to run together."""

    points: Sequence[Rows]
    note: str
    chosen: bool = False
    """Whether the bandit chose their domains."""


class _Alo:
    """One search."""

    def __init__(self, axes: Axes, seed: int, trials: int) -> None:
        self.axes, self.rng, self.trials = axes, np.random.default_rng(seed), trials
        self.data, self.bandit, self.wording = Data(axes), Bandit(axes), Wording(axes)
        self.passive = max(2, trials // TUNING.passive_divisor)
        self.asked: set[bytes] = set()
        self.unjudged = 0
        self._believe(Leaf(0, 0))

    def search(self) -> Search[Configuration, RuleFinding]:
        yield from self._begin()
        while len(self.asked) < self.trials:
            self._believe(fit(self.data, self.rng))
            new = next((one for one in map(self._unseen, self._rounds()) if one.points), None)
            if new is None:
                break
            yield from self._run(new, [self.axes.configuration(point) for point in new.points])
        self._believe(fit(self.data, self.rng))
        return self._best

    def _begin(self) -> Asking:
        """The failing configuration, then the passive sample."""
        if self.axes.origin:
            own = Round([self.axes.places(self.axes.origin)], "the failing configuration")
            yield from self._run(own, [self.axes.origin])
        sample = self._unseen(self._latin(f"{self.passive} points of a Latin hypercube"))
        if sample.points:
            yield from self._run(sample, [self.axes.configuration(point) for point in sample.points])

    def _believe(self, tree: Tree) -> None:
        self.tree, self.rule = tree, self.wording.rule(tree).simplify(self.axes.space)

    # What to run next

    def _rounds(self) -> Iterator[Round]:
        """What could be run next. A later one is for when all points of those before are known."""
        fails, total = int(self.data.fails.sum()), len(self.data)
        rare, label = min(fails, total - fails), 2 * fails <= total
        count = max(1, total // TUNING.batch_divisor)
        if not rare:
            yield self._latin("one label only: more of a Latin hypercube")
        elif rare < TUNING.rare_share * total:
            has = self.data.fails == label
            found = sphere(self.axes, self.data.places[has], self.data.places[~has], count, self.rng)
            yield Round(list(found), f"around the {rare} that {'fail' if label else 'pass'}")
        points = batch(self.data, self.bandit, lambda features: predict(self.tree, features), count, self.rng)
        yield Round(points, f"where the tree is least certain ({fails} of {total} fail)", chosen=True)

    def _latin(self, note: str) -> Round:
        return Round(list(latin(self.axes, self.passive, self.rng)), note)

    def _unseen(self, one: Round) -> Round:
        """Its points that were not run yet, as many as may be."""
        points = {point.tobytes(): point for point in one.points if point.tobytes() not in self.asked}
        return one._replace(points=list(points.values())[: self.trials - len(self.asked)])

    # Running

    def _run(self, one: Round, candidates: Sequence[Configuration]) -> Asking:
        """Asks for the points of a round and learns their labels."""
        self.asked.update(point.tobytes() for point in one.points)
        answers = yield Ask(candidates, best=self._best, note=one.note)
        for point, candidate, outcome in zip(one.points, candidates, answers, strict=True):
            if outcome is None or outcome.verdict is UNRESOLVED:
                self.unjudged += 1
                self.data.pass_over(point)
                continue
            fails = outcome.verdict is FAIL
            self.data.add(point, self.axes.features_of(candidate), fails)
            self.bandit.told(domain_of(point), fails, chosen=one.chosen)

    @property
    def _best(self) -> RuleFinding:
        fails = int(self.data.fails.sum())
        return RuleFinding(
            rule=self.rule,
            of=len(self.axes.space),
            tree=self.wording.node(self.tree),
            fails=fails,
            passes=len(self.data) - fails,
            unjudged=self.unjudged,
        )
