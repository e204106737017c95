"""Unknown values: what a variable holds if the model does not say how it begins.

A recording often starts in the middle of things, so a model may leave the first value of a variable open. That value is
a `Symbol`. So is a value that only the right answer would have shown, after a wrong one. When a guard compares it, the
engine follows both outcomes and notes on each what the comparison says: a fact such as ``(first session, "<", 3)``,
which compares a symbol with a constant or with another symbol. A state whose facts contradict each other is impossible
and is dropped (`is_satisfiable`).

Values are whole numbers or texts. A number never equals a text, and texts have no order. There are infinitely many of
both, so any number of ``!=`` facts alone leaves some value. Facts are therefore checked in three steps: equalities are
substituted; a symbol that is ordered against a text is a contradiction; the other ordered symbols must be numbers and
become dimensions of a zone. Where that zone still allows a forbidden equality, both ways to avoid it are tried.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from rootward.traces.model.guard import MIRROR, OPPOSITE, Value, compare
from rootward.traces.running.zone import ORIGIN, Zone, at_most


@dataclass(frozen=True, order=True)
class Symbol:
    """The unknown value that a variable held at the beginning, or got later."""

    name: str

    def __str__(self) -> str:
        return f"the first {self.name}"


Datum = Value | Symbol
Fact = tuple[Symbol, str, Datum]
Facts = frozenset[Fact]


def make_fact(left: Datum, op: str, right: Datum) -> Fact | bool:
    """Compare two values and return True or False.

    If the comparison is not decided, return it as a fact.
    """
    if not isinstance(left, Symbol):
        if not isinstance(right, Symbol):
            return compare(left, op, right)
        left, op, right = right, MIRROR[op], left
    if isinstance(right, Symbol):
        if left == right and op not in ("<=", ">="):  # <= and >= hold only if it is a number
            return op == "="
        if right < left:
            left, op, right = right, MIRROR[op], left
    return (left, op, right)


@lru_cache(maxsize=100_000)
def is_satisfiable(facts: Facts) -> bool:
    """Return whether some values satisfy all facts."""
    for one in sorted(facts, key=repr):
        left, op, right = one
        if op == "=":
            return substitute(facts - {one}, left, right) is not None
    ordered = {s for left, op, right in facts if op != "!=" for s in (left, right) if isinstance(s, Symbol)}
    if any(op != "!=" and isinstance(right, str) for _, op, right in facts):
        return False
    return _has_numbers(frozenset(facts), frozenset(ordered))


def substitute(facts: Facts, symbol: Symbol, value: Datum) -> Facts | None:
    """Substitute a value for a symbol in all facts; return None if they contradict each other then."""
    found = set()
    for left, op, right in facts:
        new = make_fact(value if left == symbol else left, op, value if right == symbol else right)
        if new is False:
            return None
        if new is not True:
            found.add(new)
    result: Facts = frozenset(found)
    return result if is_satisfiable(result) else None


def _has_numbers(facts: Facts, ordered: frozenset[Symbol]) -> bool:
    """Return whether some whole numbers for the ordered symbols satisfy the facts.

    If needed, a ``!=`` between them is tried as ``<`` and as ``>``.
    """
    zone = Zone()
    for symbol in sorted(ordered):
        zone = zone.with_name(symbol)
    for left, op, right in facts:
        if op == "!=":
            continue
        name, shift = (right, 0) if isinstance(right, Symbol) else (ORIGIN, int(right))
        strict = 1 if op in ("<", ">") else 0
        limit = at_most(shift - strict) if op in ("<", "<=") else at_most(-shift - strict)
        bounded = zone.restrict(left, name, limit) if op in ("<", "<=") else zone.restrict(name, left, limit)
        if bounded is None:
            return False
        zone = bounded
    for one in sorted(facts, key=repr):
        left, op, right = one
        if op == "!=" and left in ordered and (right in ordered or isinstance(right, int)):
            name, shift = (right, 0) if isinstance(right, Symbol) else (ORIGIN, int(right))
            if zone.restrict(left, name, at_most(shift)) and zone.restrict(name, left, at_most(-shift)):
                return any(_has_numbers(facts - {one} | {(left, sign, right)}, ordered) for sign in ("<", ">"))
    return True


def negate_fact(one: Fact) -> Fact:
    """Return the fact with the opposite comparison."""
    return (one[0], OPPOSITE[one[1]], one[2])
