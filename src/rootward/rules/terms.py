"""Conjunctions of atoms, and terms: conjunctions whose parts may list alternatives.

``gear in {R, N} and mode in {1, 2, 3}`` is six conjunctions but one term of two literals, so that a product of sets
stays as small as it reads. A literal contains everything about one field. A term is what the minimiser calls a box, and
what a person reads as one line.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any

from rootward.errors import InputError
from rootward.rules.atoms import ORDERINGS, Atom
from rootward.rules.quantity import fields_of
from rootward.rules.text import literal_text

if TYPE_CHECKING:
    from rootward.space.candidate import Configuration


class Conjunction(frozenset[Atom]):
    """A frozen set of atoms that must all hold; the empty conjunction always holds."""

    def __new__(cls, atoms: Iterable[Atom] = ()) -> Conjunction:
        made = super().__new__(cls, atoms)
        strangers: list[object] = [atom for atom in frozenset.__iter__(made) if type(atom) is not Atom]
        if strangers:
            raise InputError(f"a conjunction contains only atoms, got {strangers[0]!r}")
        return made

    @cached_property
    def atoms(self) -> tuple[Atom, ...]:
        """The atoms. Their order is the same in every process."""
        return tuple(sorted(frozenset.__iter__(self)))

    @cached_property
    def order(self) -> tuple[Any, ...]:
        """A sort key."""
        return tuple(atom.order for atom in self.atoms)

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that the atoms read."""
        return tuple(dict.fromkeys(name for atom in self.atoms for name in fields_of(atom.field)))

    def holds(self, configuration: Configuration) -> bool:
        """Return True if all atoms hold. Raises InputError if one of their fields is missing."""
        return all(atom.holds(configuration) for atom in self.atoms)

    def __iter__(self) -> Iterator[Atom]:
        return iter(self.atoms)

    def __and__(self, other: Any) -> Conjunction:
        """Return the conjunction of the atoms that both have, like the intersection of sets.

        Two causes share these atoms.
        """
        return Conjunction(super().__and__(other))

    def __or__(self, other: Any) -> Conjunction:
        """Return the conjunction of the atoms of both, like the union of sets. The result holds where both hold."""
        return Conjunction(super().__or__(other))

    def __str__(self) -> str:
        return rule_text([Term.of(self)])

    def __repr__(self) -> str:
        return f"Conjunction({list(self.atoms)!r})"


class Literal:
    """The part of a term that is about one field.

    It consists of alternatives, of which one must hold. Each alternative is a conjunction of atoms on the field.
    """

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
        """True if it only lists values: ``x = 1``, ``x in {1, 2}``."""
        return all(len(one) == 1 and one.atoms[0].op == "=" for one in self.alternatives)

    def holds(self, configuration: Configuration) -> bool:
        return any(one.holds(configuration) for one in self.alternatives)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Literal) and self.order == other.order

    def __hash__(self) -> int:
        return hash(self.order)

    def __str__(self) -> str:
        return literal_text(self.field, [[(atom.op, atom.value) for atom in one] for one in self.alternatives])


class Term(tuple[Literal, ...]):
    """Literals on different fields, all of which must hold."""

    def __new__(cls, literals: Iterable[Literal] = ()) -> Term:
        return super().__new__(cls, sorted(literals, key=lambda literal: literal.field))

    @classmethod
    def of(cls, atoms: Iterable[Atom]) -> Term:
        """Build the term that is equivalent to a conjunction."""
        by_field: dict[str, list[Atom]] = defaultdict(list)
        for atom in Conjunction(atoms):
            by_field[atom.field].append(atom)
        return cls(Literal(field, [Conjunction(found)]) for field, found in by_field.items())

    @classmethod
    def among(cls, sets: Mapping[str, Iterable[object]]) -> Term:
        """Build the term ``field in {values} and ...``."""
        return cls(Literal(field, equalities(field, values)) for field, values in sets.items())

    @cached_property
    def order(self) -> tuple[Any, ...]:
        return tuple(literal.order for literal in self)

    @property
    def length(self) -> int:
        return sum(literal.length for literal in self)

    @property
    def size(self) -> int:
        """The number of conjunctions that the term stands for."""
        return math.prod(len(literal.alternatives) for literal in self)

    def holds(self, configuration: Configuration) -> bool:
        return all(literal.holds(configuration) for literal in self)

    def conjunctions(self) -> Iterator[Conjunction]:
        for choice in product(*(literal.alternatives for literal in self)):
            yield Conjunction(atom for part in choice for atom in part)


def rule_text(terms: Sequence[Term]) -> str:
    """Write the disjunction of terms. It is ``never`` if there is no term, and ``always`` if a term is empty."""
    if not terms:
        return "never"
    if not all(terms):
        return "always"
    return " or ".join(_term_text(term, alone=len(terms) == 1) for term in terms)


def _term_text(term: Term, *, alone: bool) -> str:
    # Ranges come first, because they read best there.
    ordered = sorted(term, key=lambda literal: not _is_range(literal))
    if len(ordered) == 1 and alone:
        return str(ordered[0])
    text = " and ".join(_literal_text(literal) for literal in ordered)
    return text if alone or " and " not in text else f"({text})"


def _literal_text(literal: Literal) -> str:
    return str(literal) if literal.listed or len(literal.alternatives) == 1 else f"({literal})"


def _is_range(literal: Literal) -> bool:
    return any(atom.op in ORDERINGS for one in literal.alternatives for atom in one)


def conjoin(one: Term, other: Term) -> Term:
    """Return the conjunction of two terms.

    On a field that both have, each alternative of one term is combined with each alternative of the other.
    """
    by_field = {literal.field: literal for literal in one}
    for literal in other:
        if mine := by_field.get(literal.field):
            pairs = product(mine.alternatives, literal.alternatives)
            literal = Literal(literal.field, [left | right for left, right in pairs])
        by_field[literal.field] = literal
    return Term(by_field.values())


def equalities(field: str, values: Iterable[object]) -> list[Conjunction]:
    if isinstance(values, str | bytes):
        raise InputError(f"{field}: expected a collection of values, got the single value {values!r}")
    return [Conjunction([Atom(field, "=", value)]) for value in values]


def merge_terms(terms: Iterable[Term]) -> tuple[Term, ...]:
    """Sort the terms, remove duplicates, and merge terms that differ only in the values listed for one field."""
    found = _sort(terms)
    while True:
        fields = sorted({literal.field for term in found for literal in term if literal.listed})
        before = len(found)
        for field in fields:
            found = _merge_on(field, found)
        if len(found) == before:
            return tuple(_sort(found))


def _sort(terms: Iterable[Term]) -> list[Term]:
    """Remove duplicates and sort the terms, short ones first."""
    return sorted(set(terms), key=lambda term: (term.length, term.order))


def _merge_on(field: str, terms: list[Term]) -> list[Term]:
    kept: list[Term] = []
    groups: dict[Term, list[Conjunction]] = defaultdict(list)
    for term in terms:
        literal = next((literal for literal in term if literal.field == field and literal.listed), None)
        if literal:
            groups[Term(other for other in term if other is not literal)] += literal.alternatives
        else:
            kept.append(term)
    return kept + [Term((*rest, Literal(field, found))) for rest, found in groups.items()]
