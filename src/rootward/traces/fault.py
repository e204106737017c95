"""Faults: where a trace departs from the model, what the model allows there, which messages matter, and what wrote the
values involved.

A fault holds facts. Its ``expected``, ``observed`` and ``writers`` present them in the patterns and names of the model;
`output.words` words them for people who have never seen the model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rootward.traces.grouping.timing import Occasion
from rootward.traces.model.event import Event, Trace, Wait
from rootward.traces.model.guard import (
    FALSE,
    Bound,
    Guard,
    Term,
    Test,
    Value,
    Var,
    bounds,
    format_duration,
    format_guard,
)
from rootward.traces.model.model import Edge, Location
from rootward.traces.proving.claim import InLocation
from rootward.traces.proving.explain import FaultExplanation, Root
from rootward.traces.proving.proof import Proof
from rootward.traces.running.engine import Engine
from rootward.traces.running.replay import Witness
from rootward.traces.running.state import SymbolicState
from rootward.traces.running.unknown_values import Datum

FORBIDDEN, LATE, MISSING = "forbidden", "late", "missing"
_WORD = re.compile(r"[A-Za-z_][\w.]*")


class Silence(NamedTuple):
    """A span of time that a fault needs.

    During this span the model took a time edge. Without it there would be no fault.
    """

    before: int
    """The index of the event before which it ended; the number of events if the recording ended first."""
    passed: int
    """Microseconds since the clock was restarted."""
    limit: int | None
    """The latest time at which the time edge is taken, in microseconds after the restart; if that had not come, the
    earliest. None if unknown."""

    def __str__(self) -> str:
        limit = f": more than {format_duration(self.limit)}" if self.limit is not None else ""
        return f"{format_duration(self.passed)} passed{limit}"


class AllowedEvent(NamedTuple):
    """An event that the model allows at the point of a fault."""

    event: str
    """Its pattern, or its label."""
    when: Guard
    values: tuple[tuple[str, Datum], ...]
    """The variables that the guard compares, with their values."""

    def __str__(self) -> str:
        if () in self.when:
            return self.event
        known = ", ".join(dict.fromkeys(f"{name} is {value}" for name, value in self.values))
        return f"{self.event} if {format_guard(self.when)}{f' ({known})' if known else ''}"


class Writer(NamedTuple):
    """The edge that last wrote a variable or clock on which a fault relies."""

    name: str
    component: str
    """The component of the edge; empty if nothing has written it since the beginning."""
    event: str
    value: Term | None
    """The value that the variable was set to; None if a clock was restarted."""
    silence: Silence | None
    """The time that passed, if a time edge wrote it."""

    def __str__(self) -> str:
        if not self.component:
            return f"{self.name}: as at the beginning"
        what = f"set to {self.value}" if self.value is not None else "restarted"
        return f"{self.name}: {what} by {self.component} ({str(self.silence) if self.silence else self.event})"


@dataclass(frozen=True)
class Fault:
    """One departure of one trace from the model."""

    trace: str
    path: str
    index: int
    """The index of the event at which the fault shows; the number of events if the recording ended before."""
    event: Event | None
    """The event at that index; None at the end of the recording."""
    kind: str
    """``forbidden``: this event was not allowed; ``late``: it came too late; ``missing``: it did not come."""
    component: str
    """The component of the model that forbids the step."""
    location: str
    """The location of that component."""
    allowed: tuple[AllowedEvent, ...]
    """The events of the same kind that the model allows at this point."""
    requirement: str
    limit: int | None
    """The time allowed, in microseconds, if the fault is about time."""
    took: int | None
    """The time it took, or that had passed when the recording ended, in microseconds."""
    kept: tuple[int, ...]
    """The indices of the events in the shortest explanation, the last event included: without them there would be no
    fault. Empty for a consequence."""
    roots: tuple[Root, ...]
    written: tuple[Writer, ...]
    """The writer of each root."""
    key: tuple[object, ...]
    """Faults with equal keys are alike."""
    occasion: Occasion | None
    """The data that decides whether two faults are equal in the paper's sense; None for a consequence."""
    checked: bool
    """True if the checker has accepted the proof."""
    cut: str = ""
    """The limit that was reached, if the fault is located but not explained; else empty."""
    consequence: bool = False
    """True if an earlier fault of the trace explains this one."""
    step: int = -1
    """The number, in the trace, of the step that was not allowed: an event, or the wait before one."""
    silences: tuple[Silence, ...] = ()
    """The spans of time that matter besides the messages."""
    modes: tuple[tuple[str, Value], ...] = ()
    """The known values of the variables on which many components depend (``Model.modes``), before the fault."""

    @property
    def expected(self) -> tuple[str, ...]:
        """The events that the model allows at the point of the fault, in the words of the model."""
        return tuple(dict.fromkeys(map(str, self.allowed)))

    @property
    def observed(self) -> str:
        if self.kind == MISSING or self.event is None:
            return "nothing" if self.took is None else f"nothing for {format_duration(self.took)}"
        return self.event.text if self.took is None else f"{self.event.text} after {format_duration(self.took)}"

    @property
    def writers(self) -> tuple[str, ...]:
        """The edges that last wrote the values involved, in the words of the model."""
        return tuple(map(str, self.written))

    @property
    def margin(self) -> int | None:
        """Microseconds by which the event was too late.

        None if the fault is not about time, or if the recording ended within the limit.
        """
        late = 0 if self.took is None or self.limit is None else self.took - self.limit
        return late if late > 0 else None


