"""The paper's chain on Z3, as sections 2 to 6 define it: slow, and as close to the text as it gets.

A condition maps product locations to formulas over whole-number variables and real clocks; a location that is not in
it has the formula false. A step is an event or a number: how many microseconds pass; where a template is built, the
number is a symbol. Texts are numbers from `TEXT` on, one each.

What the paper leaves open, and how it is closed here: the widening enumerates decompositions until nothing new comes
(else a cycle of time is not idempotent, which is an error); the weakest precondition is taken only at locations that
the strongest postcondition reaches, as all others satisfy it by being stuck; interpolation is `formulas.interpolant`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, TypeAlias

import z3

from rootward.traces.model.event import Event, Trace
from rootward.traces.model.guard import Bound, Const, Guard, Param, Term, Test, Value
from rootward.traces.model.model import Component, Edge, Location, Model, Unknown

from . import brute
from .formulas import Clauses, cubes, eliminated, interpolant, joined, parts, said, satisfiable

Place = tuple[str, ...]
Condition = dict[Place, z3.BoolRef]
Step: TypeAlias = Event | int | z3.ArithRef
Template = tuple[tuple[z3.BoolRef, ...], ...]
FALSE: Condition = {}
TEXT = 10**6
ROUNDS = 12
"""No network here has a longer path of edges of time that shows something new."""


class NotIdempotent(Exception):
    """Waiting shows new configurations with every part it is cut into."""


@dataclass(frozen=True)
class Move:
    """An edge of the product."""

    target: Place
    guard: z3.BoolRef
    update: tuple[tuple[z3.ExprRef, z3.ExprRef], ...]


@dataclass(frozen=True)
class Proof:
    """A Hoare proof: one condition more than steps."""

    steps: tuple[Step, ...]
    conditions: tuple[Condition, ...]


class Paper:
    def __init__(self, model: Model) -> None:
        self.model = model
        self.variables = {name: z3.Int(name) for name in model.variables}
        self.clocks = {name: z3.Real(name) for name in model.clocks}
        self.codes: dict[str, int] = {}
        self.positive = z3.And(*(clock >= 0 for clock in self.clocks.values()))
        self._moves: dict[object, list[Move]] = {}
        self._templates: dict[tuple[str, ...], Template] = {}

    # The product of the components.

    @cached_property
    def initial(self) -> Condition:
        known = [
            self.variables[n] == self.code(v) for n, v in self.model.variables.items() if not isinstance(v, Unknown)
        ]
        known += [self.clocks[n] == v for n, v in self.model.clocks.items() if not isinstance(v, Unknown)]
        places = product(*(component.initial for component in self.model.components))
        invariant = {place: z3.And(*(self.guard(at.invariant) for at in self.at(place))) for place in places}
        return {place: z3.And(self.positive, *known, formula) for place, formula in invariant.items()}

    def at(self, place: Place) -> list[Location]:
        parts = zip(self.model.components, place, strict=True)
        return [next(at for at in component.locations if at.name == name) for component, name in parts]

    def moves(self, place: Place, event: Event | None = None) -> list[Move]:
        """What can be done on an event, or at the end of a part of time."""
        key = (place, event and event.text)
        if key not in self._moves:
            parts = zip(self.model.components, self.at(place), strict=True)
            options = [list(self._time(*part) if event is None else self._event(*part, event)) for part in parts]
            self._moves[key] = [self._joint(joint) for joint in product(*options)]
        return self._moves[key]

    def _time(self, component: Component, at: Location) -> Iterator[tuple[z3.BoolRef, Edge | str, dict[str, Value]]]:
        invariant = self.guard(at.invariant)
        yield z3.And(self.guard(at.stay), invariant), at.name, {}
        for edge in component.edges:
            if edge.on is None and edge.source == at.name:
                yield z3.And(self.guard(edge.when), invariant), edge, {}

    def _event(
        self, component: Component, at: Location, event: Event
    ) -> Iterator[tuple[z3.BoolRef, Edge | str, dict[str, Value]]]:
        matches = [(edge, edge.on.match(event)) for edge in component.edges if edge.on is not None]
        if all(params is None for _, params in matches):
            yield z3.BoolVal(True), at.name, {}
        for edge, params in matches:
            if params is not None and edge.source == at.name:
                yield self.guard(edge.when, params), edge, params

    def _joint(self, joint: tuple[tuple[z3.BoolRef, Edge | str, dict[str, Value]], ...]) -> Move:
        place = tuple(done.target if isinstance(done, Edge) else done for _, done, _ in joint)
        update: list[tuple[z3.ExprRef, z3.ExprRef]] = []
        for _, edge, params in joint:
            if isinstance(edge, Edge):
                update += [(self.variables[name], self.term(term, params)) for name, term in edge.set.items()]
                update += [(self.clocks[name], z3.RealVal(0)) for name in edge.reset]
        update = list({str(name): (name, value) for name, value in update}.values())
        entered = [at for at, one in zip(self.at(place), joint, strict=True) if isinstance(one[1], Edge)]
        after = [z3.substitute(self.guard(at.invariant), *update) for at in entered]
        return Move(place, z3.And(*(guard for guard, _, _ in joint), *after), tuple(update))

    def code(self, value: Value) -> z3.ArithRef:
        return z3.IntVal(TEXT + self.codes.setdefault(value, len(self.codes)) if isinstance(value, str) else value)

    def term(self, term: Term, params: dict[str, Value]) -> z3.ArithRef:
        if isinstance(term, Const):
            return self.code(term.value)
        return self.code(params[term.name]) if isinstance(term, Param) else self.variables[term.name]

    def guard(self, guard: Guard, params: dict[str, Value] | None = None) -> z3.BoolRef:
        return z3.Or(*(z3.And(*(self.atom(atom, params or {}) for atom in one)) for one in guard))

    def atom(self, atom: Test | Bound, params: dict[str, Value]) -> z3.BoolRef:
        if isinstance(atom, Bound):
            return _compared(self.clocks[atom.clock], atom.op, z3.RealVal(atom.limit))
        left = self.term(atom.left, params)
        if isinstance(atom.right, tuple):
            found = z3.Or(*(left == self.code(one) for one in atom.right))
            return found if atom.op == "in" else z3.Not(found)
        right = self.term(atom.right, params)
        order = [] if atom.op in ("=", "!=") else [(left < TEXT) == (right < TEXT)]
        return z3.And(_compared(left, atom.op, right), *order)

    # Images (section 6).

    def post(self, condition: Condition, step: Step) -> Condition:
        """The post image: what one step leads to. Time that passes is not cut into parts."""
        event, time = (step, 0) if isinstance(step, Event) else (None, step)
        found = [
            (move.target, self._after(formula, move, time, []))
            for place, formula in condition.items()
            for move in self.moves(place, event)
        ]
        stutter = [] if event else [(place, z3.And(formula, _real(time) == 0)) for place, formula in condition.items()]
        return _united([*found, *stutter])

    def pre(self, condition: Condition, step: Step, places: Iterable[Place]) -> Condition:
        """The pre image: from where one step leads only into the condition, or nowhere."""
        event, time = (step, 0) if isinstance(step, Event) else (None, step)
        return {place: z3.simplify(z3.And(*self._before(condition, place, event, time))) for place in places}

    def _after(self, formula: z3.BoolRef, move: Move, time: int | z3.ArithRef, others: list[z3.ArithRef]) -> z3.BoolRef:
        """The symbolic transformer; `others` are what grows with the clocks."""
        grown = [*self.clocks.values(), *others]
        earlier = [(clock, clock - time) for clock in grown]
        before = z3.And(z3.substitute(formula, *earlier), *(clock >= time for clock in grown), move.guard)
        fresh = [(name, z3.FreshConst(name.sort())) for name, _ in move.update]
        new = [name == z3.substitute(value, *fresh) for name, value in move.update]
        old = [name for _, name in fresh] + ([time] if others else [])
        return eliminated(old, z3.And(z3.substitute(before, *fresh), *new))

    def _before(
        self, condition: Condition, place: Place, event: Event | None, time: int | z3.ArithRef
    ) -> Iterator[z3.BoolRef]:
        later = [(clock, clock + time) for clock in self.clocks.values()]
        for move in self.moves(place, event):
            rewound = z3.substitute(condition.get(move.target, z3.BoolVal(False)), *move.update)
            yield z3.substitute(z3.Or(rewound, z3.Not(move.guard)), *later)
        if event is None:
            yield z3.Or(_real(time) != 0, condition.get(place, z3.BoolVal(False)))

    # Strongest postconditions and weakest preconditions.

    def sp(self, condition: Condition, step: Step) -> Condition:
        if isinstance(step, Event):
            return self.satisfied(self.post(condition, step))
        spent, part = z3.Real("spent"), z3.Real("part")
        whole = {place: z3.And(formula, spent == 0) for place, formula in condition.items()}
        new = [(place, cube) for place, formula in whole.items() for cube in cubes(formula)]
        for _ in range(ROUNDS):
            ends = [
                (move.target, z3.And(end, spent <= step))
                for place, cube in new
                for move in self.moves(place)
                for end in cubes(self._after(z3.And(cube, part >= 0), move, part, [spent]))
            ]
            new = []
            for place, cube in ends:
                if not self.included({place: cube}, whole):
                    new.append((place, cube))
                    whole = _united([*whole.items(), new[-1]])
            if not new:
                return self.satisfied({at: z3.substitute(one, (spent, _real(step))) for at, one in whole.items()})
        raise NotIdempotent

    def wp(self, step: Step, condition: Condition, places: Iterable[Place]) -> Condition:
        if isinstance(step, Event):
            return self.pre(condition, step, places)
        left, part = z3.Real("left"), z3.Real("part")
        reached = self._closure(places)
        whole = {at: z3.Or(left != 0, condition.get(at, z3.BoolVal(False))) for at in reached}
        for _ in range(ROUNDS):
            rest = {place: z3.substitute(formula, (left, left - part)) for place, formula in whole.items()}
            within = z3.And(part >= 0, part <= left)
            less = {
                at: z3.And(whole[at], *(_always(part, within, one) for one in self._before(rest, at, None, part)))
                for at in reached
            }
            if self.included(whole, less, left >= 0, left <= step):
                return {at: z3.simplify(z3.substitute(whole[at], (left, _real(step)))) for at in places}
            whole = less
        raise NotIdempotent

    def _closure(self, places: Iterable[Place]) -> list[Place]:
        found = list(places)
        for place in found:
            found += {move.target for move in self.moves(place)} - set(found)
        return found

    def included(self, low: Condition, high: Condition, *given: z3.BoolRef) -> bool:
        """Whether every configuration of one is in the other."""
        return not any(
            satisfiable(self.positive, *given, formula, z3.Not(high.get(place, z3.BoolVal(False))))
            for place, formula in low.items()
        )

    def satisfied(self, condition: Condition) -> Condition:
        """Without the locations where nothing satisfies it."""
        return {place: formula for place, formula in condition.items() if satisfiable(self.positive, formula)}

    def valid(self, before: Condition, steps: Iterable[Step], after: Condition) -> bool:
        """Whether a Hoare triple is valid."""
        for step in steps:
            before = self.sp(before, step)
        return self.included(before, after)

    # Localise, explain, classify (sections 3 to 5).

    def run(self, steps: Iterable[Step]) -> Proof:
        """The strongest proof, up to the fault if there is one."""
        taken: list[Step] = []
        conditions = [self.initial]
        for step in steps:
            taken.append(step)
            conditions.append(self.sp(conditions[-1], step))
            if not conditions[-1]:
                break
        return Proof(tuple(taken), tuple(conditions))

    def weakened(self, proof: Proof) -> Proof:
        """The interpolated proof of a fault."""
        clauses = self.interpolated(proof)
        conditions = [{place: joined(one) for place, one in at.items()} for at in clauses]
        return Proof(proof.steps, (self.initial, *conditions[1:]))

    def interpolated(self, proof: Proof) -> list[dict[Place, Clauses]]:
        """For each condition of the proof, from the back, clauses between it and the weakest precondition."""
        times: list[Any] = [step for step in proof.steps if z3.is_expr(step)]
        given = z3.And(self.positive, *(time >= 0 for time in times))
        found: list[dict[Place, Clauses]] = [{}]
        for step, low in zip(reversed(proof.steps), reversed(proof.conditions[:-1]), strict=True):
            after = {place: joined(one) for place, one in found[0].items()}
            high = self.wp(step, after, low)
            found.insert(0, {at: interpolant(low[at], high[at], given, after.values()) for at in low})
        return found

    def explanations(self, proof: Proof) -> list[tuple[int, ...]]:
        """All ways to leave out irrelevant steps of a weakened proof: the steps that stay, none a part of another."""
        end = len(proof.steps)
        best: list[set[frozenset[int]]] = [set() for _ in range(end)] + [{frozenset()}]
        for start in reversed(range(end)):
            options = {kept | {start} for kept in best[start + 1]}
            for stop, left in self.irrelevant(proof, start):
                options |= {kept | left for kept in best[stop]}
            best[start] = {one for one in options if not any(other < one for other in options)}
        return sorted(tuple(sorted(kept)) for kept in best[0])

    def irrelevant(self, proof: Proof, start: int) -> Iterator[tuple[int, frozenset[int]]]:
        """How far events from `start` on are irrelevant, and what is left of the steps: nothing, or their waits."""
        before = waited = proof.conditions[start]
        waits: frozenset[int] = frozenset()
        for stop, step in enumerate(proof.steps[start:-1], start + 1):
            if not isinstance(step, Event):
                waited, waits = self.sp(waited, step), waits | {stop - 1}
            after = proof.conditions[stop]
            if self.included(before, after):
                yield stop, frozenset()
            elif len(waits) < stop - start and self.included(waited, after):
                yield stop, waits

    def template(self, events: tuple[Event, ...]) -> Template:
        """For each condition of the template of the events, from Init on, its atomic clock constraints.

        Its steps are u0, the first event, u1, and so on; the last event is the fault. One template is kept for each
        sequence, as eliminating quantifiers twice may give two forms of it.
        """
        key = tuple(event.text for event in events)
        if key not in self._templates:
            steps = [step for number, event in enumerate(events) for step in (z3.Real(f"u{number}"), event)]
            found = self.interpolated(self.symbolic(steps))
            self._templates[key] = tuple(tuple(self._constraints(at.values())) for at in found)
        return self._templates[key]

    def symbolic(self, steps: list[Step]) -> Proof:
        """The strongest proof for all times at once; it need not end in false, as some times may be no fault."""
        conditions = [self.initial]
        for step in steps:
            known = z3.BoolVal(True) if isinstance(step, Event) else step >= 0
            before = {place: z3.And(formula, known) for place, formula in conditions[-1].items()}
            conditions.append(self.sp(before, step))
        return Proof(tuple(steps), (*conditions[:-1], FALSE))

    def _constraints(self, formulas: Iterable[Clauses]) -> Iterator[z3.BoolRef]:
        """The literals about clocks and times."""
        literals = [one for clauses in formulas for clause in clauses for one in clause]
        found = {said(one): one for one in literals if any(z3.is_real(part) for part in parts(one))}
        return iter(found[text] for text in sorted(found))

    def key(self, steps: Iterable[Step]) -> tuple[object, ...]:
        """Equal for two explanations just if they are equivalent. The last step is an event."""
        events, waits = normal(steps)
        times = [(z3.Real(f"u{number}"), z3.RealVal(wait)) for number, wait in enumerate(waits)]
        holds = [[satisfiable(self.positive, z3.substitute(one, *times)) for one in at] for at in self.template(events)]
        return tuple(event.text for event in events), tuple(map(tuple, holds))


def normal(steps: Iterable[Step]) -> tuple[tuple[Event, ...], list[int]]:
    """Events, and the time that passes before each: what several waits in a row add up to."""
    events: list[Event] = []
    waits = [0]
    for step in steps:
        if isinstance(step, Event):
            events.append(step)
            waits.append(0)
        else:
            assert isinstance(step, int)
            waits[-1] += step
    return tuple(events), waits[:-1]


def steps(trace: Trace) -> list[Step]:
    """The steps of a trace: a wait, an event, a wait, ..., an event, a wait."""
    found: list[Step] = []
    now = 0
    for event, time in brute.steps(trace):
        found.append(time - now if event is None else event)
        now = time
    return found


def first_fault(model: Model, trace: Trace) -> int | None:
    """The index of the first step that the model does not allow."""
    proof = Paper(model).run(steps(trace))
    return None if proof.conditions[-1] else len(proof.steps) - 1


def _united(found: Iterable[tuple[Place, z3.BoolRef]]) -> Condition:
    """One formula for each location (Lemma 1)."""
    condition: Condition = {}
    for place, formula in found:
        condition[place] = z3.simplify(z3.Or(condition[place], formula)) if place in condition else formula
    return condition


def _always(name: z3.ArithRef, within: z3.BoolRef, formula: z3.BoolRef) -> z3.BoolRef:
    return z3.simplify(z3.Not(eliminated([name], z3.And(within, z3.Not(formula)))))


def _real(number: int | z3.ArithRef) -> z3.ArithRef:
    return z3.RealVal(number) if isinstance(number, int) else number


def _compared(left: z3.ArithRef, op: str, right: z3.ArithRef) -> z3.BoolRef:
    match op:
        case "=":
            return left == right
        case "!=":
            return left != right
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
        case _:
            return left >= right
