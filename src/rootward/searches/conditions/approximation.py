"""Approximate rules for runs that no simple condition explains.

One is a small decision tree over the fields that matter. The tree is that of ALO-Trees (trees/), grown on all known
runs and cut back to a few leaves, so that it stays readable. It asks for no remainders. So a rule can be narrowed to
some remainders of an integer, such as ``n % 10 in {1, 2, 3}``: those with which most runs fail, if that shortens the
description of the verdicts. Another is what is left of an exact but long rule without its exceptions (``abridge``).
None of these rules is a claim: the caller measures them on fresh runs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import and_, or_
from typing import Any

import numpy as np

from rootward.rules import Quantity, Rule, Term
from rootward.searches.conditions.trees.axes import Axes, TrialData
from rootward.searches.conditions.trees.fitting import family, grow
from rootward.searches.conditions.trees.splitting import Splitter
from rootward.searches.conditions.trees.tree import Leaf, Split, Tree, count_leaves
from rootward.searches.conditions.trees.wording import Wording
from rootward.space.candidate import Configuration
from rootward.space.space import Int, Space

MAX_LEAVES = 8
"""Maximum number of leaves of the tree: more conditions do not fit on a line."""
MAX_MODULUS = 64
"""Maximum modulus of a remainder. It takes a bit for each remainder to say which of them fail."""


def approximate_rules(
    space: Space,
    fields: Sequence[str],
    example: Mapping[str, Any],
    runs: Iterable[tuple[Configuration, bool]],
    rng: np.random.Generator,
) -> list[Rule]:
    """Return the rule of a small tree over ``fields`` that predicts the runs best, and that of the first question.

    Either may hold always or never, if no question separates the runs.

    ``example``: a failing configuration.
    """
    axes = Axes(space, example, fields)
    data = TrialData(axes)
    for one, fails in _balance(runs):
        if all(field.contains(one[name]) for name, field in zip(axes.names, axes.fields, strict=True)):
            data.add(axes.places(one), axes.features_of(one), fails)
    grown = grow(Splitter(axes, rng), data.features, data.places, data.fails)
    small = next(tree for _, tree in family(grown) if count_leaves(tree) <= MAX_LEAVES)
    return [Wording(axes).rule(tree).simplify(space) for tree in (small, _first_question(grown))]


def _first_question(tree: Tree) -> Tree:
    """Return the tree without the questions below its first one."""
    if isinstance(tree, Leaf):
        return tree
    return Split(tree.question, *(Leaf(side.fails, side.passes) for side in (tree.yes, tree.no)))


def _balance(runs: Iterable[tuple[Configuration, bool]]) -> Iterator[tuple[Configuration, bool]]:
    """Yield the runs, those of the rarer verdict several times, so that both verdicts count about the same.

    Otherwise, where most runs pass even in the region with all failures, a tree would predict that nothing fails.
    """
    known = list(runs)
    failed = sum(fails for _, fails in known)
    passed = len(known) - failed
    for one, fails in known:
        own, others = (failed, passed) if fails else (passed, failed)
        yield from [(one, fails)] * max(1, round(others / own))


def narrow_to_remainders(
    rule: Rule, space: Space, fields: Sequence[str], runs: Iterable[tuple[Configuration, bool]]
) -> Rule | None:
    """Return the rule, narrowed to some remainders of one integer. Return None if no remainders are worth their bits.

    The bits are those that it takes to name the modulus and its remainders, and to list the runs that are exceptions.
    """
    inside = [(one, fails) for one, fails in runs if rule.holds(one)]
    fails = np.array([failed for _, failed in inside], dtype=np.int64)
    least, best = _list_bits(int(fails.sum()), len(fails)), None
    for name in (name for name in fields if isinstance(space[name], Int)):
        for modulus in range(2, MAX_MODULUS + 1):
            remainders = np.array([one[name] % modulus for one, _ in inside], dtype=np.int64)
            failed, every = np.bincount(remainders, fails, modulus), np.bincount(remainders, minlength=modulus)
            exceptions = int(np.minimum(failed, every - failed).sum())
            bits = math.log2(MAX_MODULUS) + modulus + _list_bits(exceptions, len(fails))
            if bits < least:
                chosen = np.flatnonzero(2 * failed > every).tolist()
                least, best = bits, Rule.product({Quantity("%", name, modulus): chosen})
    return None if best is None else rule & best


def _list_bits(count: int, total: int) -> float:
    """Return the bits that it takes to list ``count`` of ``total`` runs."""
    return math.log2(math.comb(total, count))


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
