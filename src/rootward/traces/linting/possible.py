"""Whether a conjunction can hold at all.

Data: only the order of the values and their distance to the constants matter, so few candidates are enough. Whatever
lies between two neighbouring constants can be moved down, in its order, to the values that follow the lower one
directly: ``c + 1``, ``c + 2``, ... for numbers, and for texts the same text with NUL characters behind it. Trying
these candidates decides every conjunction, up to a number of steps beyond which it is taken to be possible.

Clocks: they are compared with constants only, so each has an interval. Time is dense: between two instants is a third.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rootward.traces.guard import Atom, Bound, Const, Guard, Param, Term, Test, Value, Var, compare

Domain = frozenset[Value] | type[int] | type[str]
"""What a variable or parameter can be: one of a few values, any number, any text."""
STEPS = 20_000
"""Tries after which a conjunction is taken to be possible."""
FEW = 12
"""More terms that depend on each other than this are not tried out."""


def possible(conjunction: Iterable[Atom], domains: Mapping[Term, Domain] | None = None) -> bool:
    """False only if it can never hold. Exact for all conjunctions of ordinary size."""
    atoms = tuple(conjunction)
    tests = [atom for atom in atoms if isinstance(atom, Test)]
    return _in_time([atom for atom in atoms if isinstance(atom, Bound)]) and _Search(tests, domains or {}).succeeds()


def ever(guard: Guard, domains: Mapping[Term, Domain] | None = None) -> bool:
    """Whether a guard can hold."""
    return any(possible(conjunction, domains) for conjunction in guard)


def _in_time(bounds: list[Bound]) -> bool:
    """Whether each clock has an instant left. None shows less than nothing."""
    low: dict[str, int] = {}
    high: dict[str, int] = {}
    for one in bounds:  # at twice the scale: a strict limit lies half a step beyond the other kind
        if one.op in (">", ">="):
            low[one.clock] = max(low.get(one.clock, 0), 2 * one.limit + (one.op == ">"))
        else:
            limit = 2 * one.limit - (one.op == "<")
            high[one.clock] = min(high.get(one.clock, limit), limit)
    return all(low.get(clock, 0) <= limit for clock, limit in high.items())


class _Search:
    """Values for all terms of some tests."""

    def __init__(self, tests: list[Test], domains: Mapping[Term, Domain]) -> None:
        self.steps = STEPS
        sizes = [len(_terms(test)) for test in tests]
        self.ground, self.alone, self.pairs = (
            [test for test, size in zip(tests, sizes, strict=True) if size == wanted] for wanted in range(3)
        )
        terms = dict.fromkeys(term for test in tests for term in _terms(test))
        near = _near(tests, domains, len(terms))
        self.left = {term: self._fitting(term, near, domains.get(term)) for term in terms}

    def _fitting(self, term: Term, near: list[Value], domain: Domain | None) -> list[Value]:
        """The candidates that no test of this term alone rules out."""
        if isinstance(domain, frozenset):
            near = list(domain)
        elif domain is not None:
            near = [value for value in near if isinstance(value, domain)]
        tests = [test for test in self.alone if term in _terms(test)]
        return [value for value in near if all(_holds(test, {term: value}) for test in tests)]

    def succeeds(self) -> bool:
        if not all(_holds(test, {}) for test in self.ground) or not all(self.left.values()):
            return False
        tied = dict.fromkeys(term for test in self.pairs for term in _terms(test))
        return len(tied) > FEW or self._try(sorted(tied, key=lambda term: len(self.left[term])), {})

    def _try(self, terms: list[Term], chosen: dict[Term, Value]) -> bool:
        """Give the first of the terms a value, then the others."""
        if not terms or self.steps <= 0:
            return True
        term, *others = terms
        known = chosen.keys() | {term}
        tests = [test for test in self.pairs if term in _terms(test) <= known]
        for value in self.left[term]:
            self.steps -= 1
            now = {**chosen, term: value}
            if all(_holds(test, now) for test in tests) and self._try(others, now):
                return True
        return False


def _near(tests: list[Test], domains: Mapping[Term, Domain], count: int) -> list[Value]:
    """Every value that has to be tried: the constants, and as many beside each as there are terms."""
    values: set[Value] = {0, ""}
    for test in tests:
        for side in (test.left, test.right):
            if isinstance(side, Const):
                values.add(side.value)
            elif isinstance(side, tuple):
                values.update(side)
            elif isinstance(domain := domains.get(side), frozenset):
                values.update(domain)
    numbers = {v + step for v in values if isinstance(v, int) for step in range(-count, count + 1)}
    texts = {v + "\0" * step for v in values if isinstance(v, str) for step in range(count + 1)}
    return [*sorted(numbers), *sorted(texts)]


def _terms(test: Test) -> set[Term]:
    """What has to be given a value. A term that is compared with itself counts once."""
    return {side for side in (test.left, test.right) if isinstance(side, Var | Param)}


def _holds(test: Test, chosen: Mapping[Term, Value]) -> bool:
    right = test.right if isinstance(test.right, tuple) else _value(test.right, chosen)
    return compare(_value(test.left, chosen), test.op, right)


def _value(term: Term, chosen: Mapping[Term, Value]) -> Value:
    return term.value if isinstance(term, Const) else chosen[term]
