"""Why a step is not allowed: a proof with conditions as weak as they can be found (sections 4 and 6).

The replay proves the fault, but its conditions say everything. From the last step backwards, only what is needed is
kept: what forbids the step, and before each earlier step what makes that true. A step that writes nothing of it leaves
the condition as it is. Where that is not simple, everything that the state says of the components in question is
claimed, and then given up piece by piece as long as the checker accepts it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import product

from rootward.traces.model.event import Event, Step, Wait
from rootward.traces.model.guard import Atom, Bound, Const, Test, Value, Var
from rootward.traces.proving.check import Checker
from rootward.traces.proving.claim import (
    NEVER,
    Apart,
    At,
    Case,
    Claim,
    Condition,
    apart,
    before,
    bound_claim,
    condition,
    implied,
    subjects,
    test_claim,
    tidy,
)
from rootward.traces.running.engine import Engine, States
from rootward.traces.running.part import Move, Option
from rootward.traces.running.replay import Witness
from rootward.traces.running.state import State
from rootward.traces.running.unknown_values import Symbol
from rootward.traces.running.zone import FREE


@dataclass(frozen=True)
class Proof:
    """The conditions before each step; the one after the last is false."""

    steps: tuple[Step, ...]
    conditions: tuple[Condition, ...]
    checked: bool
    """Whether the checker has accepted every step."""


class Prover:
    """Finds proofs about one model."""

    def __init__(self, engine: Engine) -> None:
        self.engine, self.checker = engine, Checker(engine.model)

    def prove(self, witness: Witness) -> Proof:
        """The weakest proof that is found for a fault."""
        goal, found = NEVER, []
        components, names = subjects(goal)
        checked = True
        for step, states in zip(reversed(witness.steps), reversed(witness.reached), strict=True):
            touched = not goal or self.engine.footprint(step).touches(components, names)
            if touched or not (_sole(states) or all(self._in(state, goal) for state in states)):
                cases = []
                for state in states:
                    case = self._case(state, step, goal)
                    if not self.checker.follows(frozenset([case]), step, goal):
                        case = self._all(state)
                        checked &= self.checker.follows(frozenset([case]), step, goal)
                    cases.append(case)
                goal = condition(cases)
                components, names = subjects(goal)
            found.append(goal)
        return Proof(witness.steps, tuple(reversed(found)), checked)

    def _in(self, state: State, goal: Condition) -> bool:
        return any(all(implied(self.engine, state, claim) for claim in case) for case in goal)

    def _case(self, state: State, step: Step, goal: Condition) -> Case:
        """What is enough for the goal after a step; some states cannot take it at all."""
        for one in dict.fromkeys((goal, NEVER)):
            if isinstance(step, Event):
                found = self._before_event(state, step, one)
            else:
                found = self._before_wait(state, step, one)
            if found is not None:
                return found
        return self._all(state)

    # Events

    def _before_event(self, state: State, event: Event, goal: Condition) -> Case | None:
        by_component = dict(self.checker.involved(event, goal))
        if not goal:
            alone = [self._led(state, {k: one}, event, goal) for k, one in by_component.items()]
            found = [case for case in alone if case is not None]
            return min(found, key=_size) if found else self._led(state, by_component, event, goal)
        if not by_component:
            return next((case for case in _ordered(goal) if self._in(state, frozenset([case]))), None)
        return self._led(state, by_component, event, goal)

    def _led(
        self, state: State, by_component: Mapping[int, Mapping[int, Sequence[Move]]], event: Event, goal: Condition
    ) -> Case | None:
        """What makes each joint move of some components impossible, or lead to the goal."""
        claims: set[Claim] = {self._at(state, k) for k in by_component}
        choices = [moves.get(state.locations[k], ()) for k, moves in by_component.items()]
        every = []
        for joint in product(*choices):
            atoms = [(atom, move.params) for move in joint for atom in move.option.when]
            ways = [set(case) for case in self._leading(state, joint, event.time, goal)]
            every.append([*ways, *({claim} for claim in self._false(state, atoms, event.time))])
        for ways in sorted(every, key=len):  # what there is one way for has to be claimed anyhow
            if not ways:
                return None
            claims |= min(ways, key=lambda way: len(way - claims))
        return self._fewer(tidy(claims), state, by_component, event, goal)

    def _false(self, state: State, atoms: Iterable[tuple[Atom, Mapping[str, Value]]], now: int) -> Iterator[Claim]:
        """Claims that are true of the state and say that one of the atoms is false."""
        for atom, params in atoms:
            claim = self._claim(atom.negated(), params, now)
            if implied(self.engine, state, claim):
                yield claim

    def _claim(self, atom: Atom, params: Mapping[str, Value], now: int) -> Claim:
        return test_claim(atom, params) if isinstance(atom, Test) else bound_claim(atom, now)

    def _leading(self, state: State, joint: Sequence[Move], now: int, goal: Condition) -> Iterator[Case]:
        for case in _ordered(goal):
            first = before(case, joint, now)
            if first is not None and all(implied(self.engine, state, claim) for claim in first):
                yield first

    def _at(self, state: State, k: int) -> At:
        name = self.engine.model.components[k].name
        return At(name, self.engine.location(state, name))

    def _fewer(self, case: Case, state: State, components: Iterable[int], event: Event, goal: Condition) -> Case:
        """Without locations that do not matter: from all others, each move is impossible or leads to the goal, too."""
        for k in components if goal else ():
            less = case - {self._at(state, k)}
            if self.checker.plainly(less, event, goal):
                case = less
        return case

    # Time

    def _before_wait(self, state: State, wait: Wait, goal: Condition) -> Case | None:
        if not goal:
            alone = [self._stuck(state, k, wait) for k in range(len(state.locations))]
            found = [case for case in alone if case is not None]
            return min(found, key=_size) if found else self._drifted(state, wait, goal)
        for case in _ordered(goal):
            if all(implied(self.engine, state, claim) for claim in case):
                calm = self._calm(state, case, wait)
                if calm is not None:
                    return calm
        return self._drifted(state, wait, goal)

    def _stuck(self, state: State, k: int, wait: Wait) -> Case | None:
        """What keeps a component from staying until the end, and from leaving before."""
        i = state.locations[k]
        claims: set[Claim] = {self._at(state, k)}
        for when in self.engine.parts[k].stays[i]:
            false = list(self._false(state, [(atom, {}) for atom in when], wait.end))
            if not false:
                return None
            claims.add(false[0])
        for option in self.engine.parts[k].drifts[i]:
            barred = self._barred(state, option, wait)
            if barred is None:
                return None
            claims.add(barred)
        return tidy(claims)

    def _barred(self, state: State, option: Option, wait: Wait) -> Claim | None:
        """Why an edge of time cannot be taken, if nothing else happens."""
        for atom in option.when:
            claim = self._claim(atom.negated(), {}, atom.likeliest(*wait) if isinstance(atom, Bound) else wait.end)
            if implied(self.engine, state, claim):
                return claim
        return None

    def _calm(self, state: State, case: Case, wait: Wait) -> Case | None:
        """What keeps a case true while time passes: no edge of time that would change it can be taken."""
        claims = case
        while True:
            components, names = subjects(frozenset([claims]))
            more: set[Claim] = set()
            for k, part in self.engine.drifting:
                options = part.all_drifts
                if part.component.name not in components:
                    options = [o for o in options if o.edge.written & names]
                if options and len(part.places) > 1:
                    more.add(self._at(state, k))
                for option in options:
                    if option.source == state.locations[k]:
                        barred = self._barred(state, option, wait)
                        if barred is None:
                            return None
                        more.add(barred)
            larger = tidy(claims | more)
            if len(larger) == len(claims):
                return larger
            claims = larger

    def _drifted(self, state: State, wait: Wait, goal: Condition) -> Case | None:
        """What is claimed of all that may drift, given up piece by piece."""
        whole = self._all(state)
        awake = [k for k, part in enumerate(self.engine.parts) if not part.quiet[state.locations[k]]]
        for wanted in [goal] if goal else [frozenset([frozenset([self._at(state, k)])]) for k in awake]:
            components, names = self.checker.concerned(wanted, wait)
            case = frozenset(claim for claim in whole if _within(claim, components, names))
            if self.checker.follows(frozenset([case]), wait, goal):
                return self._less(case, wait, goal)
        return None

    def _less(self, case: Case, wait: Wait, goal: Condition) -> Case:
        """A case without claims, or with weaker ones, as long as that is enough."""
        for claim in sorted(case, key=repr):
            for weaker in [None, *self._weaker(claim, wait)]:
                less = tidy((case - {claim}) | ({weaker} if weaker is not None else set()))
                if self.checker.follows(frozenset([less]), wait, goal):
                    case = less
                    break
        return case

    def _weaker(self, claim: Claim, wait: Wait) -> list[Apart]:
        """The same with the bounds that the model knows, the weakest first."""
        if not isinstance(claim, Apart) or (claim.late is not None and claim.early is not None):
            return []
        clock = claim.late or claim.early
        limits = {
            bound_claim(one, now)
            for atom in self.engine.bounds
            if atom.clock == clock
            for now in wait
            for one in (atom, atom.negated())
        }
        return sorted(
            (one for one in limits if (one.late, one.early) == (claim.late, claim.early) and one.bound > claim.bound),
            key=lambda one: -one.bound,
        )

    def _all(self, state: State) -> Case:
        """Everything that a state says."""
        claims: set[Claim] = {self._at(state, k) for k in range(len(state.locations))}
        for name, place in self.engine.names.variables.items():
            datum = state.data[place]
            if not isinstance(datum, Symbol):
                claims.add(Test(Var(name), "=", Const(datum)))
        claims |= set(self._relations(state))
        dims: list[str | None] = [None, *self.engine.names.clocks]
        places = self.engine.names.clocks
        for late, early in product(dims, dims):
            exact = [name for name in (late, early) if name is not None and state.resets[places[name]] is not None]
            if late != early and (not exact or None in (late, early)):
                bound = apart(self.engine, state, late, early)
                if bound < FREE:
                    claims.add(Apart(late, early, bound))
        return frozenset(claims)

    def _relations(self, state: State) -> Iterator[Claim]:
        """What is known of values that are not known."""
        holders: dict[Symbol, list[str]] = {}
        for name, place in self.engine.names.variables.items():
            datum = state.data[place]
            if isinstance(datum, Symbol):
                holders.setdefault(datum, []).append(name)
        for some in holders.values():
            yield from (Test(Var(some[0]), "=", Var(other)) for other in some[1:])
        for left, op, right in state.facts:
            if left in holders and (not isinstance(right, Symbol) or right in holders):
                other = Var(holders[right][0]) if isinstance(right, Symbol) else Const(right)
                yield Test(Var(holders[left][0]), op, other)


def _sole(states: States) -> bool:
    """Whether there is one plain state: what a step leaves alone is then the same before it and after it."""
    return len(states) == 1 and states[0].zone is None and not states[0].facts


def _within(claim: Claim, components: Set[str], names: Set[str]) -> bool:
    """Whether a claim is about these only."""
    owners, about = subjects([frozenset([claim])])
    return owners <= components and about <= names


def _ordered(goal: Condition) -> Iterable[Case]:
    return sorted(goal, key=_size) if len(goal) > 1 else goal


def _size(case: Case) -> tuple[int, str]:
    """Short ones first; of these, always the same one."""
    return len(case), str(sorted(map(repr, case)))
