"""Whether a proof holds: each of its steps is checked anew, without a look at how it was found.

To check that a step leads from one condition into another, all configurations of the first are taken, not only those
that the trace reaches: of what is not claimed, every value. Only the components matter that are spoken of, or that may
write what is spoken of; leaving out the others allows more, so what is proved without them is true with them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import product

from rootward.traces.model.event import Event, Step, Wait
from rootward.traces.model.guard import ORDER, Guard, Test, names
from rootward.traces.model.model import UNKNOWN, Component, Model
from rootward.traces.proving.claim import (
    ANYHOW,
    At,
    Case,
    Claim,
    Condition,
    before,
    bound_claim,
    decided,
    dimensions,
    implied,
    includes,
    mentioned,
    shifted,
    subjects,
    test_claim,
)
from rootward.traces.running.engine import Engine, Restless, States
from rootward.traces.running.part import Move, Moves, Option, remember
from rootward.traces.running.state import State, narrowed
from rootward.traces.running.unknown_values import Symbol
from rootward.traces.running.zone import FREE, Zone, at_most

ROUNDS, COMBINATIONS, PARTS, JOINT = 20, 60, 300, 1000
"""A check that reaches more states than this while time passes, or begins with more, or has to part them into more, or
has more ways to take an event, is given up."""


class Checker:
    """Checks steps of proofs about one model."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._whole = Engine(model)
        self._known: dict[tuple[Condition, int | str, Condition], bool] = {}
        self._parts: dict[tuple[frozenset[str], frozenset[str]], Engine] = {}

    @cached_property
    def _uses(self) -> dict[str, _Use]:
        return {part.name: _Use(part) for part in self.model.components}

    def follows(self, first: Condition, step: Step, then: Condition) -> bool:
        """Whether every configuration of the first condition that can take a step is then in the second."""
        return all(self._leads(case, step, then) for case in first)

    def _leads(self, case: Case, step: Step, then: Condition) -> bool:
        """Whether a case leads to a condition: plainly, or into one of its cases, or into all of them together.

        One case speaks of fewer components, which makes it easier to show.
        """
        return self.plainly(case, step, then) or self._known_to(case, step, then)

    def plainly(self, case: Case, step: Step, then: Condition) -> bool:
        """Whether what a case says itself is enough: it is not changed while time passes; or each way to take an event
        is impossible or leads to the condition."""
        if isinstance(step, Wait):
            return any(self._calm(case, other, step) for other in then)
        places = {claim.component: claim.location for claim in case if isinstance(claim, At)}
        choices = [self._ways(k, moves, places) for k, moves in self.involved(step, then)]
        if not then:  # one component that allows nothing is enough
            return any(all(_impossible(case, (move,), step.time) for move in moves) for moves in choices)
        if math.prod(map(len, choices)) > JOINT:
            return False
        return all(
            _impossible(case, joint, step.time) or _brings(case, joint, step.time, then) for joint in product(*choices)
        )

    def involved(self, event: Event, then: Condition) -> list[tuple[int, Moves]]:
        """The components that know an event and may change what a condition says; all if it is false."""
        components, names = subjects(then)
        return [
            (k, by_location)
            for k, by_location in self._whole.moves(event)
            if not then
            or self.model.components[k].name in components
            or any(names & move.option.edge.written for moves in by_location.values() for move in moves)
        ]

    def _ways(self, k: int, by_location: Moves, places: Mapping[str, str]) -> list[Move]:
        """What a component may do where it is, or anywhere if that is not said."""
        name = self.model.components[k].name
        if name in places:
            return by_location.get(self._whole.parts[k].places[places[name]], [])
        return [move for moves in by_location.values() for move in moves]

    def _known_to(self, case: Case, step: Step, then: Condition) -> bool:
        """The same at any time: what was found once is remembered."""
        now = step.start if isinstance(step, Wait) else step.time
        lasts = step.end - now if isinstance(step, Wait) else step.text
        key = shifted(frozenset([case]), -now), lasts, shifted(then, -now)
        if key in self._known:
            return self._known[key]
        return remember(self._known, key, self._tried(case, step, then))

    def _tried(self, case: Case, step: Step, then: Condition) -> bool:
        singly = [frozenset([other]) for other in sorted(then, key=len)] if len(then) > 1 else []
        return any(self._shown(case, step, some) for some in (*singly, then))

    def _shown(self, case: Case, step: Step, then: Condition) -> bool:
        components, clocks = self.needed([case, *then], step)
        try:
            return self._follows(self._part(components, clocks), case, step, then)
        except Restless:
            return False  # perhaps it does, but that is not shown

    def _calm(self, case: Case, then: Case, wait: Wait) -> bool:
        """Whether a case plainly includes another, and plainly says that nothing which could change that can happen."""
        if not includes(case, then):
            return False
        kept = set(then)
        while True:
            owners, variables, clocks = mentioned([frozenset(kept)])
            size = len(kept)
            for _, part in self._whole.drifting:
                owner, options = part.component.name, part.all_drifts
                if owner not in owners and not any(option.edge.written & (variables | clocks) for option in options):
                    continue
                at = next((c.location for c in case if isinstance(c, At) and c.component == owner), None)
                if at is not None:
                    kept.add(At(owner, at))
                for option in options:
                    if at is None or option.edge.source == at:
                        if owner not in owners and not option.edge.written & (variables | clocks):
                            continue
                        barred = next((c for c in _barring(option, wait) if includes(case, frozenset([c]))), None)
                        if barred is None:
                            return False
                        kept.add(barred)
            if len(kept) == size:
                return True

    def _follows(self, engine: Engine, case: Case, step: Step, then: Condition) -> bool:
        now = step.start if isinstance(step, Wait) else step.time
        return included(engine, engine.take(_states(engine, case, now), step), then)

    def implies(self, first: Condition, then: Condition, span: int = 0) -> bool:
        """Whether one condition includes another, if what the second is about happened earlier by a span."""
        then = shifted(then, -span)
        if then == ANYHOW or all(any(includes(case, other) for other in then) for case in first):
            return True
        components, _, clocks = mentioned(first | then)
        engine = self._part(frozenset(components), frozenset(clocks))
        try:
            return all(included(engine, _states(engine, case, None), then) for case in first)
        except Restless:
            return False

    def begins(self, then: Condition, start: int) -> bool:
        """Whether a condition includes the beginning."""
        try:
            return included(self._whole, self._whole.begin(start), then)
        except Restless:
            return False

    def concerned(self, cases: Iterable[Case], step: Step) -> tuple[set[str], frozenset[str]]:
        """The components that matter to a step, and the variables and clocks that these read or write or that are
        spoken of."""
        about, named = subjects(cases)
        components = set(about)
        if isinstance(step, Event):
            components |= {
                self.model.components[k].name
                for k, moves in self._whole.moves(step)
                if any(named & m.option.edge.written for some in moves.values() for m in some)
            }
        while isinstance(step, Wait):
            named = named.union(*(self._uses[name].reads for name in components))
            more = {name for name, use in self._uses.items() if use.drifts & named} - components
            if not more:
                break
            components |= more
        return components, named

    def needed(self, cases: Iterable[Case], step: Step) -> tuple[frozenset[str], frozenset[str]]:
        """The components and clocks that matter to a step."""
        some = list(cases)
        components, _ = self.concerned(some, step)
        used = mentioned(some)[2].union(*(self._uses[name].clocks for name in components))
        return frozenset(components), frozenset(used)

    def _part(self, components: frozenset[str], clocks: frozenset[str]) -> Engine:
        """The engine of a part of the model, of which nothing is known at the beginning."""
        key = components, clocks
        if key not in self._parts:
            self._parts[key] = Engine(
                replace(
                    self.model,
                    components=tuple(part for part in self.model.components if part.name in components),
                    variables=dict.fromkeys(self.model.variables, UNKNOWN),
                    clocks={name: UNKNOWN for name in self.model.clocks if name in clocks},
                ),
                self._whole,
                ROUNDS,
            )
        return self._parts[key]


