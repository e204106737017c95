"""Bounds of whole numbers as people say them: ``n > 180`` rather than ``n >= 181``, ``626 <= n <= 2659``.

Every bound of an integer can be said with either of two neighbours, and the rounder one says it better. Where neither
is rounder, a bound that stands alone stays as it was given, and both ends of a range belong to it.
"""

from __future__ import annotations

import math
from typing import Any

from rootward.numeric import Int
from rootward.rules.atoms import ORDERINGS, Atom, Conjunction, kind
from rootward.rules.constants import digits
from rootward.rules.quantity import Quantity, is_comparison
from rootward.rules.ranges import range_of
from rootward.rules.terms import Literal

ROUND = 2
"""The end of a range is left out of it only for the sake of a number with no more digits before its zeros than this."""


def rounded(literal: Literal, space: Any) -> Literal:
    """The same literal, with the bounds of what is always an integer at the rounder ones of both neighbours."""
    if not _is_whole(literal.field, space):
        return literal
    return Literal(literal.field, map(_said, literal.alternatives))


def _is_whole(field: str, space: Any) -> bool:
    if isinstance(field, Quantity):
        return not is_comparison(field) and range_of(field, space).whole
    return space is not None and field in space and isinstance(space[field], Int)


def _said(one: Conjunction) -> Conjunction:
    bounds = [atom for atom in one if _is_bound(atom)]
    others = [atom for atom in one if not _is_bound(atom)]
    return Conjunction([*others, *(_bound(atom, alone=len(bounds) == 1) for atom in bounds)])


def _is_bound(atom: Atom) -> bool:
    """Whether the constant has exact neighbours: a float beyond these would become a long row of digits."""
    if atom.op not in ORDERINGS or kind(atom.value) != "number":
        return False
    return isinstance(atom.value, int) or abs(atom.value) < 2**53


def _bound(atom: Atom, *, alone: bool) -> Atom:
    """``alone``: not one of the two ends of a range."""
    way, strict = atom.op[0], len(atom.op) == 1
    step = 1 if way == ">" else -1
    near = math.floor(atom.value) if way == ">" else math.ceil(atom.value)
    last = near if not strict and near == atom.value else near + step
    beyond = last - step
    gain = digits(last) - digits(beyond)
    if alone:
        excluded = gain > 0 or (gain == 0 and strict and beyond == atom.value)
    else:
        excluded = gain > 0 and digits(beyond) <= ROUND
    return Atom(atom.field, way, beyond) if excluded else Atom(atom.field, f"{way}=", last)
