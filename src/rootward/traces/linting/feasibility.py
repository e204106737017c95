"""Decide whether a condition can hold, which values a variable can have, and what a sequence of edges does.

Data: comparisons depend only on the order of the values, so a few candidate values are enough. Values between two
neighbouring constants can be moved down, keeping their order, to those that directly follow the lower constant:
``c + 1``, ``c + 2``, ... for numbers; for texts, the same text followed by NUL characters. Trying these candidates
decides every conjunction. The search stops after a number of steps and then assumes that the conjunction is possible.

Clocks: they are compared only with constants, so each has an interval of possible values. Time is dense: between two
instants there is always a third.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from rootward.traces.model.guard import Atom, Bound, Const, Guard, Param, Term, Test, Value, Var, compare
from rootward.traces.model.model import Edge, Model, Unknown

Domain = frozenset[Value] | type[int] | type[str]
"""The possible values of a variable or parameter: a set of values, any number, or any text."""
Source = frozenset[Value] | str | None
"""The source of a variable's value: a set of values, the variable with this name, or (None) anything."""
MAX_STEPS = 20_000
"""Maximum number of tries; a conjunction that is still undecided then is assumed to be possible."""
MAX_TIED_TERMS = 12
"""Maximum number of terms compared with each other; a conjunction with more is assumed to be possible."""


def is_possible(conjunction: Iterable[Atom], domains: Mapping[Term, Domain] | None = None) -> bool:
    """Return True if the conjunction can hold, or if that is not known.

    False means that it can never hold. For conjunctions of ordinary size, the result is exact.
    """
    atoms = tuple(conjunction)
    tests = [atom for atom in atoms if isinstance(atom, Test)]
    return (
        _clocks_fit([atom for atom in atoms if isinstance(atom, Bound)])
        and _ValueSearch(tests, domains or {}).succeeds()
    )


def _clocks_fit(bounds: list[Bound]) -> bool:
    """Return True if each clock can have a value within its bounds. Clocks are never negative."""
    low: dict[str, int] = {}
    high: dict[str, int] = {}
    for one in bounds:  # at twice the scale, so that a strict limit can lie half a step beyond a non-strict one
        if one.op in (">", ">="):
            low[one.clock] = max(low.get(one.clock, 0), 2 * one.limit + (one.op == ">"))
        else:
            limit = 2 * one.limit - (one.op == "<")
            high[one.clock] = min(high.get(one.clock, limit), limit)
    return all(low.get(clock, 0) <= limit for clock, limit in high.items())


class _ValueSearch:
    """A search for values of all terms that satisfy some tests."""

    def __init__(self, tests: list[Test], domains: Mapping[Term, Domain]) -> None:
        self.steps = MAX_STEPS
        sizes = [len(_terms(test)) for test in tests]
        self.ground, self.alone, self.pairs = (
            [test for test, size in zip(tests, sizes, strict=True) if size == wanted] for wanted in range(3)
        )
        terms = dict.fromkeys(term for test in tests for term in _terms(test))
        near = _candidate_values(tests, domains, len(terms))
        self.left = {term: self._filter_candidates(term, near, domains.get(term)) for term in terms}

    def _filter_candidates(self, term: Term, near: list[Value], domain: Domain | None) -> list[Value]:
        """Return the candidate values of a term that satisfy every test that involves no other term."""
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
        return len(tied) > MAX_TIED_TERMS or self._try(sorted(tied, key=lambda term: len(self.left[term])), {})

    def _try(self, terms: list[Term], chosen: dict[Term, Value]) -> bool:
        """Choose values for the terms, one term after another. Return True if all tests can hold."""
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


def _candidate_values(tests: list[Test], domains: Mapping[Term, Domain], count: int) -> list[Value]:
    """Return all values to try: the constants and their neighbours.

    For each constant, these are the next ``count`` values; for a number, also the previous ``count`` values.
    """
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
    """Return the variables and parameters of a test. A term that is compared with itself counts once."""
    return {side for side in (test.left, test.right) if isinstance(side, Var | Param)}


def _holds(test: Test, chosen: Mapping[Term, Value]) -> bool:
    right = test.right if isinstance(test.right, tuple) else _value(test.right, chosen)
    return compare(_value(test.left, chosen), test.op, right)


