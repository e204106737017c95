"""The shortest form in the words of code: ``abs(x) > 4500``, and one comparison where two say the same.

``a > b`` is ``b < a`` and, where neither can be undefined, the negation of ``a <= b``. So comparisons are made alike
before a rule is simplified, and are said afterwards as they were given. Bounds that mirror each other become one bound
of the absolute value, and ``abs(x) > 50 and x < 0`` becomes ``x < -50``. Beyond the largest float is
infinity.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rootward.rules.arithmetic import Number
from rootward.rules.atoms import Atom
from rootward.rules.constants import is_negative_zero, kind
from rootward.rules.quantity import Part, Quantity, encoded, is_comparison
from rootward.rules.ranges import field_of, range_of
from rootward.rules.simplify.algebra import simplified
from rootward.rules.simplify.integers import rounded, said_of_fields
from rootward.rules.terms import Conjunction, Literal, Term, both, rule_text
from rootward.space.exceptional_values import largest
from rootward.space.numeric_fields import Float

if TYPE_CHECKING:
    from rootward.space.space import Space

_SWAPPED = {">": "<", ">=": "<="}
_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


def condensed(terms: Iterable[Term], space: Space | None) -> Sequence[Term]:
    """Terms that hold for the same configurations and are as short as could be found, in quantities where they help."""
    kept = _plainly(_said_shortly(terms := list(terms), space), space)
    if not (signs := _signed(terms)):
        return kept
    apart = [_rebuilt(_unfolded(literal) if literal.field in signs else literal for literal in term) for term in terms]
    found = _plainly(_said_shortly(apart, space), space)
    return min(kept, found, key=lambda said: (sum(term.length for term in said), len(rule_text(said))))


def _plainly(terms: list[Term], space: Space | None) -> list[Term]:
    """What is computed from one integer, said of the integer where that is no longer."""
    plain = said_of_fields(terms, space)
    return terms if plain == terms else _said_shortly(plain, space)


def _said_shortly(terms: Iterable[Term], space: Space | None) -> list[Term]:
    words = _Words(space)
    alike = [_rebuilt(Literal(*words.canonical(literal)) for literal in term) for term in terms]
    found = simplified(alike, space)
    return [_rebuilt(words.spoken(literal) for literal in term) for term in found]


def _signed(terms: Iterable[Term]) -> set[str]:
    """The absolute values of what the terms also compare with its sign, if only with numbers from zero on."""
    literals = [literal for term in terms for literal in term]
    fields = {literal.field for literal in literals}
    found = {
        field for field in fields if isinstance(field, Quantity) and field.op == "abs" and {*field.parts} <= fields
    }
    atoms = [atom for literal in literals if literal.field in found for one in literal.alternatives for atom in one]
    return fields & found - {atom.field for atom in atoms if not atom.value >= 0 or is_negative_zero(atom.value)}


def _unfolded(literal: Literal) -> Literal:
    """A literal on ``abs(x)`` as one on ``x``."""
    assert isinstance(literal.field, Quantity)
    choices = [_rebuilt(_sides(literal.field.parts[0], atom) for atom in one) for one in literal.alternatives]
    return Literal(literal.field.parts[0], [one for term in choices for one in term.conjunctions()])


def _sides(field: str, atom: Atom) -> Literal:
    mirrored = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(atom.op, atom.op)
    sides = [Atom(field, mirrored, 0 - atom.value), Atom(field, atom.op, atom.value)]
    inside = atom.op in ("<", "<=", "!=")
    return Literal(field, [Conjunction(sides)] if inside else [Conjunction([side]) for side in sides])


def _rebuilt(literals: Iterable[Literal]) -> Term:
    """Two literals may have become ones on the same quantity."""
    found = Term()
    for literal in literals:
        found = both(found, Term([literal]))
    return found


class _Words:
    """How each comparison was said, by what it is and whether it has to hold."""

    def __init__(self, space: Space | None) -> None:
        self.space = space
        self.said: dict[tuple[Quantity, bool], Quantity] = {}

    def canonical(self, literal: Literal) -> tuple[str, list[Conjunction]]:
        if not is_comparison(literal.field):
            return literal.field, list(literal.alternatives)
        name, sense = self._sense(literal.field)
        self.said.setdefault((name, sense), literal.field)
        alike = [Conjunction(Atom(name, atom.op, atom.value is sense) for atom in one) for one in literal.alternatives]
        return name, alike

    def _sense(self, given: Quantity) -> tuple[Quantity, bool]:
        """The comparison that stands for this one, and whether it says the same or the opposite."""
        left, right = given.parts
        op = given.op
        if op in _SWAPPED:
            op, left, right = _SWAPPED[op], right, left
        if op in ("==", "!="):
            left, right = sorted((left, right), key=encoded)
            return Quantity("==", left, right), op == "=="
        if op == "<=" and self._defined(given):
            return Quantity("<", right, left), False
        return Quantity(op, left, right), True

    def _defined(self, given: Quantity) -> bool:
        return not any(range_of(part, self.space).undefined for part in given.parts)

    def spoken(self, literal: Literal) -> Literal:
        """In the words that were given, or their opposite; bounds as a person would set them."""
        return rounded(_mirrored(_infinite(self._compared(literal), self.space), self.space), self.space)

    def _compared(self, literal: Literal) -> Literal:
        field = literal.field
        if not is_comparison(field) or literal.length != 1:
            return literal
        atom = literal.alternatives[0].atoms[0]
        wanted = atom.value is (atom.op == "=")
        if given := self.said.get((field, wanted)):
            return _single(Atom(given, "=", True))
        given = self.said[field, not wanted]
        if given.op in ("==", "!=") or self._defined(given):
            return _single(Atom(Quantity(_NEGATED[given.op], *given.parts), "=", True))
        return _single(Atom(given, "=", False))


def _single(atom: Atom) -> Literal:
    return Literal(atom.field, [Conjunction([atom])])


def _infinite(literal: Literal, space: Space | None) -> Literal:
    """Beyond the largest float there is only infinity: ``x = inf``, and ``x < inf`` for all below."""
    choices = [[_beyond(atom, space) for atom in one] for one in literal.alternatives]
    return Literal(choices[0][0].field, map(Conjunction, choices))


def _beyond(atom: Atom, space: Space | None) -> Atom:
    if is_comparison(atom.field):
        left, right = atom.field.parts
        op, bound = _limit(left, atom.field.op, right, space)
        return Atom(Quantity("==" if op == "=" else op, left, bound), atom.op, atom.value)
    return Atom(atom.field, *_limit(atom.field, atom.op, atom.value, space))


def _limit(field: Part, op: str, bound: Any, space: Space | None) -> tuple[str, Any]:
    """How a float, or its absolute value, is compared with infinity instead of with the largest float."""
    bare = field.parts[0] if isinstance(field, Quantity) and field.op == "abs" else field
    held = field_of(bare, space)
    if not isinstance(held, Float) or kind(bound) != "number" or abs(bound) != largest(held.bits):
        return op, bound
    said = {"<=": "<", ">": "="} if bound > 0 else {">=": ">", "<": "="}
    return (said[op], math.copysign(math.inf, bound)) if op in said else (op, bound)


def _mirrored(literal: Literal, space: Space | None) -> Literal:
    """Two bounds at the same distance from zero, on both sides, as one of the absolute value."""
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
    """The operator and the constant for the absolute value, if the bounds mirror each other."""
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
    """From an inclusive bound of integers to the exclusive one."""
    return 0 if len(atom.op) == 1 else -1 if ways == "<>" else 1
