"""The logic of a rule: a short disjunction of conjunctions (terms) of literals that agrees with every run.

A literal is a column over the runs: an integer whose i-th bit says whether the literal holds for run i. So operations
on all runs are single operations on integers.

How it learns: a term grows from one failing run that is not covered yet. The literal that excludes most passing runs
(and keeps most failing ones) for its price is added until no passing run is left; then literals that are not needed are
dropped. Terms are added until every failing run is covered, and redundant terms are dropped. It ends because every term
covers at least the run that it grew from. If no literal excludes a passing run, the two runs are a conflict.

The same is done with the roles of failing and passing runs exchanged, because either description may be shorter. All of
it is repeated with slightly random prices, which gives rival descriptions that agree with all runs too. Descriptions
with the fewest conflicts come first, then the shortest.

To prefer other descriptions, change the prices of literals (rule_model.py) or the score in ``_grow_term``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rootward.searches.conditions.boundaries.tuning import TUNING


@dataclass(frozen=True)
class LiteralColumn:
    """A condition on a run. ``column`` has a bit for each known run where it holds.

    ``holds`` evaluates the condition at other points. ``meaning`` identifies the condition; rule_model.py sets it, and
    wording.py turns it into an atom.
    """

    column: int
    price: float
    meaning: Any
    holds: Callable[[Any], bool]


Terms = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Logic:
    """Terms, as tuples of literal numbers. They describe the failing runs if ``positive``, else the passing runs."""

    terms: Terms
    positive: bool
    price: float
    conflicts: tuple[tuple[int, int], ...] = ()
    """Pairs of runs with different verdicts that no literal separates."""


def can_negate(logic: Logic) -> bool:
    """Return True if negating a description of the passing runs does not give too many terms."""
    return math.prod(map(len, logic.terms)) <= TUNING.max_negated_terms


def learn(literals: Sequence[LiteralColumn], fails: int, passes: int, rng: np.random.Generator) -> list[Logic]:
    """Return at least one description of the runs.

    Descriptions with the fewest conflicts come first, and among these the shortest.
    """
    found = []
    for attempt in range(TUNING.logic_attempts):
        noise = np.ones(len(literals)) if attempt == 0 else np.exp(rng.normal(0, 0.25, len(literals)))
        prices = [one.price * float(factor) for one, factor in zip(literals, noise, strict=True)]
        found.append(_cover(literals, prices, fails, passes, True))
        found.append(_cover(literals, prices, passes, fails, False))
    unique = {(one.terms, one.positive): one for one in found}
    return sorted(unique.values(), key=lambda one: (len(one.conflicts), one.price, not one.positive, one.terms))


def _cover(
    literals: Sequence[LiteralColumn], prices: Sequence[float], target: int, other: int, positive: bool
) -> Logic:
    left, terms, conflicts = target, [], []
    while left:
        seed = (left & -left).bit_length() - 1
        term, covered, mistaken = _grow_term(literals, prices, seed, left, target, other)
        if mistaken:
            conflicts.append((seed, (mistaken & -mistaken).bit_length() - 1))
        terms.append((term, covered))
        left &= ~covered & ~(1 << seed)
    kept = _drop_redundant(terms, target)
    price = sum(2.0 + sum(literals[i].price for i in term) for term in kept) + (0.0 if positive else 1.0)
    return Logic(tuple(sorted(kept)), positive, price, tuple(conflicts))


def _grow_term(
    literals: Sequence[LiteralColumn], prices: Sequence[float], seed: int, left: int, target: int, other: int
) -> tuple[tuple[int, ...], int, int]:
    """Return (term, covered, wrong) for a new term that holds for the run ``seed``.

    If possible, the term holds for no run of ``other``. ``covered`` are the target runs for which it holds, ``wrong``
    the runs of ``other`` that it could not exclude.
    """
    usable = [i for i, one in enumerate(literals) if one.column >> seed & 1]
    held, chosen, wrong = -1, [], other
    while wrong:
        here, total = wrong.bit_count(), max((held & left).bit_count(), 1)
        best, worth = None, 0.0
        for i in usable:
            column = literals[i].column
            out = (wrong & ~column).bit_count()
            if out:
                score = (out / here + 0.6 * (held & left & column).bit_count() / total) / (4.0 + prices[i])
                if score > worth:
                    best, worth = i, score
        if best is None:
            break
        chosen.append(best)
        held &= literals[best].column
        wrong &= literals[best].column
    chosen = _prune(literals, prices, chosen, other, wrong)
    held = -1
    for i in chosen:
        held &= literals[i].column
    return tuple(sorted(chosen)), held & target, wrong


def _prune(
    literals: Sequence[LiteralColumn], prices: Sequence[float], chosen: list[int], other: int, wrong: int
) -> list[int]:
    """Drop every literal that the term does not need to exclude the same runs. Expensive literals are tried first."""
    for i in sorted(chosen, key=lambda one: -prices[one]):
        without = other
        for k in chosen:
            if k != i:
                without &= literals[k].column
        if without == wrong:
            chosen = [k for k in chosen if k != i]
    return chosen


def _drop_redundant(terms: Sequence[tuple[tuple[int, ...], int]], target: int) -> list[tuple[int, ...]]:
    """Drop every term whose runs are all covered by the remaining terms. The smallest terms are tried first."""
    kept = list(terms)
    for one in sorted(terms, key=lambda term: term[1].bit_count()):
        others = 0
        for other in kept:
            if other is not one:
                others |= other[1]
        if not target & ~others:
            kept.remove(one)
    return [term for term, _ in kept]
