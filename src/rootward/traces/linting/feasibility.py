"""Whether a condition can hold at all, which values a variable can hold, and what edges do one after another.

Data: only the order of the values and their distance to the constants matter, so few candidates are enough. Whatever
lies between two neighbouring constants can be moved down, in its order, to the values that follow the lower one
directly: ``c + 1``, ``c + 2``, ... for numbers, and for texts the same text with NUL characters behind it. Trying
these candidates decides every conjunction, up to a number of steps beyond which it is taken to be possible.

Clocks: they are compared with constants only, so each has an interval. Time is dense: between two instants is a third.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from rootward.traces.model.guard import Atom, Bound, Const, Guard, Param, Term, Test, Value, Var, compare
from rootward.traces.model.model import Edge, Model, Unknown

Domain = frozenset[Value] | type[int] | type[str]
"""What a variable or parameter can be: one of a few values, any number, any text."""
Source = frozenset[Value] | str | None
"""Some values, the name of another variable, or anything."""
STEPS = 20_000
"""Tries after which a conjunction is taken to be possible."""
FEW = 12
"""More terms that depend on each other than this are not tried out."""


def possible(conjunction: Iterable[Atom], domains: Mapping[Term, Domain] | None = None) -> bool:
    """False only if it can never hold. Exact for all conjunctions of ordinary size."""
    atoms = tuple(conjunction)
    tests = [atom for atom in atoms if isinstance(atom, Test)]
    return _in_time([atom for atom in atoms if isinstance(atom, Bound)]) and _Search(tests, domains or {}).succeeds()


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


# The values that a variable can ever hold: the one it has at first, and whatever some edge writes to it


def held(model: Model) -> dict[Term, Domain]:
    """The values of each variable of which all are known."""
    sources = _written(model)
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


def _written(model: Model) -> dict[str, set[Source]]:
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
                    source = _named(edge, term)
            sources.setdefault(name, set()).add(source)
    return {name: sources.get(name, set()) for name in model.variables}


def _named(edge: Edge, param: Param) -> frozenset[Value] | None:
    """The values that the guard of an edge leaves to a parameter, if it lists them in every case."""
    found: set[Value] = set()
    for conjunction in edge.when:
        lists = [_listed(atom, param) for atom in conjunction if isinstance(atom, Test)]
        listed = next((values for values in lists if values is not None), None)
        if listed is None:
            return None
        found |= listed
    return frozenset(found)


def _listed(test: Test, param: Param) -> set[Value] | None:
    if test.left == param and test.op == "in" and isinstance(test.right, tuple):
        return set(test.right)
    if test.op == "=" and param in (test.left, test.right):
        other = test.right if test.left == param else test.left
        return {other.value} if isinstance(other, Const) else None
    return None


@dataclass(frozen=True)
class Effect:
    """What edges do, one after another: each variable becomes a term of what was before, each clock is reset or not."""

    values: Mapping[str, Term] = field(default_factory=dict)
    reset: frozenset[str] = frozenset()

    def then(self, edge: Edge) -> Effect:
        """This, and then the edge, with no time in between."""
        written = {name: self.term(term) for name, term in edge.set.items()}
        return Effect({**self.values, **written}, self.reset | edge.reset)

    def term(self, term: Term) -> Term:
        """What a term of the state after is, before."""
        return self.values.get(term.name, term) if isinstance(term, Var) else term

    def before(self, guard: Guard) -> Guard:
        """What has to hold before it so that the guard holds after it."""
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


def upper(guard: Guard) -> bool:
    """Whether it consists of upper bounds of clocks alone."""
    return all(isinstance(atom, Bound) and atom.op in ("<", "<=") for conjunction in guard for atom in conjunction)