class _Use:
    """What a component reads and writes."""

    def __init__(self, part: Component) -> None:
        drifts = part.drifts
        self.drifts = frozenset().union(*(edge.written for edge in drifts))
        """What it may write while time passes."""
        guards: list[Guard] = [edge.when for edge in drifts]
        guards += [guard for one in part.locations for guard in (one.stay, one.invariant)]
        self.reads = frozenset(name for guard in guards for some in (names(guard)[0], names(guard)[2]) for name in some)
        """What it may read while time passes."""
        every = [*guards, *(edge.when for edge in part.edges)]
        self.clocks = frozenset(name for guard in every for name in names(guard)[2]).union(
            *(edge.reset for edge in part.edges)
        )


def _impossible(case: Case, joint: Sequence[Move], now: int) -> bool:
    """Whether a case says that a guard does not hold."""
    for move in joint:
        for atom in move.option.when:
            if isinstance(atom, Test):
                claim = test_claim(atom.negated(), move.params)
                if claim in case or decided(claim):
                    return True
            elif includes(case, frozenset([bound_claim(atom.negated(), now)])):
                return True
    return False


def _brings(case: Case, joint: Sequence[Move], now: int, then: Condition) -> bool:
    """Whether moves lead into a condition."""
    firsts = (before(other, joint, now) for other in then)
    return any(first is not None and includes(case, first) for first in firsts)


