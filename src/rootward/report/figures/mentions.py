"""What a rule says of its fields: which it names together, and the numbers that it compares each with."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from rootward.keys import canonical
from rootward.report.figures.axis import is_finite
from rootward.rules import Rule
from rootward.rules.atoms import ORDERINGS
from rootward.rules.quantity import Quantity, fields_of
from rootward.rules.terms import Literal, Term


def pairs(rule: Rule) -> list[tuple[str, str]]:
    """All pairs of its fields; those of one comparison first, then those of one case."""
    met = {frozenset(pair): 2 for pair in combinations(rule.fields, 2)}
    for term in rule.terms:
        named = [name for literal in term for name in fields_of(literal.field)]
        for pair in combinations(dict.fromkeys(named), 2):
            met[frozenset(pair)] = min(1, met[frozenset(pair)])
        for literal in term:
            for pair in combinations(fields_of(literal.field), 2):
                met[frozenset(pair)] = 0
    return sorted(combinations(rule.fields, 2), key=lambda pair: met[frozenset(pair)])


def named_numbers(rule: Rule, field: str) -> list[Any]:
    """The constants where something may change along its axis; of abs(x) and the like, their negatives as well."""
    alone = [literal for literal in _about(rule, field) if fields_of(literal.field) == (field,)]
    found = [value for literal in alone for value in _numbers(literal)]
    plain = {value for value, _ in found}
    return sorted(plain | {-value for value, negated in found if negated})


def named_first(rule: Rule, field: str, values: list[Any]) -> list[Any]:
    """The values, beginning with those that the rule compares it with: each of them needs a place of its own."""
    atoms = [atom for literal in _about(rule, field) for one in literal.alternatives for atom in one]
    named = {canonical(atom.value) for atom in atoms}
    return sorted(values, key=lambda value: canonical(value) not in named)


def is_listed(rule: Rule, field: str) -> bool:
    """Whether it is only compared for equality, so that numbers are no more than names."""
    literals = list(_about(rule, field))
    atoms = [atom for literal in literals for one in literal.alternatives for atom in one]
    return all(not isinstance(literal.field, Quantity) for literal in literals) and not any(
        atom.op in ORDERINGS for atom in atoms
    )


def _about(rule: Rule, field: str) -> Iterator[Literal]:
    return (literal for term in rule.terms for literal in term if field in fields_of(literal.field))


def _numbers(literal: Literal) -> Iterator[tuple[Any, bool]]:
    """Each with whether its negative counts, too."""
    computed = isinstance(literal.field, Quantity) and "abs" in _operators(literal.field)
    for one in literal.alternatives:
        yield from ((atom.value, computed) for atom in one if is_finite(atom.value))
    if isinstance(literal.field, Quantity):
        yield from ((value, computed) for value in _parts(literal.field))


def _parts(quantity: Quantity) -> Iterator[Any]:
    for part in quantity.parts[:1] if quantity.op == "wrap" else quantity.parts:
        if isinstance(part, Quantity):
            yield from _parts(part)
        elif is_finite(part):
            yield part


def _operators(quantity: Quantity) -> set[str]:
    return {quantity.op}.union(*(_operators(part) for part in quantity.parts if isinstance(part, Quantity)))


def seams(rule: Rule) -> Iterator[tuple[Quantity, Rule]]:
    """Where it holds on a line only, too thin for any grid: a quantity that is zero there, and the rest of the case.

    These are equalities of several fields (``x == y``), and those within a tolerance (``abs(x - y) <= 0.5``).
    """
    for term in rule.terms:
        for literal in term:
            if (zero := _zero(literal)) is not None and len(zero.fields) > 1:
                yield zero, Rule.of_terms([Term(other for other in term if other is not literal)])


def _zero(literal: Literal) -> Quantity | None:
    field, alternatives = literal.field, literal.alternatives
    if not isinstance(field, Quantity) or len(alternatives) != 1 or len(alternatives[0]) != 1:
        return None
    [atom] = alternatives[0]
    if field.op == "==" and atom.value is (atom.op == "="):
        return Quantity("-", *field.parts)
    if field.op == "abs" and atom.op in ("<", "<=") and isinstance(field.parts[0], Quantity):
        return field.parts[0]
    return (
        Quantity("-", field, atom.value)
        if not field.is_comparison and atom.op == "=" and is_finite(atom.value)
        else None
    )
