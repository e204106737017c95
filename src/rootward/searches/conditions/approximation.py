"""Approximate rules for runs that no simple condition explains.

One is a small decision tree over the fields that matter. The tree is that of ALO-Trees (trees/), grown on all known
runs and cut back to a few leaves, so that it stays readable. Another is what is left of an exact but long rule without
its exceptions (``abridge``). They make no claim: the caller measures them on fresh runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import and_, or_
from typing import Any

import numpy as np

from rootward.rules import Rule, Term
from rootward.searches.conditions.trees.axes import Axes, TrialData
from rootward.searches.conditions.trees.fitting import family, grow
from rootward.searches.conditions.trees.splitting import Splitter
from rootward.searches.conditions.trees.tree import count_leaves
from rootward.searches.conditions.trees.wording import Wording
from rootward.space.candidate import Configuration
from rootward.space.space import Space

MAX_LEAVES = 8
"""Maximum number of leaves of the tree: more conditions do not fit on a line."""


def approximate_rule(
    space: Space,
    fields: Sequence[str],
    example: Mapping[str, Any],
    runs: Iterable[tuple[Configuration, bool]],
    rng: np.random.Generator,
) -> Rule:
    """Return the rule of a small tree over ``fields`` that predicts the runs best.

    ``example``: a failing configuration.
    """
    axes = Axes(space, example, fields)
    data = TrialData(axes)
    for one, fails in runs:
        if all(field.contains(one[name]) for name, field in zip(axes.names, axes.fields, strict=True)):
            data.add(axes.places(one), axes.features_of(one), fails)
    grown = grow(Splitter(axes, rng), data.features, data.places, data.fails)
    small = next(tree for _, tree in family(grown) if count_leaves(tree) <= MAX_LEAVES)
    return Wording(axes).rule(small).simplify(space)


def abridge(rule: Rule, runs: Sequence[tuple[Configuration, bool]], worth: Callable[[float, int], float]) -> Rule:
    """Drop conditions and alternatives of a rule, one at a time, as long as the rule is worth no less without them.

    ``worth``: what a rule is worth that has this balanced accuracy on the runs, and this many characters.
    """
    fails, passes = (sum(1 << i for i, (_, failed) in enumerate(runs) if failed is wanted) for wanted in (True, False))
    if not rule.terms or not all(rule.terms) or not fails or not passes:
        return rule
    literals = {literal for term in rule.terms for literal in term}
    columns = {one: sum(1 << i for i, (run, _) in enumerate(runs) if one.holds(run)) for one in literals}
    sizes = {one: len(str(one)) for one in literals}

    def value(terms: Sequence[Term]) -> tuple[float, int]:
        held = reduce(or_, (reduce(and_, (columns[one] for one in term)) for term in terms))
        right = (held & fails).bit_count() / fails.bit_count() + (passes & ~held).bit_count() / passes.bit_count()
        size = sum(sizes[one] for term in terms for one in term)
        return worth(right / 2, size), -size

    terms, best = rule.terms, value(rule.terms)
    while smaller := list(_without_one(terms)):
        values = [value(one) for one in smaller]
        if max(values) < best:
            break
        best = max(values)
        terms = smaller[values.index(best)]
    return Rule.of_terms(terms)


def _without_one(terms: Sequence[Term]) -> Iterator[tuple[Term, ...]]:
    """Yield the terms without one of them, and with one condition less, as long as something is left."""
    for place, term in enumerate(terms):
        before, after = tuple(terms[:place]), tuple(terms[place + 1 :])
        if before or after:
            yield *before, *after
        for literal in term if len(term) > 1 else ():
            yield *before, Term(one for one in term if one is not literal), *after
