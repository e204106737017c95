"""The calculus of certainty: what must hold before a diagnosis says "It fails when ..." instead of "It seems to fail".

This is the promise that docs/explanation/certainty.md makes to the user, in one place. A claim is certain if

1. *Nothing contradicts it*: every run of the diagnosis, of whatever step, agrees with it (``Claim.explanation``), and
   it was challenged by fresh runs of every family (``challenges``), of which none refuted it.
2. *Every condition in it is needed*: for each condition of each term, some run passed that fulfils all the others.
3. *Every bound was confirmed in several places*: neighbours on either side of the border were run, with all other
   fields varied, and had different verdicts. A comparison of one field needs few places. A quantity such as
   ``width * height`` needs more, and a contrived one, such as ``a * a - b``, many: a long formula has so many rivals
   that some of them fit a few runs by chance.
   And each factor is known: the runs would contradict the claim if it were half as large, or half as large again.
4. *Every alternative earns its length*: if the claim has several terms, each of them alone explains several failures,
   unless the space has no more of them; and for each option that a term allows, such as one of the values in a list, a
   run failed that no other term explains.
5. *It is a law, not a list*. One value without a meaning of its own, or several separate places, on a field with many
   values look like entries of a table, and more of them may exist. So may more windows of a sum of fields.
6. *Every value of a small field that it names was tried* (``small_members``).
7. *What is outside of it was seen*: enough random runs lie there. If nearly all inputs fail, those that pass may have
   more in common than the few that were met.
8. *It belongs to one failure*. Where another failure comes first, this one cannot show: the claim says so. If the other
   one comes first in most runs, it counts as a pass, and the condition says where this one shows instead.

Or else every configuration of the space was run, and all agree: then the claim is proved, and none of this is needed.

Even then, an exception may be rare. So the claim states how large it can still be (``Check.max_missed``), measured on
independent random runs outside of the claim.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from rootward.diagnosis.challenges import Crossing, misses_only, places_needed
from rootward.diagnosis.notable_values import allowed_options, small_members
from rootward.diagnosis.tuning import TUNING
from rootward.explanation.facts import (
    FewCrossings,
    FewOutside,
    FewOwnFailures,
    LooseFactor,
    NotAllSwept,
    NotShownNeeded,
    SeparatePlaces,
)
from rootward.facts import Fact
from rootward.rules import Atom, Conjunction, Literal, Quantity, Rule, Term
from rootward.rules.quantity import fields_of, inner_quantities
from rootward.space.candidate import Configuration
from rootward.space.keys import canonical
from rootward.space.space import Float, Int, Space

Runs = Mapping[str, tuple[Configuration, bool]]


def doubts_about(
    space: Space,
    claim: Rule,
    runs: Runs,
    crossings: Sequence[Crossing],
    key: Callable[[Configuration], str],
    hidden: Iterable[Configuration] = (),
) -> list[Fact]:
    """Return the facts that keep a claim from being certain although no run refutes it.

    ``crossings``: pairs of neighbours at the border of the claim, some of which were run. ``key``: returns the key that
    a configuration has in ``runs``. ``hidden``: configurations that failed in another way.
    """
    return [
        *_bounds_in_doubt(space, claim, runs, crossings, key),
        *_factors_in_doubt(claim, runs),
        *_conditions_in_doubt(claim, runs),
        *_alternatives_in_doubt(space, claim, runs),
        *_lists_in_doubt(space, claim),
        *_values_in_doubt(space, claim, [*(one for one, _ in runs.values()), *hidden]),
    ]


# Bounds


def _bounds_in_doubt(
    space: Space, claim: Rule, runs: Runs, crossings: Sequence[Crossing], key: Callable[[Configuration], str]
) -> Iterator[Fact]:
    """Yield the bounds that were not confirmed in enough places."""
    confirmed: Counter[Literal] = Counter()
    for literal, inside, outside in crossings:
        known = runs.get(key(inside)), runs.get(key(outside))
        if None not in known and known[0][1] and not known[1][1]:  # type: ignore[index]
            confirmed[literal] += 1
    for term in claim.terms:
        for literal in term:
            if _is_bound(space, literal) and confirmed[literal] < (needed := places_needed(literal.field)):
                yield FewCrossings(str(literal), confirmed[literal], needed)


def _is_bound(space: Space, literal: Literal) -> bool:
    """Return True if a condition compares numbers. A small field is swept instead, and NaN has no neighbours."""
    if all(atom.value != atom.value for one in literal.alternatives for atom in one):
        return False
    numbers = [name for name in fields_of(literal.field) if name in space and isinstance(space[name], Int | Float)]
    swept = not isinstance(literal.field, Quantity) and all(small_members(space[name]) is not None for name in numbers)
    return bool(numbers) and not swept


def _factors_in_doubt(claim: Rule, runs: Runs) -> Iterator[Fact]:
    """Yield the factors of fields that may as well have other values, as far as the runs can tell."""
    configurations, fails = [one for one, _ in runs.values()], [failed for _, failed in runs.values()]
    for term in claim.terms:
        rest = [other for other in claim.terms if other is not term]
        for literal in term:
            for factor in _factors_in(literal.field):
                changed = (_scale_factor(literal, factor, scale) for scale in (0.5, 1.5))
                rivals = (Rule.of_terms([*rest, Term({*term} - {literal} | {one})]) for one in changed)
                if any(list(rival.holds_many(configurations)) == fails for rival in rivals):
                    yield LooseFactor(factor, str(literal.field))


def _factors_in(field: str) -> list[float]:
    """Return the numbers that fields are multiplied with in a quantity."""
    products = (inner for inner in inner_quantities(field) if inner.op == "*")
    return [part for product in products for part in product.parts if isinstance(part, int | float)]


def _scale_factor(literal: Literal, factor: float, scale: float) -> Literal:
    """Return a condition in which a factor of a field is multiplied by ``scale``."""

    def change(part: Any, *, is_factor: bool = False) -> Any:
        if isinstance(part, Quantity):
            return Quantity(part.op, *(change(inner, is_factor=part.op == "*") for inner in part.parts))
        return part * scale if is_factor and not isinstance(part, str) and part == factor else part

    field = change(literal.field)
    atoms = [[Atom(field, atom.op, atom.value) for atom in one] for one in literal.alternatives]
    return Literal(field, map(Conjunction, atoms))


# Conditions


def _conditions_in_doubt(claim: Rule, runs: Runs) -> Iterator[Fact]:
    """Yield the conditions that no passing run shows to be needed."""
    passed = [one for one, fails in runs.values() if not fails]
    for term in claim.terms:
        for literal in term:
            if not any(misses_only(term, literal, one) for one in passed):
                yield NotShownNeeded(str(literal))


# Alternatives


def _alternatives_in_doubt(space: Space, claim: Rule, runs: Runs) -> Iterator[Fact]:
    """Yield the terms of a claim that explain few failures alone, and the options of a term that explain none.

    An option for which the other terms predict the same adds nothing to the claim: ``x > 9 and mode = a`` covers mode a
    in ``x > 99 and mode != b``.
    """
    failed = [one for one, fails in runs.values() if fails]
    holding = [(one, [term for term in claim.terms if term.holds(one)]) for one in failed]
    for term in claim.terms:
        own = [one for one, terms in holding if terms == [term]]
        if len(claim.terms) > 1 and len(own) < min(TUNING.own_failures, _room(space, term)):
            yield FewOwnFailures(str(Rule.of_terms([term])), len(own))
        others = Rule.of_terms(one for one in claim.terms if one != term)
        for literal in term:
            for value in allowed_options(space, literal):
                part = Rule([[Atom(literal.field, "=", value)]]) & Rule.of_terms([Term(set(term) - {literal})])
                if not any(one[literal.field] == value for one in own) and not part.implies(others, space):
                    yield FewOwnFailures(str(part), 0)


def _room(space: Space, term: Term) -> float:
    """Return an upper bound on the number of configurations of a term, for a term that lists few values."""
    size = 1.0
    fixed = {literal.field: len(literal.alternatives) for literal in term if literal.listed}
    for name, field in space.items():
        size *= fixed.get(name, field.size)
    return size


def _lists_in_doubt(space: Space, claim: Rule) -> Iterator[Fact]:
    """Yield the fields with many values on which the claim names several separate places, or one arbitrary value."""
    beside: dict[tuple[str, frozenset[Literal]], list[Conjunction]] = defaultdict(list)
    for term in claim.terms:
        for literal in term:
            if literal.field in space and isinstance(space[literal.field], Int | Float):
                beside[literal.field, frozenset(term) - {literal}] += literal.alternatives
    places: dict[str, list[Conjunction]] = defaultdict(list)
    for (name, _), found in beside.items():
        places[name] += found if any(map(_is_place, found)) else ()
    for name, found in places.items():
        exceptional = {canonical(value) for value in space[name].values}
        arbitrary = [one for one in found if not any(canonical(atom.value) in exceptional for atom in one)]
        values = [one for one in arbitrary if any(atom.op == "=" for atom in one)]
        if (len(found) > 1 or values) and small_members(space[name]) is None:
            yield SeparatePlaces(name, len(found))
    # A window of a sum is rather one period of a remainder: code that has two limits has them for a field.
    sums = [literal for term in claim.terms for literal in term if getattr(literal.field, "op", "") in ("+", "-")]
    windows = Counter(literal.field for literal in sums for one in literal.alternatives if _is_window(one))
    yield from (SeparatePlaces(str(quantity), count) for quantity, count in windows.items())


def _is_place(conjunction: Conjunction) -> bool:
    """Return True if a condition on a number is one value, or bounded on both sides."""
    return any(atom.op == "=" for atom in conjunction) or _is_window(conjunction)


def _is_window(conjunction: Conjunction) -> bool:
    ops = {atom.op for atom in conjunction}
    return bool(ops & {"<", "<="} and ops & {">", ">="})


# Outside


def outside_in_doubt(space: Space, claim: Rule, random_runs: int, runs: int) -> Iterator[Fact]:
    """Yield a fact if few random runs lie outside of the claim, and all runs together cover little of the space.

    If the claim says that it always fails, nothing is outside of it.
    """
    is_covered = space.size <= TUNING.covered_factor * runs
    if claim.fields and random_runs < TUNING.min_outside_runs and not is_covered:
        yield FewOutside(random_runs)


# Values


def _values_in_doubt(space: Space, claim: Rule, run: Sequence[Configuration]) -> Iterator[Fact]:
    """Yield the small fields that the claim names of which not every value was tried."""
    for name in claim.fields:
        members = small_members(space[name]) if name in space else None
        if members is not None:
            tried = {canonical(one[name]) for one in run}
            left = sum(canonical(value) not in tried for value in members)
            if left:
                yield NotAllSwept(name, len(members) - left, len(members))
