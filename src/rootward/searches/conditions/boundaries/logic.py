"""The logic of a rule: a short disjunction of conjunctions of literals that agrees with every run.

Literals are columns over the runs, as the bits of one integer. A term grows from one failing run: the literal that
rules out most passing runs per bit is added until none is left, then what is not needed is dropped. Terms are chosen
until every failing run is covered. The same is done for the passing runs, and the shorter description wins.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rootward.searches.conditions.boundaries.tuning import TUNING


@dataclass(frozen=True)
class Literal:
    """A column: where it holds. ``meaning`` says what, for whoever made it; ``holds`` evaluates it elsewhere."""

    column: int
    price: float
    meaning: Any
    holds: Callable[[Any], bool]


Terms = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Logic:
    """``terms`` of numbers of literals; they describe the failing runs, or, not ``positive``, the passing ones."""

    terms: Terms
    positive: bool
    price: float
    conflicts: tuple[tuple[int, int], ...] = ()
    """Runs with different verdicts that no literal tells apart."""


def turns(logic: Logic) -> bool:
    """Whether a description of the passing runs can be turned around without becoming endless."""
    return math.prod(map(len, logic.terms)) <= TUNING.max_negated_terms


def learn(literals: Sequence[Literal], fails: int, passes: int, rng: np.random.Generator) -> list[Logic]:
    """Descriptions that agree with every run, the shortest first; at least one."""
    found = []
    for attempt in range(TUNING.logic_attempts):
        noise = np.ones(len(literals)) if attempt == 0 else np.exp(rng.normal(0, 0.25, len(literals)))
        prices = [one.price * float(factor) for one, factor in zip(literals, noise, strict=True)]
        found.append(_cover(literals, prices, fails, passes, True))
        found.append(_cover(literals, prices, passes, fails, False))
    unique = {(one.terms, one.positive): one for one in found}
    return sorted(unique.values(), key=lambda one: (len(one.conflicts), one.price, not one.positive, one.terms))


def _cover(literals: Sequence[Literal], prices: Sequence[float], target: int, other: int, positive: bool) -> Logic:
    left, terms, conflicts = target, [], []
    while left:
        seed = (left & -left).bit_length() - 1
        term, covered, mistaken = _term(literals, prices, seed, left, target, other)
        if mistaken:
            conflicts.append((seed, (mistaken & -mistaken).bit_length() - 1))
        terms.append((term, covered))
        left &= ~covered & ~(1 << seed)
    kept = _needed(terms, target)
    price = sum(2.0 + sum(literals[i].price for i in term) for term in kept) + (0.0 if positive else 1.0)
    return Logic(tuple(sorted(kept)), positive, price, tuple(conflicts))


def _term(
    literals: Sequence[Literal], prices: Sequence[float], seed: int, left: int, target: int, other: int
) -> tuple[tuple[int, ...], int, int]:
    """A conjunction that holds for the seed and for no other run, if there is one; what it covers; what is mistaken."""
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
    chosen = _pruned(literals, prices, chosen, other, wrong)
    held = -1
    for i in chosen:
        held &= literals[i].column
    return tuple(sorted(chosen)), held & target, wrong


def _pruned(
    literals: Sequence[Literal], prices: Sequence[float], chosen: list[int], other: int, wrong: int
) -> list[int]:
    for i in sorted(chosen, key=lambda one: -prices[one]):
        without = other
        for k in chosen:
            if k != i:
                without &= literals[k].column
        if without == wrong:
            chosen = [k for k in chosen if k != i]
    return chosen


def _needed(terms: Sequence[tuple[tuple[int, ...], int]], target: int) -> list[tuple[int, ...]]:
    kept = list(terms)
    for one in sorted(terms, key=lambda term: term[1].bit_count()):
        others = 0
        for other in kept:
            if other is not one:
                others |= other[1]
        if not target & ~others:
            kept.remove(one)
    return [term for term, _ in kept]
