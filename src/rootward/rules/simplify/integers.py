"""Conditions on integers as people write them: plain values instead of computations, and round bounds.

A bit test, a remainder or an absolute value describes a set of integers, and so do all literals of a term about one
field together. If that set is small enough, it is enumerated. It is then written as the shortest range or list of
values, or with some of the given literals, unless the given ones are shorter: ``slot <= 128 and slot & 128`` becomes
``slot = 128``.

Every bound of an integer can be written with either of two neighbours, and the rounder one reads better: ``n > 180``
rather than ``n >= 181``. If neither is rounder, a single bound stays as it was given, and a range includes both of its
ends: ``626 <= n <= 2659``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations

from rootward.rules.atoms import ORDERINGS, Atom
from rootward.rules.constants import kind
from rootward.rules.quantity import Quantity, fields_of, is_comparison
from rootward.rules.ranges import field_of, range_of
from rootward.rules.simplify.algebra import Algebra
from rootward.rules.terms import Conjunction, Literal, Term
from rootward.space.numeric_fields import Int
from rootward.space.space import Space

MAX_MEMBERS = 1 << 16
"""A field with at most this number of values between its bounds is enumerated; the literals of others stay as given."""
MAX_ROUND_DIGITS = 2
"""Maximum number of digits before the final zeros of an exclusive end of a range; ends with more are inclusive."""
MIN_ROUND_POWER = 7
"""Powers of two from this exponent on, and the limits of machine integers, are treated as being as round as a number
of two digits."""
_LIMITS = frozenset(2**power - 1 for power in (7, 8, 15, 16, 31, 32, 63, 64))

Runs = tuple[tuple[int, int], ...]
"""A set of integers, as the first and the last of each run of consecutive ones."""


def use_plain_integers(terms: Iterable[Term], space: Space | None) -> list[Term]:
    """Replace conditions on quantities of one integer field by conditions on the field itself, unless these are longer.

    The resulting terms are equivalent in the space. Terms that never hold are dropped.
    """
    found = (_simplify_term(term, space) for term in terms)
    return [term for term in found if term is not None]


def _simplify_term(term: Term, space: Space | None) -> Term | None:
    literals = list(term)
    for name, field in sorted(_computed_from(term, space).items()):
        about = tuple(one for one in literals if fields_of(one.field) == (name,) and not _is_derived(one))
        said = _shortest(about, name, field)
        if said is None:
            return None
        literals = [one for one in literals if one not in about] + list(said)
    return Term(literals)


def _is_derived(literal: Literal) -> bool:
    return isinstance(literal.field, Quantity) and literal.field.is_derived


def _computed_from(term: Term, space: Space | None) -> dict[str, Int]:
    """Return the integer fields that are the only field in some quantity of the term."""
    read = [one.field.fields for one in term if isinstance(one.field, Quantity) and not one.field.is_derived]
    fields = {names[0]: field_of(names[0], space) for names in read if len(names) == 1}
    return {name: field for name, field in fields.items() if isinstance(field, Int)}


def _shortest(about: tuple[Literal, ...], name: str, field: Int) -> Sequence[Literal] | None:
    """Return the shortest equivalent literals that read only the field ``name``.

    Returns None if no value satisfies the literals.
    """
    runs = _runs(about, name, field)
    if runs is None:
        return about
    if not runs:
        return None
    fewer = [some for count in range(1, len(about)) for some in combinations(about, count)]
    same = [some for some in fewer if _weight(some) < _weight(about) and _runs(some, name, field) == runs]
    # With more runs than this, ranges cannot be shorter: each run, or each gap between two, takes an atom.
    plain = [_range_literals(runs, name, field)] if len(runs) <= sum(one.length for one in about) + 1 else []
    return min([about, *same, *plain], key=_weight)


def _weight(literals: Iterable[Literal]) -> tuple[int, int]:
    atoms = [atom for literal in literals for one in literal.alternatives for atom in one]
    return len(atoms), sum(atom.field.size if isinstance(atom.field, Quantity) else 1 for atom in atoms)


def _range_literals(runs: Runs, name: str, field: Int) -> Term:
    ranges = [Conjunction([Atom(name, ">=", first), Atom(name, "<=", last)]) for first, last in runs]
    term = Term([Literal(name, ranges)])
    algebra = Algebra([term], Space({name: field}))
    [shortest] = algebra.terms(algebra.boxes([term]))
    return shortest


@lru_cache(maxsize=1 << 10)
def _runs(literals: tuple[Literal, ...], name: str, field: Int) -> Runs | None:
    """Return all values of the field that satisfy the literals. Return None if there are too many to enumerate."""
    import numpy as np

    from rootward.rules.columns import holds_many

    first, last = _hull(literals, name, field)
    if last - first >= MAX_MEMBERS:
        return None
    holds = holds_many([Term(literals)], {name: range(first, last + 1)})
    steps = np.flatnonzero(np.diff(np.concatenate([[False], holds, [False]])))
    return tuple((first + int(start), first + int(end) - 1) for start, end in steps.reshape(-1, 2))


def _hull(literals: Iterable[Literal], name: str, field: Int) -> tuple[int, int]:
    """Return a lower and an upper bound of the values that can satisfy the literals.

    Only the literals on the field itself are used.
    """
    first, last = field.lo, field.hi
    for literal in literals:
        if literal.field == name:
            ends = [_ends(one, field) for one in literal.alternatives]
            first = max(first, min(low for low, _ in ends))
            last = min(last, max(high for _, high in ends))
    return first, last


def _ends(one: Conjunction, field: Int) -> tuple[int, int]:
    lows = [field.lo, *(math.floor(atom.value) for atom in _finite(one, ">="))]
    highs = [field.hi, *(math.ceil(atom.value) for atom in _finite(one, "<="))]
    return max(lows), min(highs)


def _finite(one: Conjunction, ops: str) -> Iterator[Atom]:
    """Yield the atoms that bound the field from one side, or that give its value."""
    return (atom for atom in one if atom.op in (ops[0], ops, "=") and _is_finite(atom.value))


def _is_finite(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < math.inf


# Round bounds


def round_bounds(literal: Literal, space: Space | None) -> Literal:
    """Return an equivalent literal with round bounds, if its field is always an integer.

    A bound of an integer can be written in two ways, such as ``> 9`` and ``>= 10``. The rounder one is chosen.
    """
    if not _is_whole(literal.field, space):
        return literal
    return Literal(literal.field, map(_round_bounds, literal.alternatives))


def _is_whole(field: str, space: Space | None) -> bool:
    if isinstance(field, Quantity):
        return not is_comparison(field) and range_of(field, space).whole
    return isinstance(field_of(field, space), Int)


def _round_bounds(one: Conjunction) -> Conjunction:
    bounds = [atom for atom in one if _is_bound(atom)]
    others = [atom for atom in one if not _is_bound(atom)]
    return Conjunction([*others, *(_round_bound(atom, alone=len(bounds) == 1) for atom in bounds)])


def _is_bound(atom: Atom) -> bool:
    """Return True if the atom is a bound that can be changed by one exactly. Very large floats cannot."""
    if atom.op not in ORDERINGS or kind(atom.value) != "number":
        return False
    return isinstance(atom.value, int) or abs(atom.value) < 2**53


def _round_bound(atom: Atom, *, alone: bool) -> Atom:
    """Return the rounder form of a bound. ``alone`` is True if the bound is not one of the two ends of a range."""
    way, strict = atom.op[0], len(atom.op) == 1
    step = 1 if way == ">" else -1
    near = math.floor(atom.value) if way == ">" else math.ceil(atom.value)
    last = near if not strict and near == atom.value else near + step
    beyond = last - step
    gain = count_digits(last) - count_digits(beyond)
    if alone:
        excluded = gain > 0 or (gain == 0 and strict and beyond == atom.value)
    else:
        excluded = gain > 0 and count_digits(beyond) <= MAX_ROUND_DIGITS
    return Atom(atom.field, way, beyond) if excluded else Atom(atom.field, f"{way}=", last)


def count_digits(value: int) -> int:
    """Count the digits before the final zeros; zero has none. The fewer digits, the rounder the integer."""
    size = abs(value)
    power = size.bit_length() - 1
    if power > 4096 or (power >= MIN_ROUND_POWER and size == 1 << power) or size in _LIMITS:
        return 2
    return len(str(size).strip("0"))
