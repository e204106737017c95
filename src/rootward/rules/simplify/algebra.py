"""Convert terms to unions of boxes and back: simplification, implication and complement."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rootward.rules.atoms import Atom
from rootward.rules.quantity import Quantity
from rootward.rules.ranges import domain_of, field_of
from rootward.rules.simplify.boxes import Box, complement, is_covered
from rootward.rules.simplify.cells import CellAxis, Domain
from rootward.rules.simplify.express import shortest_alternatives
from rootward.rules.simplify.minimise import Minimiser
from rootward.rules.terms import Literal, Term

if TYPE_CHECKING:
    from rootward.space.space import Space


class Algebra:
    """The axes of all fields that some terms mention, in the order of their names."""

    def __init__(self, terms: Iterable[Term], space: Space | None = None, *, loose: bool = True) -> None:
        atoms: dict[str, list[Atom]] = defaultdict(list)
        for term in terms:
            for literal in term:
                atoms[literal.field] += [atom for one in literal.alternatives for atom in one]
        self.axes = [CellAxis(field, atoms[field], _domain(space, field), loose=loose) for field in sorted(atoms)]
        self.full = [axis.full for axis in self.axes]
        self.place = {axis.field: index for index, axis in enumerate(self.axes)}

    def boxes(self, terms: Iterable[Term]) -> list[Box]:
        """Convert terms to boxes. Terms that never hold are left out."""
        return [box for term in terms if (box := self._box(term)) is not None]

    def _box(self, term: Term) -> Box | None:
        box: Box = {}
        for literal in term:
            index = self.place[literal.field]
            mask = self._mask(self.axes[index], literal)
            if not mask:
                return None
            if mask != self.full[index]:
                box[index] = mask
        return box

    def _mask(self, axis: CellAxis, literal: Literal) -> int:
        found = 0
        for one in literal.alternatives:
            mask = axis.full
            for atom in one:
                mask &= axis.mask(atom)
            found |= mask
        return found

    def terms(self, boxes: Iterable[Box]) -> list[Term]:
        """Convert boxes to terms. Each literal is as short as possible."""
        return [Term(self._literal(axis, mask) for axis, mask in box.items()) for box in boxes]

    def _literal(self, index: int, mask: int) -> Literal:
        found = shortest_alternatives(self.axes[index], mask)
        assert found is not None, "cells that come from atoms can be expressed by atoms"
        return Literal(self.axes[index].field, found)

    def minimise(self, boxes: Sequence[Box]) -> list[Term]:
        return self.terms(Minimiser(self.axes).minimise(boxes))


def simplify_terms(terms: Sequence[Term], space: Space | None) -> Sequence[Term]:
    """Return the shortest equivalent terms that were found. If the given terms are shorter, return them."""
    algebra = Algebra(terms, space)
    found = algebra.minimise(algebra.boxes(terms))
    return found if _length(found) <= _length(terms) else terms


def _length(terms: Iterable[Term]) -> int:
    return sum(term.length for term in terms)


def implies(terms: Sequence[Term], others: Sequence[Term], space: Space | None) -> bool:
    """Return True if ``others`` hold wherever ``terms`` do."""
    algebra = Algebra([*terms, *others], space)
    boxes = algebra.boxes(others)
    return all(is_covered(box, boxes, algebra.full) for box in algebra.boxes(terms))


def satisfiable(terms: Sequence[Term], space: Space | None) -> bool:
    """Return True if a term holds for some configuration."""
    return bool(Algebra(terms, space).boxes(terms))


def complement_terms(terms: Sequence[Term], space: Space | None) -> list[Term]:
    """Return terms that hold exactly where the given terms do not.

    This assumes that all values of an ordered field can be ordered or are NaN.
    """
    algebra = Algebra(terms, space, loose=False)
    return algebra.minimise(complement(algebra.boxes(terms), algebra.full))


def _domain(space: Space | None, field: str) -> Domain | None:
    return domain_of(field, space) if isinstance(field, Quantity) else field_of(field, space)
