"""Claims: the language in which a proof says what holds between two steps.

A proof of a fault is a chain of conditions, one before each step. A *condition* is a set of cases, of which at least
one holds. A *case* is a set of claims, which all hold. A *claim* is about one thing: the location of a component
(`InLocation`), the value of a variable (`Test`), or the time between the last resets of two clocks, or between a reset
and a fixed instant (`ResetDistance`). Whatever a case does not mention may be anything, so fewer claims mean a weaker
case, and a weaker case applies to more situations. The condition without cases is false (`NEVER`); the one with the
empty case is true (`ALWAYS`).

Clocks appear only as the instants of their last resets, as in a state, so the passing of time alone changes no claim.
Conditions from different times are compared after moving one of them (`shift_condition`): what matters is how long ago
something happened, not when.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from functools import lru_cache
from typing import NamedTuple

from rootward.traces.model.guard import Bound, Const, Param, Term, Test, Value, Var, compare
from rootward.traces.running.engine import Engine
from rootward.traces.running.part import Move
from rootward.traces.running.state import SymbolicState, holds_in_all
from rootward.traces.running.zone import ORIGIN, Name, add_bounds, at_most, less_than


class InLocation(NamedTuple):
    """A component is in a location."""

    component: str
    location: str


class ResetDistance(NamedTuple):
    """The last reset of clock ``late`` is at most ``bound`` (encoded as in `zone`) after that of clock ``early``. None
    stands for instant 0."""

    late: str | None
    early: str | None
    bound: int

    def shift(self, span: int) -> ResetDistance:
        """Return the claim with everything moved later by a span."""
        if (self.late is None) == (self.early is None):
            return self
        return ResetDistance(
            self.late, self.early, add_bounds(self.bound, at_most(span if self.early is None else -span))
        )


Claim = InLocation | Test | ResetDistance
Case = frozenset[Claim]
Condition = frozenset[Case]
NEVER: Condition = frozenset()
ALWAYS: Condition = frozenset([frozenset()])


def bound_claim(atom: Bound, now: int) -> ResetDistance:
    """Return the claim that a bound of a clock makes at instant ``now``."""
    strict = less_than if atom.op in ("<", ">") else at_most
    if atom.op in ("<", "<="):
        return ResetDistance(None, atom.clock, strict(atom.limit - now))
    return ResetDistance(atom.clock, None, strict(now - atom.limit))


def test_claim(atom: Test, params: Mapping[str, Value]) -> Test:
    """Return a comparison with its parameters replaced by their values."""
    if not isinstance(atom.left, Param) and not isinstance(atom.right, Param):
        return atom
    return atom.with_terms(lambda term: _fill_param(term, params))


def evaluate_constants(claim: Test) -> bool | None:
    """Evaluate a comparison of constants; return None if it mentions anything else."""
    if not isinstance(claim.left, Const) or not isinstance(claim.right, tuple | Const):
        return None
    return compare(claim.left.value, claim.op, claim.right if isinstance(claim.right, tuple) else claim.right.value)


def _fill_param(term: Term, params: Mapping[str, Value]) -> Term:
    """Replace a parameter by its value."""
    return Const(params[term.name]) if isinstance(term, Param) else term


def state_implies(engine: Engine, state: SymbolicState, claim: Claim) -> bool:
    """Return whether a claim is true in all of a state."""
    if isinstance(claim, InLocation):
        k = engine.places[claim.component]
        return state.locations[k] == engine.parts[k].places[claim.location]
    if isinstance(claim, Test):
        return holds_in_all(engine.names, state, claim, {}, 0)
    return tightest_bound(engine, state, claim.late, claim.early) <= claim.bound


def tightest_bound(engine: Engine, state: SymbolicState, late: str | None, early: str | None) -> int:
    """Return the tightest bound of the difference between two resets in a state."""
    one, two, shift = find_dimensions(engine, state, late, early)
    if one == two:
        return at_most(shift)
    assert state.zone is not None
    return add_bounds(state.zone.bound(one, two), at_most(shift))


def find_dimensions(
    engine: Engine, state: SymbolicState, late: str | None, early: str | None
) -> tuple[Name, Name, int]:
    """Return the zone dimensions that stand for two resets, and the number to add to their difference."""
    found: list[Name] = []
    shift = 0
    for clock, sign in ((late, 1), (early, -1)):
        place = None if clock is None else engine.names.clocks[clock]
        moment = 0 if place is None else state.resets[place]
        shift += 0 if moment is None else sign * moment
        found.append(ORIGIN if moment is not None else place)
    return found[0], found[1], shift


def case_before(case: Case, moves: Sequence[Move], now: int) -> Case | None:
    """Return the case that must hold before moves so that the given case holds after them.

    The moves happen at instant ``now``. Their guards are not included. Returns None if the case cannot hold after them.
    """
    sets: dict[str, Term] = {}
    resets: set[str] = set()
    targets: dict[str, str] = {}
    for move in moves:
        edge = move.option.edge
        sets.update({name: _fill_param(term, move.params) for name, term in edge.set.items()})
        resets |= edge.reset
        targets[move.option.owner] = edge.target
    found: set[Claim] = set()
    for claim in case:
        if isinstance(claim, InLocation):
            new: Claim | bool = targets[claim.component] == claim.location if claim.component in targets else claim
        elif isinstance(claim, Test):
            new = _substitute_values(claim, sets)
        else:
            new = _substitute_resets(claim, resets, now)
        if new is False:
            return None
        if new is not True:
            found.add(new)
    return tidy(found)


def _substitute_values(claim: Test, sets: Mapping[str, Term]) -> Test | bool:
    """Put the values that moves set into a comparison; return True or False if that decides it."""
    new = claim.with_terms(lambda term: sets.get(term.name, term) if isinstance(term, Var) else term)
    known = evaluate_constants(new)
    return new if known is None else known


def _substitute_resets(claim: ResetDistance, resets: set[str], now: int) -> ResetDistance | bool:
    """Put instant ``now`` in place of the clocks that moves reset; return True or False if that decides the claim."""
    late, early, bound = claim.late, claim.early, claim.bound
    if late in resets:
        late, bound = None, add_bounds(bound, at_most(-now))
    if early in resets:
        early, bound = None, add_bounds(bound, at_most(now))
    return bound >= 1 if late is None and early is None else ResetDistance(late, early, bound)


def tidy(claims: Iterable[Claim]) -> Case:
    """Drop each bound between two resets if there is a tighter one between the same resets."""
    some = frozenset(claims)
    bounds = [claim for claim in some if type(claim) is ResetDistance]
    if len(bounds) < 2:
        return some
    least: dict[tuple[str | None, str | None], ResetDistance] = {}
    for claim in bounds:
        pair = claim.late, claim.early
        if pair not in least or claim.bound < least[pair].bound:
            least[pair] = claim
    return some if len(least) == len(bounds) else some.difference(bounds).union(least.values())


def includes(case: Case, other: Case) -> bool:
    """Return whether a case plainly makes every claim that another one makes."""
    return other <= case or tidy(case | other) == case


def make_condition(cases: Iterable[Case]) -> Condition:
    """Build a condition from cases.

    Drops a case if it makes all claims of another case and more.
    """
    some = set(cases)
    return frozenset(case for case in some if not any(other < case for other in some))


def find_mentioned(cases: Iterable[Case]) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Return the components, variables and clocks that the claims are about."""
    every = [_find_mentioned_in_case(case) for case in cases]
    if len(every) == 1:
        return every[0]
    components, variables, clocks = (frozenset[str]().union(*(one[i] for one in every)) for i in range(3))
    return components, variables, clocks


@lru_cache(maxsize=20_000)
def _find_mentioned_in_case(case: Case) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    components: set[str] = set()
    variables: set[str] = set()
    clocks: set[str] = set()
    for claim in case:
        if isinstance(claim, InLocation):
            components.add(claim.component)
        elif isinstance(claim, Test):
            variables |= {term.name for term in (claim.left, claim.right) if isinstance(term, Var)}
        else:
            clocks |= {clock for clock in (claim.late, claim.early) if clock is not None}
    return frozenset(components), frozenset(variables), frozenset(clocks)


def find_subjects(cases: Iterable[Case]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the components, and the variables and clocks together, that the claims are about."""
    components, variables, clocks = find_mentioned(cases)
    return components, variables | clocks


def is_about(claim: Claim, components: Set[str], names: Set[str]) -> bool:
    """Return whether a claim is about one of these components or names."""
    owners, others = find_subjects([frozenset([claim])])
    return not (components.isdisjoint(owners) and names.isdisjoint(others))


def shift_condition(some: Condition, span: int) -> Condition:
    """Return a condition with everything moved later by a span."""
    return frozenset(
        frozenset(one.shift(span) if isinstance(one, ResetDistance) else one for one in case) for case in some
    )
