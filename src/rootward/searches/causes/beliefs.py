"""Beliefs: the rules that would explain the runs, each with its chance.

The search believes that it fails exactly where some *rule* holds. A rule is a disjunction of conjunctions (*slots*),
and each slot has one option (see `options`) for every parameter. The weight of a rule is the product of

- its prior: a rule with few conjunctions, of few parameters, with plain comparisons, is likelier beforehand;
- its likelihood: it must cover the runs that failed and must not cover those that passed. Each run that it gets wrong
  costs ``certain_price`` nats. If the failure is flaky, covering a run that passed costs less (``rate``).

There are far too many rules to list, so a population of them (*walkers*) explores the likely ones. A walker starts with
one slot that allows exactly one failing run, and changes one option after the other. Each new option is drawn from its
conditional distribution given everything else (Gibbs sampling), for all walkers at once. After new runs, three quarters
of the walkers start from rules that are still likely and one quarter from nothing, so that a wrong turn can be undone.

Every rule that a walker visits is kept with its exact weight, and so are all rules that differ from the best ones in
one option. So the chances do not depend on how often a rule was visited: sampling decides only which rules are
considered. The chances are normalised over the rules that are kept, and rules far below the best one are dropped.

To let causes say more about one parameter, extend `options`. To change which rules are plausible beforehand, change
``BeliefEvidence.prior``; ``sweep`` has to draw from the same prior.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from rootward.searches.causes.options import Options
from rootward.searches.causes.tuning import TUNING

Rules = NDArray[np.int16]
"""Numbers of options, indexed by rule, slot and parameter; -1 everywhere in an unused slot."""
Slot = NDArray[np.int16]
"""One conjunction of a rule."""
Codes = NDArray[np.int64]
Columns = NDArray[np.int64]


class Beliefs:
    """The likely rules over some parameters, with their chances, the likeliest first.

    ``columns``: the columns of these parameters in the instances.
    """

    def __init__(
        self, options: Sequence[Options], columns: Columns, slots: int, seed: Sequence[int], rate: float = 1.0
    ) -> None:
        """``rate``: how often a run that a cause covers fails."""
        self.columns, self.slots = columns, slots
        self._pass_price = TUNING.certain_price if rate >= 1 else min(TUNING.certain_price, -math.log1p(-rate))
        self.options = [options[p] for p in columns]
        self._rng = np.random.default_rng(seed)
        self.rules: Rules = np.full((0, slots, len(columns)), -1, dtype=np.int16)
        self.chances: NDArray[np.float64] = np.zeros(0)
        self.fit = 0.0
        """The log-likelihood of the best rule: 0 if it gets no run wrong, otherwise negative, in nats."""

    def update(self, codes: Codes, fails: NDArray[np.int64], passes: NDArray[np.int64]) -> None:
        """Find the likely rules for these runs and their chances."""
        evidence = BeliefEvidence(
            self.options, codes[:, self.columns], fails, np.asarray(passes * self._pass_price, np.float64)
        )
        walkers = self._draw_walkers(evidence)
        seen = [self.rules]
        for _ in range(TUNING.sweeps if len(self.rules) else 3 * TUNING.sweeps):
            tidy(walkers, evidence, self._rng)
            sweep(walkers, evidence, self._rng)
            seen.append(walkers.copy())
        rules = _deduplicate(np.concatenate(seen))
        weights = evidence.weights(rules)
        for _ in range(2):  # the neighbours of a better rule may be better still
            near = self._list_neighbours(rules[np.argsort(-weights, kind="stable")[: TUNING.expanded_rules]])
            worth = evidence.weights(near)
            near = near[worth > max(weights.max(), worth.max()) - TUNING.neighbour_gap]
            rules = _deduplicate(np.concatenate([rules, near]))
            weights = evidence.weights(rules)
        order = np.argsort(-weights, kind="stable")[: TUNING.max_rules]
        order = order[weights[order] > weights[order[0]] - TUNING.rule_gap]
        self.rules = rules[order]
        self.fit = float(evidence.fit(self.rules[:1])[0])
        chances = np.exp(weights[order] - weights[order[0]])
        self.chances = chances / chances.sum()

    def _draw_walkers(self, evidence: BeliefEvidence) -> Rules:
        """Draw a new population of rules.

        Three quarters are drawn from the rules that are still likely. One quarter is empty.
        """
        if not len(self.rules):
            return np.full((TUNING.walkers, self.slots, len(self.options)), -1, dtype=np.int16)
        weights = evidence.weights(self.rules)
        chances = np.exp(weights - weights.max())
        walkers = self.rules[self._rng.choice(len(self.rules), TUNING.walkers, p=chances / chances.sum())].copy()
        walkers[: TUNING.walkers // 4] = -1
        return walkers

    def _list_neighbours(self, rules: Rules) -> Rules:
        found = []
        for rule in rules:
            for m in np.flatnonzero(rule[:, 0] >= 0):
                for p, own in enumerate(self.options):
                    near = np.repeat(rule[None], len(own), axis=0)
                    near[:, m, p] = np.arange(len(own))
                    found.append(near)
        return np.concatenate(found) if found else rules

    def covers(self, codes: Codes, rules: Rules | None = None) -> NDArray[np.bool_]:
        """Return, as rules x slots x instances, which slot of which rule covers which instance."""
        return covers(self.options, self.rules if rules is None else rules, codes[:, self.columns])

    def box(self, slot: Slot) -> Mapping[int, NDArray[np.bool_]]:
        """Return the values that a conjunction allows, for each parameter that it names."""
        return {int(self.columns[p]): self.options[p].masks[o] for p, o in enumerate(slot) if o > 0}

    def conjunctions(self) -> dict[bytes, float]:
        """Return all conjunctions of all rules, each with the chance that it is part of the true rule.

        The key is the conjunction's slot as bytes.
        """
        found: dict[bytes, float] = {}
        for rule, chance in zip(self.rules, self.chances, strict=True):
            for slot in rule[rule[:, 0] >= 0]:
                key = slot.tobytes()
                found[key] = found.get(key, 0.0) + float(chance)
        return found


def covers(options: Sequence[Options], rules: Rules, codes: Codes) -> NDArray[np.bool_]:
    found = np.ones((*rules.shape[:2], len(codes)), dtype=bool)
    for p, own in enumerate(options):
        if (rules[:, :, p] > 0).any():
            found &= own.masks[:, codes[:, p]][np.maximum(rules[:, :, p], 0)]
    found[rules[:, :, 0] < 0] = False
    return found


def _deduplicate(rules: Rules) -> Rules:
    """Return each rule once, its slots in a canonical order."""
    count, slots, parameters = rules.shape
    flat = np.ascontiguousarray(rules.reshape(count * slots, parameters) + 1).astype(">u2")
    rows = flat.view(np.dtype((np.void, flat.dtype.itemsize * parameters))).reshape(count, slots)
    _, ranks = np.unique(rows, return_inverse=True)
    order = np.argsort(-ranks.reshape(count, slots), axis=1, kind="stable")
    ordered = np.take_along_axis(rules, order[:, :, None], axis=1)
    return np.unique(ordered, axis=0)


class BeliefEvidence:
    """The runs, prepared for comparing rules with them: for each run, the options that allow its values."""

    def __init__(
        self, options: Sequence[Options], codes: Codes, fails: NDArray[np.int64], passed: NDArray[np.float64]
    ) -> None:
        """``passed``: for each run, the price in nats of covering it although it never failed."""
        self.options, self.codes, self.count = options, codes, len(codes)
        self.allowed = [own.masks[:, codes[:, i]] for i, own in enumerate(options)]
        self.floats = [table.T.astype(np.float32) for table in self.allowed]
        """For each parameter, which options allow which runs, as floats: runs x options."""
        failed = fails > 0
        self.inside = np.where(failed, 0.0, -np.minimum(passed, TUNING.certain_price)).astype(np.float32)
        """For each run, the log-likelihood of covering it: 0 if it failed, otherwise negative."""
        self.gain = np.where(failed, TUNING.certain_price, 0.0).astype(np.float32)
        """For each run, the price of not covering it."""
        self.failed = np.flatnonzero(failed)
        sizes = len(options)
        lengths = np.arange(sizes + 1)
        shorter = -np.log((lengths + 1.0) * (lengths + 2.0))
        choose = np.array([math.lgamma(sizes + 1) - math.lgamma(k + 1) - math.lgamma(sizes - k + 1) for k in lengths])
        self.length_chances = (shorter - choose).astype(np.float64)
        """For each length k, the log-chance that a conjunction names one particular set of k parameters."""

    def count_violations(self, rules: Rules) -> NDArray[np.int16]:
        """Return how many conditions of each slot each run violates, as an array of rules x slots x runs.

        For an unused slot, the number is larger than any real one.
        """
        count = np.zeros((*rules.shape[:2], self.count), dtype=np.int16)
        for p, table in enumerate(self.allowed):
            count += ~table[np.maximum(rules[:, :, p], 0)]
        count[rules[:, :, 0] < 0] = 10_000
        return count

    def weights(self, rules: Rules) -> NDArray[np.float64]:
        """Return the logarithm of each rule's weight."""
        return np.asarray(self.fit(rules) + self.prior(rules))

    def fit(self, rules: Rules) -> NDArray[np.float64]:
        """Return the log-likelihood of each rule: 0 if it gets no run wrong, otherwise negative."""
        covered = covers(self.options, rules, self.codes).any(axis=1)
        return np.asarray(covered @ self.inside.astype(np.float64) - (~covered) @ self.gain.astype(np.float64))

    def prior(self, rules: Rules) -> NDArray[np.float64]:
        used = rules[:, :, 0] >= 0
        spoken = np.zeros(rules.shape[:2])
        for p, own in enumerate(self.options):
            spoken += own.chances[np.maximum(rules[:, :, p], 0)]
        lengths = (rules > 0).sum(axis=2)
        each = np.where(used, TUNING.another_conjunction + self.length_chances[lengths] + spoken, 0.0)
        return np.asarray(each.sum(axis=1))