class Describer:
    """Collects the facts about a fault from its proof."""

    def __init__(self, engine: Engine) -> None:
        self._engine, self._model = engine, engine.model

    def describe(
        self,
        trace: Trace,
        witness: Witness,
        proof: Proof,
        explanation: FaultExplanation | None,
        roots: tuple[Root, ...],
        undone: frozenset[Root],
        occasion: Occasion | None,
    ) -> Fault:
        """Describe a fault.

        ``undone`` contains the roots that the fault needs: if the model omits the write of such a root, there is no
        fault.
        """
        state, last = witness.reached[-1][0], witness.steps[-1]
        component, location = self._find_blamed(proof, state)
        place = self._location(component, location)
        index = (witness.first + len(witness.steps)) // 2
        answer = self._find_late_answer(trace, index, component, location) if isinstance(last, Wait) else None
        kind = FORBIDDEN if isinstance(last, Event) else MISSING if answer is None else LATE
        shown = (
            index - 1 if isinstance(last, Event) else answer if answer is not None else min(index, len(trace.events))
        )
        event = trace.events[shown] if shown < len(trace.events) else None
        limit, took = self._time(state, place, event, trace) if isinstance(last, Wait) else (None, None)
        requirement = self._requirement(kind, component, location, event)
        ordered = self._put_required_first(roots, requirement, component, event)
        silences = {root: found for root in roots if (found := self._silence(witness, root)) is not None}
        return Fault(
            trace.name,
            trace.path,
            shown,
            event,
            kind,
            component,
            location,
            self._allowed_events(component, location, state, last),
            requirement,
            limit,
            took,
            _kept_events(explanation, witness, answer) if explanation is not None else (),
            roots,
            tuple(self._writer(root, silences.get(root)) for root in ordered),
            (
                kind,
                component,
                location,
                self._matching_names(component, event),
                any(event and edge.matches(event) for edge in self._edges(component, location)),
                tuple(
                    sorted({(*root.key, root in undone) for root in roots if root in undone or self._is_variable(root)})
                ),
            ),
            occasion,
            proof.checked,
            proof.cut,
            step=witness.end,
            silences=tuple(sorted(set(silences.values()), key=lambda one: (one.before, one.passed, one.limit or 0))),
            modes=tuple(self._list_modes(state)),
        )

    def _list_modes(self, state: SymbolicState) -> Iterator[tuple[str, Value]]:
        for name in self._model.modes:
            value = state.data[self._engine.names.variables[name]]
            if isinstance(value, int | str):
                yield name, value

    def _find_blamed(self, proof: Proof, state: SymbolicState) -> tuple[str, str]:
        """Return the component that forbids the last step, and its location."""
        claims = [claim for case in proof.conditions[-1] for claim in case if isinstance(claim, InLocation)]
        known = [one for one in claims if self._engine.location(state, one.component) == one.location]
        last = proof.steps[-1]
        if isinstance(last, Event):
            involved = {self._model.components[k].name for k, _ in self._engine.moves(last)}
            known = [one for one in known if one.component in involved] or known
        if not known:
            return "", ""
        one = min(known, key=lambda claim: self._engine.places[claim.component])
        return one.component, one.location

    def _location(self, component: str, location: str) -> Location | None:
        if not component:
            return None
        part = self._model.components[self._engine.places[component]]
        return next(one for one in part.locations if one.name == location)

    def _edges(self, component: str, location: str) -> Iterator[Edge]:
        part = self._model.components[self._engine.places[component]] if component else None
        yield from (edge for edge in part.edges if edge.source == location and edge.on) if part else ()

    def _find_late_answer(self, trace: Trace, index: int, component: str, location: str) -> int | None:
        """Return the index of the awaited event if it came after all.

        Returns None if it never came, or if the component took another event first.
        """
        if not component:
            return None
        k = self._engine.places[component]
        every = [edge for edge in self._edges(component, location) if edge.target != location]
        edges = [edge for edge in every if not edge.is_request] or every
        for place in range(index, len(trace.events)):
            event = trace.events[place]
            if any(one == k for one, _ in self._engine.moves(event)):
                return place if any(edge.matches(event) for edge in edges) else None
        return None

    def _is_variable(self, root: Root) -> bool:
        """Return whether a root is a variable, not a clock. (A clock counts in the key of a fault only if the fault
        would not occur without its restart.)"""
        return root.name in self._model.variables

    def _matching_names(self, component: str, event: Event | None) -> tuple[str, ...]:
        """Return the names that a component has for an event.

        These are the patterns or labels of all its edges that match the event, from any location.
        """
        if not component or event is None:
            return ()
        moves = self._engine.parts[self._engine.places[component]].moves(event) or {}
        return tuple(sorted({move.option.edge.event for some in moves.values() for move in some}))

    def _time(
        self, state: SymbolicState, place: Location | None, event: Event | None, trace: Trace
    ) -> tuple[int | None, int | None]:
        """Return the time allowed in a location, and the time from the reset of its clock to the event (or the end)."""
        bounds = _deadlines(place)
        if not bounds:
            return None, None
        bound = max(bounds, key=lambda one: one.limit)
        reset = state.resets[self._engine.names.clocks[bound.clock]]
        return bound.limit, None if reset is None else (event.time if event else trace.last) - reset

    def _silence(self, witness: Witness, root: Root) -> Silence | None:
        """Return how long nothing restarted the clock of a time edge that was taken."""
        edge = self._edge(root)
        step = witness.steps[root.step - witness.first] if root.step >= witness.first else None
        if edge is None or edge.on is not None or not isinstance(step, Wait):
            return None
        state = witness.reached[root.step - witness.first][0]
        place = self._location(root.component, edge.source)
        for clock in (atom.clock for atom in bounds(edge.when)):
            reset = state.resets[self._engine.names.clocks[clock]]
            if reset is not None:
                passed = step.end - reset
                times = [one.limit for one in (*_deadlines(place), *bounds(edge.when)) if one.clock == clock]
                limit = max((one for one in times if one <= passed), default=None)  # later ones have yet to come
                return Silence(root.step // 2, passed, limit)
        return None

    def _edge(self, root: Root) -> Edge | None:
        """Return the edge of a root.

        Returns None if the root still has its initial value.
        """
        part = self._model.components[self._engine.places[root.component]] if root.component else None
        return part.edges[root.edge] if part else None

    def kept_indices(self, one: FaultExplanation, witness: Witness, fault: Fault) -> tuple[int, ...]:
        """Return the indices of the events that an explanation of a fault keeps."""
        return _kept_events(one, witness, fault.index if fault.kind == LATE else None)

    def _allowed_events(
        self, component: str, location: str, state: SymbolicState, last: object
    ) -> tuple[AllowedEvent, ...]:
        """Return the events allowed in a location, of the same kind as the event that came."""
        kind = last.kind if isinstance(last, Event) else ""
        some = (edge for edge in self._edges(component, location) if edge.when != FALSE)
        edges = [edge for edge in some if not kind or edge.event.split(" ")[0] in (kind, "*")]
        return tuple(
            dict.fromkeys(AllowedEvent(edge.event, edge.when, self._values(edge.when, state)) for edge in edges)
        )

    def _values(self, when: Guard, state: SymbolicState) -> tuple[tuple[str, Datum], ...]:
        """Return the variables of a guard with their values."""
        tests = (atom for conjunction in when for atom in conjunction if isinstance(atom, Test))
        terms = (term for test in tests for term in (test.left, test.right) if isinstance(term, Var))
        return tuple(
            (name, state.data[self._engine.names.variables[name]]) for name in dict.fromkeys(t.name for t in terms)
        )

    def _requirement(self, kind: str, component: str, location: str, event: Event | None) -> str:
        """Return the requirement behind a fault.

        For a forbidden event, the edges from the location come first, and among them those that match the event. If
        none has a requirement, that of the location is used. For a late or missing event, the location comes first.
        """
        place = self._location(component, location)
        timing = [place.requirement if place else ""]
        begin = self._model.components[self._engine.places[component]].initial if component else ()
        last = sorted(
            self._edges(component, location),
            key=lambda edge: (not (event and edge.matches(event)), edge.target not in begin),
        )
        content = [edge.requirement for edge in last]
        name = next(filter(None, content + timing if kind == FORBIDDEN else timing + content), "")
        text = self._model.requirements.get(name, "")
        return f"{name}: {text}" if text else name

    def _put_required_first(
        self, roots: Sequence[Root], requirement: str, blamed: str, event: Event | None
    ) -> list[Root]:
        """Return the roots in another order: first the variables that the violated requirement names, then those that
        requirements name for which the observed answer is due."""
        edges = self._model.components[self._engine.places[blamed]].edges if blamed else ()
        others = {edge.requirement for edge in edges if event and edge.requirement and edge.matches(event)}
        first, second = set(_WORD.findall(requirement)), set(_WORD.findall(" ".join(others)))
        return sorted(roots, key=lambda root: (root.name not in first, root.name not in second))

    def _writer(self, root: Root, silence: Silence | None) -> Writer:
        edge = self._edge(root)
        if edge is None:
            return Writer(root.name, "", "", None, None)
        return Writer(root.name, root.component, edge.event, edge.set.get(root.name), silence)


def _kept_events(one: FaultExplanation, witness: Witness, answer: int | None) -> tuple[int, ...]:
    """Return the indices of the events that an explanation keeps.

    Includes ``answer``, the index of the answer that came too late, unless it is None.
    """
    kept = {(witness.first + place) // 2 for place in one.kept}
    return tuple(sorted(kept | ({answer} if answer is not None else set())))


def _deadlines(place: Location | None) -> list[Bound]:
    """Return the upper bounds of clocks that limit how long a component may stay."""
    every = bounds(place.stay, place.invariant) if place else ()
    return [bound for bound in every if bound.op in ("<", "<=")]
