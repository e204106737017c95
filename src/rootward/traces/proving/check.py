"""The checker: decide whether the steps of a proof hold, without looking at how the proof was found.

A step of a proof is a triple: a condition, an event or a wait, and the condition after it. It holds if every
configuration of the first condition that can take the step is then in the second. *Every* includes configurations that
the trace never reaches: whatever the first condition does not mention takes every possible value. This is what lets
`infix` join conditions from different places of a proof.

Three ways to show it are tried, the cheapest first. `follows_directly` compares claims: no time edge that could change
them can be taken, or each way to take the event is impossible or leads into the second condition. A cache answers
questions asked before at another time. Last, an engine runs the step from all configurations of a case. It runs only
the components that the conditions mention, or that may write what they mention. Leaving out the others can only allow
more behaviour, so what is proved without them is true with them.

A check may be given up (see the limits below). Then the answer is "not shown": the proof keeps a stronger condition, or
a message more than necessary, but nothing false is accepted. New shortcuts must keep it that way.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import product

from rootward.traces.limits import Limits, Work
from rootward.traces.model.event import Event, Step, Wait
from rootward.traces.model.guard import ORDER, Guard, Test, names
from rootward.traces.model.model import UNKNOWN, Component, Model
from rootward.traces.proving.claim import (
    ALWAYS,
    NEVER,
    Case,
    Claim,
    Condition,
    InLocation,
    bound_claim,
    case_before,
    evaluate_constants,
    find_dimensions,
    find_mentioned,
    find_subjects,
    includes,
    shift_condition,
    state_implies,
    test_claim,
)
from rootward.traces.running.engine import Engine, States, TooManyStates
from rootward.traces.running.part import Move, Moves, Option, remember
from rootward.traces.running.state import SymbolicState, narrow_state
from rootward.traces.running.unknown_values import Symbol
from rootward.traces.running.zone import UNBOUNDED, Zone, at_most

MAX_STATES_PER_WAIT, MAX_START_STATES, MAX_PARTS, MAX_JOINT_MOVES = 20, 60, 300, 1000
"""Limits above which a check is given up: states reached while time passes, states to begin with, parts that these are
split into, and ways to take an event."""


class Checker:
    """Checks steps of proofs about one model."""

    def __init__(self, model: Model, work: Work | None = None) -> None:
        self.model, self.work = model, work or Work(Limits())
        self._whole = Engine(model)
        self._results: dict[tuple[Condition, int | str, Condition], bool] = {}
        self._engines: dict[tuple[frozenset[str], frozenset[str]], Engine] = {}

    @cached_property
    def _uses(self) -> dict[str, _ComponentUse]:
        return {part.name: _ComponentUse(part) for part in self.model.components}

    def follows(self, first: Condition, step: Step, then: Condition) -> bool:
        """Return whether the step leads from every configuration of ``first`` into ``then``.

        Configurations that cannot take the step do not count.
        """
        return all(self._leads_to(case, step, then) for case in first)

    def _leads_to(self, case: Case, step: Step, then: Condition) -> bool:
        """Return whether a case leads into a condition, directly or as shown by running the step.

        A case that cannot take the step leads anywhere.
        """
        return (
            self.follows_directly(case, step, then)
            or (bool(then) and self.follows_directly(case, step, NEVER))
            or self._look_up(case, step, then)
        )

    def follows_directly(self, case: Case, step: Step, then: Condition) -> bool:
        """Return whether the claims of a case alone show that it leads into a condition. For a wait: no time edge that
        would change them can be taken. For an event: each way to take it is impossible or leads into the condition."""
        if isinstance(step, Wait):
            return any(self._stays_true(case, other, step) for other in then)
        places = {claim.component: claim.location for claim in case if isinstance(claim, InLocation)}
        choices = [self._ways(k, moves, places) for k, moves in self.find_involved(step, then)]
        if not then:  # one component that allows nothing is enough
            return any(all(_is_impossible(case, (move,), step.time) for move in moves) for moves in choices)
        if math.prod(map(len, choices)) > MAX_JOINT_MOVES:
            return False
        return all(
            _is_impossible(case, joint, step.time) or _leads_directly(case, joint, step.time, then)
            for joint in product(*choices)
        )

    def find_involved(self, event: Event, then: Condition) -> list[tuple[int, Moves]]:
        """Return the components that know an event and may change what a condition says.

        Returns all components that know the event if the condition is false.
        """
        components, names = find_subjects(then)
        return [
            (k, by_location)
            for k, by_location in self._whole.moves(event)
            if not then
            or self.model.components[k].name in components
            or any(names & move.option.edge.written_names for moves in by_location.values() for move in moves)
        ]

    def _ways(self, k: int, by_location: Moves, places: Mapping[str, str]) -> list[Move]:
        """Return the moves of a component from its claimed location, or from any location if none is claimed."""
        name = self.model.components[k].name
        if name in places:
            return by_location.get(self._whole.parts[k].places[places[name]], [])
        return [move for moves in by_location.values() for move in moves]

    def _look_up(self, case: Case, step: Step, then: Condition) -> bool:
        """Return whether a case leads into a condition, from the cache if possible.

        In the cache, conditions are moved to instant 0, so that the same step at another time is found.
        """
        self.work.count_proof_step()
        now = step.start if isinstance(step, Wait) else step.time
        lasts = step.end - now if isinstance(step, Wait) else step.text
        key = shift_condition(frozenset([case]), -now), lasts, shift_condition(then, -now)
        if key in self._results:
            return self._results[key]
        return remember(self._results, key, self._try_cases(case, step, then))

    def _try_cases(self, case: Case, step: Step, then: Condition) -> bool:
        """Return whether running the step shows that a case leads into a condition.

        If that takes too long for the whole condition, each single case is tried: it mentions fewer components.
        """
        try:
            return self._show(case, step, then)
        except TooManyStates:
            return len(then) > 1 and any(
                self._try_cases(case, step, frozenset([other])) for other in sorted(then, key=len)
            )

    def _show(self, case: Case, step: Step, then: Condition) -> bool:
        """Run a step from a case, with only the components that matter, and return whether it leads into a
        condition."""
        components, clocks = self.find_needed([case, *then], step)
        engine = self._engine_for(components, clocks)
        now = step.start if isinstance(step, Wait) else step.time
        return is_covered(engine, engine.take(_all_states(engine, case, now), step), then)

    def _stays_true(self, case: Case, then: Case, wait: Wait) -> bool:
        """Return whether a case keeps ``then`` true during a wait.

        It does if it makes all claims of ``then`` and rules out every time edge that could change them.
        """
        if not includes(case, then):
            return False
        kept = set(then)
        while True:
            owners, variables, clocks = find_mentioned([frozenset(kept)])
            size = len(kept)
            for _, part in self._whole.timed_parts:
                owner, options = part.component.name, part.all_time_options
                if owner not in owners and not any(
                    option.edge.written_names & (variables | clocks) for option in options
                ):
                    continue
                at = next((c.location for c in case if isinstance(c, InLocation) and c.component == owner), None)
                if at is not None:
                    kept.add(InLocation(owner, at))
                for option in options:
                    if at is None or option.edge.source == at:
                        if owner not in owners and not option.edge.written_names & (variables | clocks):
                            continue
                        barred = next(
                            (c for c in _claims_barring(option, wait) if includes(case, frozenset([c]))), None
                        )
                        if barred is None:
                            return False
                        kept.add(barred)
            if len(kept) == size:
                return True

    def implies(self, first: Condition, then: Condition, span: int = 0) -> bool:
        """Return whether ``first`` implies ``then`` moved earlier by ``span``."""
        then = shift_condition(then, -span)
        if then == ALWAYS or all(any(includes(case, other) for other in then) for case in first):
            return True
        self.work.count_proof_step()
        components, _, clocks = find_mentioned(first | then)
        engine = self._engine_for(frozenset(components), frozenset(clocks))
        try:
            return all(is_covered(engine, _all_states(engine, case, None), then) for case in first)
        except TooManyStates:
            return False

    def holds_initially(self, then: Condition, start: int) -> bool:
        """Return whether a condition holds in all initial states."""
        try:
            return is_covered(self._whole, self._whole.begin(start), then)
        except TooManyStates:
            return False

    def find_concerned(self, cases: Iterable[Case], step: Step) -> tuple[set[str], frozenset[str]]:
        """Return the components that matter to a step, and the names of the variables and clocks that matter.

        The names are those that the claims mention. For a wait, the names that these components read are added.
        """
        about, named = find_subjects(cases)
        components = set(about)
        if isinstance(step, Event):
            components |= {
                self.model.components[k].name
                for k, moves in self._whole.moves(step)
                if any(named & m.option.edge.written_names for some in moves.values() for m in some)
            }
        while isinstance(step, Wait):
            named = named.union(*(self._uses[name].reads for name in components))
            more = {name for name, use in self._uses.items() if use.drifts & named} - components
            if not more:
                break
            components |= more
        return components, named

    def find_needed(self, cases: Iterable[Case], step: Step) -> tuple[frozenset[str], frozenset[str]]:
        """Return the components and the clocks that matter to a step."""
        some = list(cases)
        components, _ = self.find_concerned(some, step)
        used = find_mentioned(some)[2].union(*(self._uses[name].clocks for name in components))
        return frozenset(components), frozenset(used)

    def _engine_for(self, components: frozenset[str], clocks: frozenset[str]) -> Engine:
        """Return the engine for these components and clocks of the model. All its initial values are unknown."""
        key = components, clocks
        if key not in self._engines:
            self._engines[key] = Engine(
                replace(
                    self.model,
                    components=tuple(part for part in self.model.components if part.name in components),
                    variables=dict.fromkeys(self.model.variables, UNKNOWN),
                    clocks={name: UNKNOWN for name in self.model.clocks if name in clocks},
                ),
                self._whole,
                MAX_STATES_PER_WAIT,
            )
        return self._engines[key]


class _ComponentUse:
    """The variables and clocks that a component reads and writes."""

    def __init__(self, part: Component) -> None:
        drifts = part.time_edges
        self.drifts = frozenset().union(*(edge.written_names for edge in drifts))
        """The names that the component may write while time passes."""
        guards: list[Guard] = [edge.when for edge in drifts]
        guards += [guard for one in part.locations for guard in (one.stay, one.invariant)]
        self.reads = frozenset(name for guard in guards for some in (names(guard)[0], names(guard)[2]) for name in some)
        """The names that the component may read while time passes."""
        every = [*guards, *(edge.when for edge in part.edges)]
        self.clocks = frozenset(name for guard in every for name in names(guard)[2]).union(
            *(edge.reset for edge in part.edges)
        )


def _is_impossible(case: Case, joint: Sequence[Move], now: int) -> bool:
    """Return whether a case plainly says that a guard of these moves is false."""
    for move in joint:
        for atom in move.option.when:
            if isinstance(atom, Test):
                claim = test_claim(atom.negate(), move.params)
                if claim in case or evaluate_constants(claim):
                    return True
            elif includes(case, frozenset([bound_claim(atom.negate(), now)])):
                return True
    return False


def _leads_directly(case: Case, joint: Sequence[Move], now: int, then: Condition) -> bool:
    """Return whether moves plainly lead from a case into a condition."""
    firsts = (case_before(other, joint, now) for other in then)
    return any(first is not None and includes(case, first) for first in firsts)


def _claims_barring(option: Option, wait: Wait) -> Iterator[Claim]:
    """Yield claims that keep a time edge from being taken during a wait.

    Each of them alone is enough.
    """
    for atom in option.when:
        if isinstance(atom, Test):
            yield atom.negate()
        else:
            yield bound_claim(atom.negate(), atom.best_instant(*wait))


def _all_states(engine: Engine, case: Case, now: int | None) -> States:
    """Return all configurations of a case.

    If ``now`` is given, leaves out those in which a clock was reset after ``now``.
    """
    fixed = {claim.component: claim.location for claim in case if isinstance(claim, InLocation)}
    places = [
        [i for i, one in enumerate(part.locations) if fixed.get(part.name, one.name) == one.name]
        for part in engine.model.components
    ]
    if math.prod(map(len, places)) > MAX_START_STATES:
        raise TooManyStates("too many states to begin with")
    data = tuple(map(Symbol, engine.model.variables))
    clocks = range(len(engine.model.clocks))
    zone = Zone.unknown(clocks, UNBOUNDED if now is None else at_most(now)) if clocks else None
    first = SymbolicState((), data, tuple(None for _ in clocks), zone)
    states: list[SymbolicState] = [first]
    for claim in case:
        states = [part for state in states for part in _narrow_by_claim(engine, state, claim)]
    return tuple(state._replace(locations=where) for state in states for where in product(*places))


def _narrow_by_claim(engine: Engine, state: SymbolicState, claim: Claim) -> Iterator[SymbolicState]:
    """Yield the part of a state in which a claim about data or clocks is true."""
    if isinstance(claim, InLocation):
        yield state
    elif isinstance(claim, Test):
        yield from narrow_state(engine.names, state, (claim,), {}, 0)
    else:
        yield from _bound_difference(engine, state, claim.late, claim.early, claim.bound)


def _bound_difference(
    engine: Engine, state: SymbolicState, late: str | None, early: str | None, bound: int
) -> Iterator[SymbolicState]:
    one, two, shift = find_dimensions(engine, state, late, early)
    zone = (state.zone or Zone()).restrict(one, two, bound - 2 * shift)
    if zone is not None:
        yield state if state.zone is None else state._replace(zone=zone)


def is_covered(engine: Engine, states: Iterable[SymbolicState], then: Condition) -> bool:
    """Return whether each configuration of the states is in one of the cases. A configuration is in none of them if
    every case has a claim that is false of it."""
    if len(then) == 1:
        [only] = then
        return all(state_implies(engine, state, claim) for state in states for claim in only)
    for state in states:
        parts = [state]
        for case in sorted(then, key=len):
            parts = [rest for part in parts for claim in case for rest in _outside_claim(engine, part, claim)]
            if not parts:
                break
            if len(parts) > MAX_PARTS:
                raise TooManyStates("too many cases")
        if parts:
            return False
    return True


def _outside_claim(engine: Engine, state: SymbolicState, claim: Claim) -> Iterator[SymbolicState]:
    """Yield parts of a state that contain every configuration in which a claim is false, and perhaps more."""
    if state_implies(engine, state, claim):
        return
    if isinstance(claim, InLocation):
        yield state
    elif isinstance(claim, Test):
        yield from narrow_state(engine.names, state, (claim.negate(),), {}, 0)
        if claim.op in ORDER:
            yield state  # texts have no order, so the negated comparison misses some configurations
    else:
        limit, allowed = claim.bound >> 1, claim.bound & 1
        yield from _bound_difference(engine, state, claim.early, claim.late, -2 * limit + (1 - allowed))