def _barring(option: Option, wait: Wait) -> Iterator[Claim]:
    """Claims of which each keeps an edge of time from being taken."""
    for atom in option.when:
        if isinstance(atom, Test):
            yield atom.negated()
        else:
            yield bound_claim(atom.negated(), atom.likeliest(*wait))


def _states(engine: Engine, case: Case, now: int | None) -> States:
    """All configurations of a case; at an instant, no clock was reset later."""
    fixed = {claim.component: claim.location for claim in case if isinstance(claim, At)}
    places = [
        [i for i, one in enumerate(part.locations) if fixed.get(part.name, one.name) == one.name]
        for part in engine.model.components
    ]
    if math.prod(map(len, places)) > COMBINATIONS:
        raise Restless("too many states to begin with")
    data = tuple(map(Symbol, engine.model.variables))
    clocks = range(len(engine.model.clocks))
    zone = Zone.unknown(clocks, FREE if now is None else at_most(now)) if clocks else None
    first = State((), data, tuple(None for _ in clocks), zone)
    states: list[State] = [first]
    for claim in case:
        states = [part for state in states for part in _under(engine, state, claim)]
    return tuple(state._replace(locations=where) for state in states for where in product(*places))


def _under(engine: Engine, state: State, claim: Claim) -> Iterator[State]:
    """The part of a state in which a claim about data or clocks is true."""
    if isinstance(claim, At):
        yield state
    elif isinstance(claim, Test):
        yield from narrowed(engine.names, state, (claim,), {}, 0)
    else:
        yield from _bounded(engine, state, claim.late, claim.early, claim.bound)


def _bounded(engine: Engine, state: State, late: str | None, early: str | None, bound: int) -> Iterator[State]:
    one, two, shift = dimensions(engine, state, late, early)
    zone = (state.zone or Zone()).bounded(one, two, bound - 2 * shift)
    if zone is not None:
        yield state if state.zone is None else state._replace(zone=zone)


def included(engine: Engine, states: Iterable[State], then: Condition) -> bool:
    """Whether each configuration is in one of the cases: in none, each case has a claim that is false."""
    if len(then) == 1:
        [only] = then
        return all(implied(engine, state, claim) for state in states for claim in only)
    for state in states:
        parts = [state]
        for case in sorted(then, key=len):
            parts = [rest for part in parts for claim in case for rest in _outside(engine, part, claim)]
            if not parts:
                break
            if len(parts) > PARTS:
                raise Restless("too many cases")
        if parts:
            return False
    return True


def _outside(engine: Engine, state: State, claim: Claim) -> Iterator[State]:
    """The part of a state in which a claim is false; if in doubt, more."""
    if implied(engine, state, claim):
        return
    if isinstance(claim, At):
        yield state
    elif isinstance(claim, Test):
        yield from narrowed(engine.names, state, (claim.negated(),), {}, 0)
        if claim.op in ORDER:
            yield state  # a text is in no order, so that the opposite does not say all
    else:
        limit, allowed = claim.bound >> 1, claim.bound & 1
        yield from _bounded(engine, state, claim.early, claim.late, -2 * limit + (1 - allowed))
