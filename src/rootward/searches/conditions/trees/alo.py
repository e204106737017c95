"""ALO-Trees: active learning of omnivariate decision trees for fault diagnosis in robotic systems (Hutchison, Zizyte,
Guttendorf, Le Goues and Koopman).

What it believes: a decision tree, whose questions may compare one field or two (tree.py), separates failing from
passing trials. The tree is fitted again after every round of trials.

What it asks: first a passive sample of the whole space, then, round after round, a batch of trials where the tree's
predictions are least certain. While one label is rare, the batch comes from spheres around the trials that have it;
while one label is missing, from the passive sampler (sampling.py).

Why it ends: it runs exactly ``trials`` configurations, or fewer if no new point is left to draw. The last tree is the
answer.

The paper leaves open how many trials are passive, how large a batch is, and when a label is rare; tuning.py says what
is used here. A batch allows trials to run in parallel but costs accuracy: its later points are drawn without the
answers to its first ones, and a sphere shrinks only once per round. So the batch is a share of the known trials: one
trial at first, many when a single answer changes little. The first step of the paper, finding the fields that matter,
is the verb ``triggers``; pass its result as ``fields``.

To extend it: another sampler is a function in sampling.py and another ``Round`` in ``_list_rounds``. Another form of
question is a member of ``Form`` (tree.py), which splitting.py must propose and wording.py must word.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from rootward.errors import InputError
from rootward.search.ask import Answers, Ask, Search
from rootward.searches.conditions.rule_finding import RuleFinding
from rootward.searches.conditions.trees.axes import Axes, Rows, TrialData, domain_of
from rootward.searches.conditions.trees.fitting import fit
from rootward.searches.conditions.trees.sampling import Bandit, draw_batch, sample_latin, sample_spheres
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
    """Learn the condition of the failure from ``trials`` runs, including the run of the failing configuration.

    Only ``fields`` may change; None means all fields. If ``fields`` is given, ``failing`` is required, and all other
    fields keep their value in ``failing``.
    """
    _check_trials(trials)
    return _Alo(Axes(space, failing, fields), seed, trials).search()


def _check_trials(trials: object) -> None:
    if isinstance(trials, bool) or not isinstance(trials, int) or trials < 1:
        raise InputError(f"trials must be the number of configurations to run, 1 or more, not {trials!r}")


class Round(NamedTuple):
    """Points to run in one question."""

    points: Sequence[Rows]
    note: str
    chosen: bool = False
    """True if the bandit chose their domains."""


class _Alo:
    """The state of one search."""

    def __init__(self, axes: Axes, seed: int, trials: int) -> None:
        self.axes, self.rng, self.trials = axes, np.random.default_rng(seed), trials
        self.data, self.bandit, self.wording = TrialData(axes), Bandit(axes), Wording(axes)
        self.passive = max(2, trials // TUNING.passive_divisor)
        self.asked: set[bytes] = set()
        self.unjudged = 0
        self._use_tree(Leaf(0, 0))

    def search(self) -> Search[Configuration, RuleFinding]:
        yield from self._begin()
        while len(self.asked) < self.trials:
            self._use_tree(fit(self.data, self.rng))
            new = next((one for one in map(self._drop_asked, self._list_rounds()) if one.points), None)
            if new is None:
                break
            yield from self._run(new, [self.axes.configuration(point) for point in new.points])
        self._use_tree(fit(self.data, self.rng))
        return self._best

    def _begin(self) -> Asking:
        """Run the failing configuration, then the passive sample."""
        if self.axes.origin:
            own = Round([self.axes.places(self.axes.origin)], "running the failing configuration")
            yield from self._run(own, [self.axes.origin])
        sample = self._drop_asked(self._make_latin_round(f"sampling {self.passive} points of the whole space"))
        if sample.points:
            yield from self._run(sample, [self.axes.configuration(point) for point in sample.points])

    def _use_tree(self, tree: Tree) -> None:
        self.tree, self.rule = tree, self.wording.rule(tree).simplify(self.axes.space)

    # Choosing the next round

    def _list_rounds(self) -> Iterator[Round]:
        """Yield possible next rounds, the preferred one first.

        A round is used only if all points of the earlier ones were already run.
        """
        fails, total = int(self.data.fails.sum()), len(self.data)
        rare, label = min(fails, total - fails), 2 * fails <= total
        count = max(1, total // TUNING.batch_divisor)
        if not rare:
            yield self._make_latin_round(
                f"all {total} runs ended alike, sampling {self.passive} more points of the whole space"
            )
        elif rare < TUNING.rare_share * total:
            has = self.data.fails == label
            found = sample_spheres(self.axes, self.data.places[has], self.data.places[~has], count, self.rng)
            yield Round(list(found), f"sampling around the {rare} runs that {'failed' if label else 'passed'}")
        points = draw_batch(self.data, self.bandit, lambda features: predict(self.tree, features), count, self.rng)
        yield Round(points, f"sampling where the tree is least certain ({fails} of {total} runs failed)", chosen=True)

    def _make_latin_round(self, note: str) -> Round:
        return Round(list(sample_latin(self.axes, self.passive, self.rng)), note)

    def _drop_asked(self, one: Round) -> Round:
        """Return the round without points that were already run, cut to the remaining number of trials."""
        points = {point.tobytes(): point for point in one.points if point.tobytes() not in self.asked}
        return one._replace(points=list(points.values())[: self.trials - len(self.asked)])

    # Running

    def _run(self, one: Round, candidates: Sequence[Configuration]) -> Asking:
        """Ask for the points of a round and record their labels."""
        self.asked.update(point.tobytes() for point in one.points)
        answers = yield Ask(candidates, best=self._best, note=one.note)
        for point, candidate, outcome in zip(one.points, candidates, answers, strict=True):
            if outcome is None or outcome.verdict is UNRESOLVED:
                self.unjudged += 1
                self.data.add_unjudged(point)
                continue
            fails = outcome.verdict is FAIL
            self.data.add(point, self.axes.features_of(candidate), fails)
            self.bandit.add_trial(domain_of(point), fails, chosen=one.chosen)

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