def sweep(rules: Rules, evidence: BeliefEvidence, rng: np.random.Generator) -> None:
    """Draw every option of every used slot again, in place."""
    count, slots, parameters = rules.shape
    violated = evidence.count_violations(rules)
    rows = np.arange(count)
    for m in rng.permutation(slots):
        used = rules[:, m, 0] >= 0
        if not used.any():
            continue
        others = (np.delete(violated, m, axis=1) == 0).any(axis=1)
        length = (rules[:, m] > 0).sum(axis=1)
        value = np.where(others, np.float32(0), evidence.gain + evidence.inside)  # of covering the run here
        for p in rng.permutation(parameters):
            own, table = evidence.options[p], evidence.allowed[p]
            now = np.maximum(rules[:, m, p], 0)
            rest = violated[:, m] - ~table[now]
            logits = (value * (rest == 0)).astype(np.float32) @ evidence.floats[p]
            fewer = length - (now > 0)
            prior = evidence.length_chances[np.minimum(fewer + 1, parameters)][:, None] + own.chances[None, :]
            prior[:, 0] = evidence.length_chances[fewer]
            logits = logits + prior
            new = np.argmax(logits + rng.gumbel(size=logits.shape), axis=1)
            new = np.where(used, new, now)
            violated[:, m] = rest + ~table[new]
            rules[rows[used], m, p] = new[used]
            length = fewer + (new > 0)


def tidy(rules: Rules, evidence: BeliefEvidence, rng: np.random.Generator) -> None:
    """Free unneeded slots, and start new ones at failing runs that no slot covers.

    A slot is unneeded if other slots cover all failing runs that it covers. Each rule that does not cover all failing
    runs then starts at most one new slot.
    """
    covers = evidence.count_violations(rules) == 0
    for m in range(rules.shape[1]):
        own = covers[:, m] & ~np.delete(covers, m, axis=1).any(axis=1)
        idle = ~own[:, evidence.failed].any(axis=1)
        rules[idle, m] = -1
        covers[idle, m] = False
    covered = covers.any(axis=1)[:, evidence.failed]
    for k in np.flatnonzero(~covered.all(axis=1)):
        free = np.flatnonzero(rules[k, :, 0] < 0)
        if len(free):
            anchor = rng.choice(evidence.failed[~covered[k]])
            for p, own in enumerate(evidence.options):
                value = int(np.flatnonzero(evidence.allowed[p][own.single, anchor])[0])
                rules[k, free[0], p] = own.single[value]
