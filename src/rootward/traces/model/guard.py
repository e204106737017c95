"""Guards: conditions of a model that compare variables, parameters of the event, clocks and constants.

A guard is in disjunctive form: a tuple of conjunctions, each a tuple of atoms. An atom compares data (`Test`) or a
clock with a constant (`Bound`), never both. A guard has no negation: the atoms are negated instead.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product

Value = int | str
"""The value of a variable. A number never equals a text."""


@dataclass(frozen=True)
class Const:
    value: Value

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True)
class Var:
    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Param:
    """A part of an event, by the name that the pattern gives it."""

    name: str

    def __str__(self) -> str:
        return f"${self.name}"


Term = Const | Var | Param

ORDER = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
MIRROR = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
"""The same comparison with its sides exchanged."""
OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", "<=": ">", ">": "<=", "in": "not in", "not in": "in"}


@dataclass(frozen=True)
class Test:
    """A comparison of data. ``in`` and ``not in`` have a tuple of values on the right."""

    left: Term
    op: str
    right: Term | tuple[Value, ...]

    def negate(self) -> Test:
        return self._opposite

    @cached_property
    def _opposite(self) -> Test:
        return Test(self.left, OPPOSITE[self.op], self.right)

    def with_terms(self, change: Callable[[Term], Term]) -> Test:
        """Return the same comparison with each term replaced by ``change(term)``."""
        return Test(change(self.left), self.op, self.right if isinstance(self.right, tuple) else change(self.right))

    def __str__(self) -> str:
        right = "[" + ", ".join(map(str, self.right)) + "]" if isinstance(self.right, tuple) else str(self.right)
        return f"{self.left} {self.op} {right}"


@dataclass(frozen=True)
class Bound:
    """A comparison of a clock with a constant, in microseconds. ``=`` and ``!=`` are expressed by two of these."""

    clock: str
    op: str
    """One of ``<``, ``<=``, ``>``, ``>=``."""
    limit: int

    def best_instant(self, start: int, end: int) -> int:
        """Return ``start`` or ``end``, whichever suits the bound better.

        If the bound holds at any instant of the span, it holds at the one returned.
        """
        return end if self.op in (">", ">=") else start

    def negate(self) -> Bound:
        return self._opposite

    @cached_property
    def _opposite(self) -> Bound:
        return Bound(self.clock, OPPOSITE[self.op], self.limit)

    def __str__(self) -> str:
        return f"{self.clock} {self.op} {format_duration(self.limit)}"


Atom = Test | Bound
Conjunction = tuple[Atom, ...]
Guard = tuple[Conjunction, ...]
TRUE: Guard = ((),)
FALSE: Guard = ()


def all_of(guards: Iterable[Guard]) -> Guard:
    return tuple(dict.fromkeys(tuple(dict.fromkeys(a for part in parts for a in part)) for parts in product(*guards)))


def any_of(guards: Iterable[Guard]) -> Guard:
    return tuple(dict.fromkeys(one for guard in guards for one in guard))


def none_of(guard: Guard) -> Guard:
    """Negate a guard."""
    return all_of(tuple((atom.negate(),) for atom in conjunction) for conjunction in guard)


def compare(left: Value, op: str, right: Value | tuple[Value, ...]) -> bool:
    """Evaluate a comparison. A number never equals a text, and only numbers are ordered."""
    if isinstance(right, tuple):
        inside = left in right and any(type(left) is type(one) and left == one for one in right)
        return inside == (op == "in")
    if op in ("=", "!="):
        return (type(left) is type(right) and left == right) == (op == "=")
    if isinstance(left, str) or isinstance(right, str):
        return False
    return bool(ORDER[op](left, right))


def with_terms(guard: Guard, change: Callable[[Term], Term]) -> Guard:
    """Return the guard with each term of its tests replaced by ``change(term)``."""
    return tuple(tuple(a.with_terms(change) if isinstance(a, Test) else a for a in when) for when in guard)


def bounds(*guards: Guard) -> Iterator[Bound]:
    """Yield all comparisons of clocks in some guards."""
    return (atom for guard in guards for when in guard for atom in when if isinstance(atom, Bound))


def names(guard: Guard) -> tuple[set[str], set[str], set[str]]:
    """Return the variables, the parameters and the clocks that a guard mentions."""
    variables: set[str] = set()
    params: set[str] = set()
    clocks: set[str] = set()
    for atom in (atom for conjunction in guard for atom in conjunction):
        if isinstance(atom, Bound):
            clocks.add(atom.clock)
        else:
            for term in (atom.left, atom.right):
                if isinstance(term, Var):
                    variables.add(term.name)
                elif isinstance(term, Param):
                    params.add(term.name)
    return variables, params, clocks


def format_guard(guard: Guard) -> str:
    """Format a guard as people write it."""
    if guard == FALSE:
        return "never"
    if () in guard:
        return "always"
    parts = [" and ".join(map(str, conjunction)) for conjunction in guard]
    return parts[0] if len(parts) == 1 else " or ".join(f"({part})" if " and " in part else part for part in parts)


UNITS: Mapping[str, int] = {"us": 1, "µs": 1, "ms": 1000, "s": 1_000_000, "min": 60_000_000, "h": 3_600_000_000}


def format_duration(microseconds: int) -> str:
    """Format a span of time as people write it."""
    for unit in ("s", "ms"):
        if abs(microseconds) >= UNITS[unit]:
            return f"{microseconds / UNITS[unit]:.6g} {unit}"
    return f"{microseconds} µs"
