"""What a term says about one integer, said of that integer itself: ``slot = 128`` for ``slot <= 128 and slot & 128``.

A bit test, a remainder or an absolute value is a set of integers, and so is all that a term says about one field.
Where few enough come into question, all are looked at. The set is then said as the shortest range or list of values, or
by some of the given literals, unless that is longer than what was given.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any

from rootward.numeric import Int
from rootward.rules.algebra import Algebra
from rootward.rules.atoms import Atom, Conjunction
from rootward.rules.quantity import Quantity, fields_of
from rootward.rules.terms import Literal, Term

MOST = 1 << 16
"""So many integers are looked at."""

Runs = tuple[tuple[int, int], ...]
"""A set of integers, as the first and the last of neighbouring ones."""


def said_of_fields(terms: Iterable[Term], space: Any) -> list[Term]:
    """Terms that hold for the same configurations of the space, without those that never do."""
    found = (_plainer(term, space) for term in terms)
    return [term for term in found if term is not None]


def _plainer(term: Term, space: Any) -> Term | None:
    literals = list(term)
    for name in sorted({fields_of(one.field)[0] for one in term if _is_computed_of_one(one, space)}):
        about = tuple(one for one in literals if fields_of(one.field) == (name,))
        said = _shortest(about, name, space[name])
        if said is None:
            return None
        literals = [one for one in literals if one not in about] + list(said)
    return Term(literals)


def _is_computed_of_one(literal: Literal, space: Any) -> bool:
    names = fields_of(literal.field)
    of_one = isinstance(literal.field, Quantity) and len(names) == 1
    return of_one and space is not None and names[0] in space and isinstance(space[names[0]], Int)


def _shortest(about: tuple[Literal, ...], name: str, field: Int) -> Sequence[Literal] | None:
    """The shortest literals that say the same of this field; None if no value fulfils them."""
    runs = _runs(about, name, field)
    if runs is None:
        return about
    if not runs:
        return None
    fewer = [some for count in range(1, len(about)) for some in combinations(about, count)]
    same = [some for some in fewer if _weight(some) < _weight(about) and _runs(some, name, field) == runs]
    # Of so many atoms, no more runs can be said: each takes one, or each gap between two does.
    plain = [_plain(runs, name, field)] if len(runs) <= sum(one.length for one in about) + 1 else []
    return min([about, *same, *plain], key=_weight)


def _weight(literals: Iterable[Literal]) -> tuple[int, int]:
    atoms = [atom for literal in literals for one in literal.alternatives for atom in one]
    return len(atoms), sum(atom.field.size if isinstance(atom.field, Quantity) else 1 for atom in atoms)


def _plain(runs: Runs, name: str, field: Int) -> Term:
    ranges = [Conjunction([Atom(name, ">=", first), Atom(name, "<=", last)]) for first, last in runs]
    term = Term([Literal(name, ranges)])
    algebra = Algebra([term], {name: field})
    [shortest] = algebra.terms(algebra.boxes([term]))
    return shortest


@lru_cache(maxsize=1 << 10)
def _runs(literals: tuple[Literal, ...], name: str, field: Int) -> Runs | None:
    """All members of the field that fulfil the literals; None if there are too many to look at."""
    import numpy as np

    from rootward.rules.columns import holds_many

    first, last = _hull(literals, name, field)
    if last - first >= MOST:
        return None
    holds = holds_many([Term(literals)], {name: range(first, last + 1)})
    steps = np.flatnonzero(np.diff(np.concatenate([[False], holds, [False]])))
    return tuple((first + int(start), first + int(end) - 1) for start, end in steps.reshape(-1, 2))


def _hull(literals: Iterable[Literal], name: str, field: Int) -> tuple[int, int]:
    """Two bounds between which all members lie that can fulfil the literals, by what is said of the field itself."""
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
    """The atoms that bound a number from one side, or name it."""
    return (atom for atom in one if atom.op in (ops[0], ops, "=") and _is_finite(atom.value))


def _is_finite(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < math.inf
