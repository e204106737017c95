"""The fresh runs that try a claim: where it is said to fail, where it is said to pass, and next to the border."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from rootward.candidate import Configuration
from rootward.diagnosis.beside import beside
from rootward.diagnosis.diagnosis import Cause, claim_of
from rootward.diagnosis.sampling import Sampling
from rootward.rules import Rule
from rootward.searches.conditions.rule_finding import Edge
from rootward.space import Space

if TYPE_CHECKING:
    import numpy as np

INSIDE, OUTSIDE, BORDER = 12, 16, 8
"""How many runs there are of each kind."""
NEEDED = 2
"""So many runs show that a condition is needed."""


def fresh_runs(
    space: Space,
    causes: Sequence[Cause],
    known: Mapping[str, tuple[Configuration, bool]],
    edges: Sequence[Edge],
    *,
    never: Rule | None,
    rng: np.random.Generator,
    key: Callable[[Configuration], str],
) -> list[tuple[str, dict[str, Any]]]:
    """Configurations that are not ``known`` yet, each with where it lies: first all outside, then inside, then border.

    ``edges`` are pairs of runs next to the border; the fields that do not matter are changed in them, and in runs that
    show that a condition is needed. Of a field without an order that the claim names, other values are tried.
    """
    claim = claim_of(causes)
    sampling = Sampling(space, claim, known=known, never=never, rng=rng, key=key)
    inside = [one for cause in causes for one in _inside(sampling, cause, known, max(2, INSIDE // len(causes)))]
    passed = [one for one, fails in known.values() if not fails and not claim.holds(one)]
    anywhere = [one for one in (space.sample(rng) for _ in range(OUTSIDE)) if not claim.holds(one)]
    outside = sampling.outside([*passed, *anywhere], OUTSIDE)
    moved = [sampling.elsewhere(side) for edge in edges for side in (edge.fails, edge.passes)]
    border = [one for one in moved if sampling.new(one)][:BORDER]
    border += [one for one in map(sampling.elsewhere, _needing(claim, passed)) if sampling.new(one)]
    others = [one for cause in causes for one in beside(space, cause) if sampling.new(one)]
    outside += [one for one in others if not claim.holds(one)]
    inside += [one for one in others if claim.holds(one)]
    parts = {"outside": outside, "inside": inside, "border": border}
    return [(part, one) for part, group in parts.items() for one in group]


def _needing(claim: Rule, passed: Sequence[Configuration]) -> Iterator[Configuration]:
    """For each condition of the claim, runs that passed though all others of its term hold: without it, they would be
    said to fail."""
    for term in claim.terms:
        for literal in term if len(term) > 1 else ():
            rest = [other for other in term if other is not literal]
            yield from islice((one for one in passed if all(other.holds(one) for other in rest)), NEEDED)


def _inside(
    sampling: Sampling, cause: Cause, known: Mapping[str, tuple[Configuration, bool]], wanted: int
) -> list[dict[str, Any]]:
    """Runs inside of one cause, from those that showed it."""
    shown = [one for one, fails in known.values() if fails and cause.rule.holds(one)]
    return sampling.inside([cause.example, *shown], wanted)
