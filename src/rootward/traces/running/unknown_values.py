"""Values that are not known: what a variable held at the beginning, and what comparisons have told of it since.

A fact compares an unknown value with a constant or another unknown value. Numbers and texts are never equal and in no
order; there are always more of both, so an inequality alone excludes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from rootward.traces.model.guard import MIRROR, OPPOSITE, Value, compare
from rootward.traces.running.zone import ORIGIN, Zone, at_most


@dataclass(frozen=True, order=True)
class Symbol:
    """What a variable held at the beginning."""

    name: str

    def __str__(self) -> str:
        return f"the first {self.name}"


Datum = Value | Symbol
Fact = tuple[Symbol, str, Datum]
Facts = frozenset[Fact]


def fact(left: Datum, op: str, right: Datum) -> Fact | bool:
    """What a comparison says: true, false, or a fact."""
    if not isinstance(left, Symbol):
        if not isinstance(right, Symbol):
            return compare(left, op, right)
        left, op, right = right, MIRROR[op], left
    if isinstance(right, Symbol):
        if left == right and op not in ("<=", ">="):  # these are true of numbers only
            return op == "="
        if right < left:
            left, op, right = right, MIRROR[op], left
    return (left, op, right)


@lru_cache(maxsize=100_000)
def possible(facts: Facts) -> bool:
    """Whether some values fulfil all facts."""
    for one in sorted(facts, key=repr):
        left, op, right = one
        if op == "=":
            return replaced(facts - {one}, left, right) is not None
    ordered = {s for left, op, right in facts if op != "!=" for s in (left, right) if isinstance(s, Symbol)}
    if any(op != "!=" and isinstance(right, str) for _, op, right in facts):
        return False
    return _numbers(frozenset(facts), frozenset(ordered))


def replaced(facts: Facts, symbol: Symbol, value: Datum) -> Facts | None:
    """The facts if a value becomes known; None if that cannot be."""
    found = set()
    for left, op, right in facts:
        new = fact(value if left == symbol else left, op, value if right == symbol else right)
        if new is False:
            return None
        if new is not True:
            found.add(new)
    result: Facts = frozenset(found)
    return result if possible(result) else None


def _numbers(facts: Facts, ordered: frozenset[Symbol]) -> bool:
    """Whether there are whole numbers for what is in order; an inequality among them has two ways to be true."""
    zone = Zone()
    for symbol in sorted(ordered):
        zone = zone.with_name(symbol)
    for left, op, right in facts:
        if op == "!=":
            continue
        name, shift = (right, 0) if isinstance(right, Symbol) else (ORIGIN, int(right))
        strict = 1 if op in ("<", ">") else 0
        limit = at_most(shift - strict) if op in ("<", "<=") else at_most(-shift - strict)
        bounded = zone.bounded(left, name, limit) if op in ("<", "<=") else zone.bounded(name, left, limit)
        if bounded is None:
            return False
        zone = bounded
    for one in sorted(facts, key=repr):
        left, op, right = one
        if op == "!=" and left in ordered and (right in ordered or isinstance(right, int)):
            name, shift = (right, 0) if isinstance(right, Symbol) else (ORIGIN, int(right))
            if zone.bounded(left, name, at_most(shift)) and zone.bounded(name, left, at_most(-shift)):
                return any(_numbers(facts - {one} | {(left, sign, right)}, ordered) for sign in ("<", ">"))
    return True


def opposite(one: Fact) -> Fact:
    return (one[0], OPPOSITE[one[1]], one[2])