def _value(term: Term, chosen: Mapping[Term, Value]) -> Value:
    return term.value if isinstance(term, Const) else chosen[term]


# The values that a variable can ever have: its initial value, and all that edges write to it


def possible_values(model: Model) -> dict[Term, Domain]:
    """Return the possible values of each variable. Variables whose possible values are not all known are left out."""
    sources = _find_sources(model)
    known: dict[str, set[Value]] = {name: set() for name in model.variables}
    open_ended = {name for name, value in model.variables.items() if isinstance(value, Unknown)}
    changed = True
    while changed:
        changed = False
        for name in model.variables:
            before = len(known[name]), name in open_ended
            for source in sources[name]:
                if source is None or (isinstance(source, str) and (source in open_ended or source not in known)):
                    open_ended.add(name)
                else:
                    known[name] |= known[source] if isinstance(source, str) else source
            changed |= before != (len(known[name]), name in open_ended)
    return {Var(name): frozenset(values) for name, values in known.items() if name not in open_ended}


def _find_sources(model: Model) -> dict[str, set[Source]]:
    sources: dict[str, set[Source]] = {
        name: {frozenset({value})} for name, value in model.variables.items() if not isinstance(value, Unknown)
    }
    for edge in (edge for component in model.components for edge in component.edges):
        for name, term in edge.set.items():
            match term:
                case Const(value):
                    source: Source = frozenset({value})
                case Var(other):
                    source = other
                case Param():
                    source = _values_allowed(edge, term)
            sources.setdefault(name, set()).add(source)
    return {name: sources.get(name, set()) for name in model.variables}


def _values_allowed(edge: Edge, param: Param) -> frozenset[Value] | None:
    """Return the values that the guard of an edge allows for a parameter.

    Returns None unless every alternative of the guard lists them.
    """
    found: set[Value] = set()
    for conjunction in edge.when:
        lists = [_values_of_test(atom, param) for atom in conjunction if isinstance(atom, Test)]
        listed = next((values for values in lists if values is not None), None)
        if listed is None:
            return None
        found |= listed
    return frozenset(found)


def _values_of_test(test: Test, param: Param) -> set[Value] | None:
    if test.left == param and test.op == "in" and isinstance(test.right, tuple):
        return set(test.right)
    if test.op == "=" and param in (test.left, test.right):
        other = test.right if test.left == param else test.left
        return {other.value} if isinstance(other, Const) else None
    return None


@dataclass(frozen=True)
class Effect:
    """The effect of a sequence of edges.

    It consists of the new value of each variable, in terms of the state before the edges, and of the clocks that are
    reset.
    """

    values: Mapping[str, Term] = field(default_factory=dict)
    reset: frozenset[str] = frozenset()

    def then(self, edge: Edge) -> Effect:
        """Return the effect of these edges followed by ``edge``, if no time passes in between."""
        written = {name: self.term(term) for name, term in edge.set.items()}
        return Effect({**self.values, **written}, self.reset | edge.reset)

    def term(self, term: Term) -> Term:
        """Translate a term of the state after the edges to a term of the state before them."""
        return self.values.get(term.name, term) if isinstance(term, Var) else term

    def before(self, guard: Guard) -> Guard:
        """Return the weakest condition before the edges under which the guard holds after them."""
        return tuple(one for one in map(self._conjunction, guard) if one is not None)

    def _conjunction(self, atoms: Iterable[Atom]) -> tuple[Atom, ...] | None:
        kept: list[Atom] = []
        for atom in atoms:
            if isinstance(atom, Test):
                atom = atom.with_terms(self.term)
                if not isinstance(atom.left, Const) or not isinstance(atom.right, Const | tuple):
                    kept.append(atom)
                elif not compare(atom.left.value, atom.op, _plain(atom.right)):
                    return None
            elif atom.clock not in self.reset:
                kept.append(atom)
            elif not compare(0, atom.op, atom.limit):
                return None
        return tuple(kept)


def _plain(side: Const | tuple[int | str, ...]) -> int | str | tuple[int | str, ...]:
    return side.value if isinstance(side, Const) else side


def is_upper_bound(guard: Guard) -> bool:
    """Return True if the guard consists only of upper bounds of clocks."""
    return all(isinstance(atom, Bound) and atom.op in ("<", "<=") for conjunction in guard for atom in conjunction)
