"""Find the shortest form with the expressions of code: ``abs(x) > 4500``, and one comparison instead of two equivalent
ones.

``a > b`` is ``b < a`` and, if neither can be undefined, the negation of ``a <= b``. So comparisons are brought into
a canonical form before a rule is simplified, and afterwards written as they were given. Bounds that mirror each
other become one bound of the absolute value, and ``abs(x) > 50 and x < 0`` becomes ``x < -50``. A bound at the largest
float becomes a comparison with infinity.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rootward.rules.arithmetic import Number
from rootward.rules.atoms import Atom
from rootward.rules.constants import is_negative_zero, kind
from rootward.rules.quantity import Part, Quantity, encode_part, is_comparison
from rootward.rules.ranges import field_of, range_of
from rootward.rules.simplify.algebra import simplify_terms
from rootward.rules.simplify.integers import round_bounds, use_plain_integers
from rootward.rules.terms import Conjunction, Literal, Term, conjoin, rule_text
from rootward.space.exceptional_values import largest
from rootward.space.numeric_fields import Float

if TYPE_CHECKING:
    from rootward.space.space import Space

_SWAPPED = {">": "<", ">=": "<="}
_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


def condense_terms(terms: Iterable[Term], space: Space | None) -> Sequence[Term]:
    """Return the shortest equivalent terms that were found. They use quantities where this helps."""
    kept = _use_plain_fields(_simplify(terms := list(terms), space), space)
    if not (signs := _find_signed(terms)):
        return kept
    apart = [_rebuild(_unfold(literal) if literal.field in signs else literal for literal in term) for term in terms]
    found = _use_plain_fields(_simplify(apart, space), space)
    return min(kept, found, key=lambda said: (sum(term.length for term in said), len(rule_text(said))))


def _use_plain_fields(terms: list[Term], space: Space | None) -> list[Term]:
    """Replace conditions on quantities of one integer field by conditions on the field, unless these are longer."""
    plain = use_plain_integers(terms, space)
    return terms if plain == terms else _simplify(plain, space)


def _simplify(terms: Iterable[Term], space: Space | None) -> list[Term]:
    words = _Words(space)
    alike = [_rebuild(Literal(*words.canonical(literal)) for literal in term) for term in terms]
    found = simplify_terms(alike, space)
    return [_rebuild(words.restore_literal(literal) for literal in term) for term in found]


def _find_signed(terms: Iterable[Term]) -> set[str]:
    """Return the quantities ``abs(x)`` that the terms compare in addition to ``x`` itself.

    A quantity is left out if one of the constants with which it is compared is negative, -0.0 or NaN.
    """
    literals = [literal for term in terms for literal in term]
    fields = {literal.field for literal in literals}
    found = {
        field for field in fields if isinstance(field, Quantity) and field.op == "abs" and {*field.parts} <= fields
    }
    atoms = [atom for literal in literals if literal.field in found for one in literal.alternatives for atom in one]
    return fields & found - {atom.field for atom in atoms if not atom.value >= 0 or is_negative_zero(atom.value)}


def _unfold(literal: Literal) -> Literal:
    """Convert a literal on ``abs(x)`` to one on ``x``."""
    assert isinstance(literal.field, Quantity)
    choices = [_rebuild(_sides(literal.field.parts[0], atom) for atom in one) for one in literal.alternatives]
    return Literal(literal.field.parts[0], [one for term in choices for one in term.conjunctions()])


def _sides(field: str, atom: Atom) -> Literal:
    mirrored = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(atom.op, atom.op)
    sides = [Atom(field, mirrored, 0 - atom.value), Atom(field, atom.op, atom.value)]
    inside = atom.op in ("<", "<=", "!=")
    return Literal(field, [Conjunction(sides)] if inside else [Conjunction([side]) for side in sides])


def _rebuild(literals: Iterable[Literal]) -> Term:
    """Build a term from literals. Two of the literals may be on the same quantity."""
    found = Term()
    for literal in literals:
        found = conjoin(found, Term([literal]))
    return found


class _Words:
    """Remembers how each comparison was written.

    The key is the canonical form, together with True if the comparison is equivalent to it, or False if it is its
    negation.
    """

    def __init__(self, space: Space | None) -> None:
        self.space = space
        self.said: dict[tuple[Quantity, bool], Quantity] = {}

    def canonical(self, literal: Literal) -> tuple[str, list[Conjunction]]:
        if not is_comparison(literal.field) or literal.field.is_predicate:
            return literal.field, list(literal.alternatives)
        name, sense = self._sense(literal.field)
        self.said.setdefault((name, sense), literal.field)
        alike = [Conjunction(Atom(name, atom.op, atom.value is sense) for atom in one) for one in literal.alternatives]
        return name, alike

    def _sense(self, given: Quantity) -> tuple[Quantity, bool]:
        """Return the canonical form of a comparison, and a flag.

        The flag is True if the comparison is equivalent to the canonical form, False if it is its negation.
        """
        left, right = given.parts
        op = given.op
        if op in _SWAPPED:
            op, left, right = _SWAPPED[op], right, left
        if op in ("==", "!="):
            left, right = sorted((left, right), key=encode_part)
            return Quantity("==", left, right), op == "=="
        if op == "<=" and self._is_defined(given):
            return Quantity("<", right, left), False
        return Quantity(op, left, right), True

    def _is_defined(self, given: Quantity) -> bool:
        return not any(range_of(part, self.space).undefined for part in given.parts)

    def restore_literal(self, literal: Literal) -> Literal:
        """Write a literal with the comparison that was given, or with its negation. Choose bounds as a person would."""
        return round_bounds(
            _use_absolute_value(_use_infinity(self._restore_comparison(literal), self.space), self.space), self.space
        )

    def _restore_comparison(self, literal: Literal) -> Literal:
        field = literal.field
        if not is_comparison(field) or field.is_predicate or literal.length != 1:
            return literal
        atom = literal.alternatives[0].atoms[0]
        wanted = atom.value is (atom.op == "=")
        if given := self.said.get((field, wanted)):
            return _single(Atom(given, "=", True))
        given = self.said[field, not wanted]
        if given.op in ("==", "!=") or self._is_defined(given):
            return _single(Atom(Quantity(_NEGATED[given.op], *given.parts), "=", True))
        return _single(Atom(given, "=", False))


def _single(atom: Atom) -> Literal:
    return Literal(atom.field, [Conjunction([atom])])


def _use_infinity(literal: Literal, space: Space | None) -> Literal:
    """Compare with infinity instead of the largest float M: ``x = inf`` for ``x > M``, ``x < inf`` for ``x <= M``."""
    choices = [[_atom_with_infinity(atom, space) for atom in one] for one in literal.alternatives]
    return Literal(choices[0][0].field, map(Conjunction, choices))


def _atom_with_infinity(atom: Atom, space: Space | None) -> Atom:
    if is_comparison(atom.field) and not atom.field.is_predicate:
        left, right = atom.field.parts
        op, bound = _limit(left, atom.field.op, right, space)
        return Atom(Quantity("==" if op == "=" else op, left, bound), atom.op, atom.value)
    if is_comparison(atom.field):
        return atom
    return Atom(atom.field, *_limit(atom.field, atom.op, atom.value, space))


def _limit(field: Part, op: str, bound: Any, space: Space | None) -> tuple[str, Any]:
    """Return the operator and the bound with which to compare ``field``, a float or its absolute value.

    If ``bound`` is the largest float, the comparison is replaced by one with infinity. Any other operator and bound are
    returned unchanged.
    """
    bare = field.parts[0] if isinstance(field, Quantity) and field.op == "abs" else field
    held = field_of(bare, space)
    if not isinstance(held, Float) or kind(bound) != "number" or abs(bound) != largest(held.bits):
        return op, bound
    said = {"<=": "<", ">": "="} if bound > 0 else {">=": ">", "<": "="}
    return (said[op], math.copysign(math.inf, bound)) if op in said else (op, bound)


def _use_absolute_value(literal: Literal, space: Space | None) -> Literal:
    """Replace two bounds by one bound of the absolute value.

    This is done only if the bounds are at the same distance from zero, on both sides of it.
    """
    atoms = [atom for one in literal.alternatives for atom in one]
    if len(atoms) != 2 or any(kind(atom.value) != "number" for atom in atoms):
        return literal
    outside = len(literal.alternatives) == 2
    if outside and {(atom.op, atom.value) for atom in atoms} == {("=", math.inf), ("=", -math.inf)}:
        return _single(Atom(Quantity("abs", literal.field), "=", math.inf))
    for low, high in (atoms, atoms[::-1]):
        found = _distance(low, high, "<>" if outside else "><", whole=range_of(literal.field, space).whole)
        if found is not None:
            return _single(Atom(Quantity("abs", literal.field), *found))
    return literal


def _distance(low: Atom, high: Atom, ways: str, *, whole: bool) -> tuple[str, Number] | None:
    """Return the operator and the constant of a comparison of the absolute value that replaces both bounds.

    Returns None if the bounds do not mirror each other.
    """
    if low.op[0] + high.op[0] != ways or not low.value < high.value:
        return None
    if low.value == -high.value and low.op[1:] == high.op[1:]:
        return high.op, high.value
    if whole and isinstance(low.value, int) and isinstance(high.value, int):
        beyond = [abs(atom.value) + _step(atom, ways) for atom in (low, high)]
        if beyond[0] == beyond[1] and low.value < 0 < high.value:
            return ways[1], beyond[0]
    return None


def _step(atom: Atom, ways: str) -> int:
    """Return the number to add to the distance of an inclusive integer bound to make the bound exclusive.

    It is 0 for a bound that is already exclusive.
    """
    return 0 if len(atom.op) == 1 else -1 if ways == "<>" else 1
