"""Terms: conjunctions whose parts may list alternatives, so that a product of sets stays as small as it reads.

``gear in {R, N} and mode in {1, 2, 3}`` is six conjunctions but one term of two literals. A literal says everything
about one field; a term is what the minimiser calls a box and what a person reads as one line.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import product
from typing import Any

from rootward.errors import InputError
from rootward.rules.atoms import Atom, Configuration, Conjunction


class Literal:
    """What a term says about one field: one of several conjunctions of atoms on it."""

    __slots__ = ("alternatives", "field", "order")

    def __init__(self, field: str, alternatives: Iterable[Conjunction]) -> None:
        self.field = field
        self.alternatives = tuple(sorted(set(alternatives), key=lambda one: one.order))
        self.order = (field, tuple(one.order for one in self.alternatives))

    @property
    def length(self) -> int:
        return sum(map(len, self.alternatives))

    @property
    def listed(self) -> bool:
        """Whether it only lists values: ``x = 1``, ``x in {1, 2}``."""
        return all(len(one) == 1 and one.atoms[0].op == "=" for one in self.alternatives)

    def holds(self, configuration: Configuration) -> bool:
        return any(one.holds(configuration) for one in self.alternatives)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Literal) and self.order == other.order

    def __hash__(self) -> int:
        return hash(self.order)


class Term(tuple[Literal, ...]):
    """Literals on different fields, all of which have to hold."""

    def __new__(cls, literals: Iterable[Literal] = ()) -> Term:
        return super().__new__(cls, sorted(literals, key=lambda literal: literal.field))

    @classmethod
    def of(cls, atoms: Iterable[Atom]) -> Term:
        """The term that says the same as a conjunction."""
        by_field: dict[str, list[Atom]] = defaultdict(list)
        for atom in Conjunction(atoms):
            by_field[atom.field].append(atom)
        return cls(Literal(field, [Conjunction(found)]) for field, found in by_field.items())

    @classmethod
    def among(cls, sets: Mapping[str, Iterable[Any]]) -> Term:
        """The term ``field in {values} and ...``."""
        return cls(Literal(field, equalities(field, values)) for field, values in sets.items())

    @cached_property
    def order(self) -> tuple[Any, ...]:
        return tuple(literal.order for literal in self)

    @property
    def length(self) -> int:
        return sum(literal.length for literal in self)

    @property
    def size(self) -> int:
        """How many conjunctions it stands for."""
        return math.prod(len(literal.alternatives) for literal in self)

    def holds(self, configuration: Configuration) -> bool:
        return all(literal.holds(configuration) for literal in self)

    def conjunctions(self) -> Iterator[Conjunction]:
        for choice in product(*(literal.alternatives for literal in self)):
            yield Conjunction(atom for part in choice for atom in part)


def both(one: Term, other: Term) -> Term:
    """The conjunction of two terms: on a shared field, each alternative of one with each of the other."""
    by_field = {literal.field: literal for literal in one}
    for literal in other:
        if mine := by_field.get(literal.field):
            pairs = product(mine.alternatives, literal.alternatives)
            literal = Literal(literal.field, [left | right for left, right in pairs])
        by_field[literal.field] = literal
    return Term(by_field.values())


def equalities(field: str, values: Iterable[Any]) -> list[Conjunction]:
    if isinstance(values, str | bytes):
        raise InputError(f"{field}: expected a collection of values, not the single value {values!r}")
    return [Conjunction([Atom(field, "=", value)]) for value in values]


def merged(terms: Iterable[Term]) -> tuple[Term, ...]:
    """The terms once each, in order, those that differ only in the values one field may equal made one."""
    found = _sorted(terms)
    while True:
        fields = sorted({literal.field for term in found for literal in term if literal.listed})
        before = len(found)
        for field in fields:
            found = _merged_on(field, found)
        if len(found) == before:
            return tuple(_sorted(found))


def _sorted(terms: Iterable[Term]) -> list[Term]:
    """Once each, short ones first."""
    return sorted(set(terms), key=lambda term: (term.length, term.order))


def _merged_on(field: str, terms: list[Term]) -> list[Term]:
    kept: list[Term] = []
    groups: dict[Term, list[Conjunction]] = defaultdict(list)
    for term in terms:
        literal = next((literal for literal in term if literal.field == field and literal.listed), None)
        if literal:
            groups[Term(other for other in term if other is not literal)] += literal.alternatives
        else:
            kept.append(term)
    return kept + [Term((*rest, Literal(field, found))) for rest, found in groups.items()]
