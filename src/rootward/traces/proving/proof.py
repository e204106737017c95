"""Proofs: why a step is not allowed, with conditions as weak as can be found (sections 4 and 6).

The replay already proves the fault: it lists every state before each step, and none of them can take the last one. But
those states say everything about the model, and most of it is irrelevant. The prover goes from the last step backwards
and keeps only what is needed:

1. Before the last step: the claims that forbid it. One component that has no edge to take, or may neither stay nor
   leave, is enough.
2. Before each earlier step: the claims that make the following condition true after the step (its weakest precondition,
   as far as the states that were reached imply it). A step that writes nothing that the condition mentions leaves it
   unchanged, so most messages cost nothing.
3. Where claims alone do not show it, because time edges may be taken during a wait: everything that the state says
   about the components concerned. Claims are then removed or weakened one by one as long as the checker accepts the
   rest.

Each result is checked (`check`); if the checker does not accept it, everything that the state says is claimed instead.
The walk ends at the beginning of the witness. The weaker the conditions, the more of them are equal or imply each
other, and the more messages `explain` can leave out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import product

from rootward.traces.limits import LimitReached, Limits, Work
from rootward.traces.model.event import Event, Step, Wait
from rootward.traces.model.guard import Atom, Bound, Const, Test, Value, Var
from rootward.traces.proving.check import Checker
from rootward.traces.proving.claim import (
    NEVER,
    Case,
    Claim,
    Condition,
    InLocation,
    ResetDistance,
    bound_claim,
    case_before,
    find_subjects,
    make_condition,
    state_implies,
    test_claim,
    tidy,
    tightest_bound,
)
from rootward.traces.running.engine import Engine, States
from rootward.traces.running.part import Move, Option
from rootward.traces.running.replay import Witness
from rootward.traces.running.state import SymbolicState
from rootward.traces.running.unknown_values import Symbol
from rootward.traces.running.zone import UNBOUNDED


@dataclass(frozen=True)
class Proof:
    """The steps of a fault, with the condition that holds before each of them.

    The condition after the last step is false.
    """

    steps: tuple[Step, ...]
    conditions: tuple[Condition, ...]
    checked: bool
    """True if the checker has accepted every step."""
    cut: str = ""
    """The limit at which the search for weaker conditions was given up; empty if it was not."""


class Prover:
    """Finds proofs about one model."""

    def __init__(self, engine: Engine, work: Work | None = None) -> None:
        self._work = work or Work(Limits())
        self.engine, self.checker = engine, Checker(engine.model, self._work)
        self._weakens = True

    def prove(self, witness: Witness) -> Proof:
        """Return the weakest proof found for a fault. Where a limit is reached, the proof is what the replay says.

        After an earlier fault of the trace, the states are only what may be; there, claims are not weakened one by one.
        """
        self._work.begin_proof()
        self._weakens = witness.first == 0
        goal, found = NEVER, []
        components, names = find_subjects(goal)
        checked, cut = True, ""
        for step, states in zip(reversed(witness.steps), reversed(witness.reached), strict=True):
            touched = not goal or self.engine.footprint(step).touches(components, names)
            if touched or not (_is_single_plain(states) or all(self._is_in(state, goal) for state in states)):
                try:
                    goal, accepted = (NEVER, False) if cut else self._find_condition(states, step, goal)
                except LimitReached as reached:
                    accepted, cut = False, str(reached)
                checked &= accepted
                if cut:
                    goal = make_condition(map(self._claim_everything, states))
                components, names = find_subjects(goal)
            found.append(goal)
        return Proof(witness.steps, tuple(reversed(found)), checked, cut)

    def _find_condition(self, states: States, step: Step, goal: Condition) -> tuple[Condition, bool]:
        """Return a condition on the states before a step that ensures the goal after it, and whether the checker has
        accepted it."""
        cases: list[Case] = []
        checked = True
        for state in states:
            if self._is_in(state, frozenset(cases)):
                continue
            case = self._find_case(state, step, goal)
            if not self.checker.follows(frozenset([case]), step, goal):
                case = self._claim_everything(state)
                checked &= self.checker.follows(frozenset([case]), step, goal)
            cases.append(case)
        return make_condition(cases), checked

    def _is_in(self, state: SymbolicState, goal: Condition) -> bool:
        """Return whether a state lies in one of the cases of a condition."""
        return any(all(state_implies(self.engine, state, claim) for claim in case) for case in goal)

    def _find_case(self, state: SymbolicState, step: Step, goal: Condition) -> Case:
        """Return claims about a state that ensure the goal after a step.

        If the state cannot take the step at all, claims that show this are enough.
        """
        for one in dict.fromkeys((goal, NEVER)):
            if isinstance(step, Event):
                found = self._before_event(state, step, one)
            else:
                found = self._before_wait(state, step, one)
            if found is not None:
                return found
        return self._claim_everything(state)

    # Events

    def _before_event(self, state: SymbolicState, event: Event, goal: Condition) -> Case | None:
        by_component = dict(self.checker.find_involved(event, goal))
        if not goal:
            alone = [self._cover_joint_moves(state, {k: one}, event, goal) for k, one in by_component.items()]
            found = [case for case in alone if case is not None]
            return min(found, key=_case_order) if found else self._cover_joint_moves(state, by_component, event, goal)
        if not by_component:
            return next((case for case in _sort_cases(goal) if self._is_in(state, frozenset([case]))), None)
        return self._cover_joint_moves(state, by_component, event, goal)

    def _cover_joint_moves(
        self,
        state: SymbolicState,
        by_component: Mapping[int, Mapping[int, Sequence[Move]]],
        event: Event,
        goal: Condition,
    ) -> Case | None:
        """Return claims that make each joint move of some components impossible, or make it lead to the goal."""
        claims: set[Claim] = {self._at(state, k) for k in by_component}
        choices = [moves.get(state.locations[k], ()) for k, moves in by_component.items()]
        every = []
        for joint in product(*choices):
            atoms = [(atom, move.params) for move in joint for atom in move.option.when]
            ways = [set(case) for case in self._cases_before(state, joint, event.time, goal)]
            every.append([*ways, *({claim} for claim in self._refuting_claims(state, atoms, event.time))])
        for ways in sorted(every, key=len):  # a move with a single way needs that claim in any case
            if not ways:
                return None
            claims |= min(ways, key=lambda way: len(way - claims))
        return self._drop_locations(tidy(claims), state, by_component, event, goal)

    def _refuting_claims(
        self, state: SymbolicState, atoms: Iterable[tuple[Atom, Mapping[str, Value]]], now: int
    ) -> Iterator[Claim]:
        """Yield claims that are true of the state and imply that one of the atoms is false."""
        for atom, params in atoms:
            claim = self._make_claim(atom.negate(), params, now)
            if state_implies(self.engine, state, claim):
                yield claim

    def _make_claim(self, atom: Atom, params: Mapping[str, Value], now: int) -> Claim:
        return test_claim(atom, params) if isinstance(atom, Test) else bound_claim(atom, now)

    def _cases_before(self, state: SymbolicState, joint: Sequence[Move], now: int, goal: Condition) -> Iterator[Case]:
        """Yield the cases that are true of the state and from which these moves lead to the goal."""
        for case in _sort_cases(goal):
            first = case_before(case, joint, now)
            if first is not None and all(state_implies(self.engine, state, claim) for claim in first):
                yield first

    def _at(self, state: SymbolicState, k: int) -> InLocation:
        name = self.engine.model.components[k].name
        return InLocation(name, self.engine.location(state, name))

    def _drop_locations(
        self, case: Case, state: SymbolicState, components: Iterable[int], event: Event, goal: Condition
    ) -> Case:
        """Return the case without the claims about locations that do not matter.

        A location does not matter if each move from any other location is also impossible or leads to the goal.
        """
        for k in components if goal else ():
            less = case - {self._at(state, k)}
            if self.checker.follows_directly(less, event, goal):
                case = less
        return case

    # Time

    def _before_wait(self, state: SymbolicState, wait: Wait, goal: Condition) -> Case | None:
        if not goal:
            alone = [self._claim_stuck(state, k, wait) for k in range(len(state.locations))]
            found = [case for case in alone if case is not None]
            return min(found, key=_case_order) if found else self._weaken_everything(state, wait, goal)
        for case in _sort_cases(goal):
            if all(state_implies(self.engine, state, claim) for claim in case):
                calm = self._keep_true(state, case, wait)
                if calm is not None:
                    return calm
        return self._weaken_everything(state, wait, goal)

    def _claim_stuck(self, state: SymbolicState, k: int, wait: Wait) -> Case | None:
        """Return claims that make a component stuck: it may neither stay until the end of a wait nor leave before.

        Returns None if the state does not allow such claims.
        """
        i = state.locations[k]
        claims: set[Claim] = {self._at(state, k)}
        for when in self.engine.parts[k].stays[i]:
            false = list(self._refuting_claims(state, [(atom, {}) for atom in when], wait.end))
            if not false:
                return None
            claims.add(false[0])
        for option in self.engine.parts[k].time_options[i]:
            barred = self._find_bar(state, option, wait)
            if barred is None:
                return None
            claims.add(barred)
        return tidy(claims)

    def _find_bar(self, state: SymbolicState, option: Option, wait: Wait) -> Claim | None:
        """Return a claim that keeps a time edge from being taken if nothing else happens; None if there is none."""
        for atom in option.when:
            claim = self._make_claim(
                atom.negate(), {}, atom.best_instant(*wait) if isinstance(atom, Bound) else wait.end
            )
            if state_implies(self.engine, state, claim):
                return claim
        return None

    def _keep_true(self, state: SymbolicState, case: Case, wait: Wait) -> Case | None:
        """Return the case with claims added that keep it true while time passes.

        The added claims rule out all time edges that would change the case. Returns None if one cannot be ruled out.
        """
        claims = case
        while True:
            components, names = find_subjects(frozenset([claims]))
            more: set[Claim] = set()
            for k, part in self.engine.timed_parts:
                options = part.all_time_options
                if part.component.name not in components:
                    options = [o for o in options if o.edge.written_names & names]
                if options and len(part.places) > 1:
                    more.add(self._at(state, k))
                for option in options:
                    if option.source == state.locations[k]:
                        barred = self._find_bar(state, option, wait)
                        if barred is None:
                            return None
                        more.add(barred)
            larger = tidy(claims | more)
            if len(larger) == len(claims):
                return larger
            claims = larger

    def _weaken_everything(self, state: SymbolicState, wait: Wait, goal: Condition) -> Case | None:
        """Return weak claims that ensure the goal after a wait.

        Starts with all claims about the components concerned, then drops or weakens them as long as the rest is enough.
        Returns None if even all claims are not enough.
        """
        whole = self._claim_everything(state)
        awake = [k for k, part in enumerate(self.engine.parts) if not part.quiet[state.locations[k]]]
        for wanted in [goal] if goal else [frozenset([frozenset([self._at(state, k)])]) for k in awake]:
            components, names = self.checker.find_concerned(wanted, wait)
            case = frozenset(claim for claim in whole if _is_about_only(claim, components, names))
            if self.checker.follows(frozenset([case]), wait, goal):
                return self._weaken(case, wait, goal) if self._weakens else case
        return None

    def _weaken(self, case: Case, wait: Wait, goal: Condition) -> Case:
        """Drop or weaken the claims of a case one by one, as long as the rest ensures the goal after the wait."""
        for claim in sorted(case, key=repr):
            for weaker in [None, *self._weaker_bounds(claim, wait)]:
                less = tidy((case - {claim}) | ({weaker} if weaker is not None else set()))
                if self.checker.follows(frozenset([less]), wait, goal):
                    case = less
                    break
        return case

    def _weaker_bounds(self, claim: Claim, wait: Wait) -> list[ResetDistance]:
        """Return weaker versions of a bound, the weakest first.

        Their limits are constants with which the model compares the clock.
        """
        if not isinstance(claim, ResetDistance) or (claim.late is not None and claim.early is not None):
            return []
        clock = claim.late or claim.early
        limits = {
            bound_claim(one, now)
            for atom in self.engine.bounds
            if atom.clock == clock
            for now in wait
            for one in (atom, atom.negate())
        }
        return sorted(
            (one for one in limits if (one.late, one.early) == (claim.late, claim.early) and one.bound > claim.bound),
            key=lambda one: -one.bound,
        )

    def _claim_everything(self, state: SymbolicState) -> Case:
        """Return everything that a state says about what matters, as a case."""
        claims: set[Claim] = {self._at(state, k) for k in range(len(state.locations))}
        live = self.engine.live_names(state.locations)
        for name, place in self.engine.names.variables.items():
            datum = state.data[place]
            if not isinstance(datum, Symbol) and name in live:
                claims.add(Test(Var(name), "=", Const(datum)))
        claims |= set(self._relations(state))
        clocks = [name for name in self.engine.names.clocks if name in live]
        dims: list[str | None] = [None, *clocks]
        places = self.engine.names.clocks
        for late, early in product(dims, dims):
            exact = [name for name in (late, early) if name is not None and state.resets[places[name]] is not None]
            if late != early and (not exact or None in (late, early)):
                bound = tightest_bound(self.engine, state, late, early)
                if bound < UNBOUNDED:
                    claims.add(ResetDistance(late, early, bound))
        return frozenset(claims)

    def _relations(self, state: SymbolicState) -> Iterator[Claim]:
        """Yield the comparisons that are known between variables with unknown values."""
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


def _is_single_plain(states: States) -> bool:
    """Return whether there is exactly one state and it is plain.

    Whatever a step does not write is then the same before and after the step.
    """
    return len(states) == 1 and states[0].zone is None and not states[0].facts


def _is_about_only(claim: Claim, components: Set[str], names: Set[str]) -> bool:
    """Return whether a claim is about these components and names only."""
    owners, about = find_subjects([frozenset([claim])])
    return owners <= components and about <= names


def _sort_cases(goal: Condition) -> Iterable[Case]:
    return sorted(goal, key=_case_order) if len(goal) > 1 else goal


def _case_order(case: Case) -> tuple[int, str]:
    """Sort key: short cases first, ties always in the same order."""
    return len(case), str(sorted(map(repr, case)))
