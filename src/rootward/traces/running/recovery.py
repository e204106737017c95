"""Recovery: the states from which a replay continues after a departure.

A departure says that the system did something else than the model requires, but not what. So the replay continues from
everything that it may have done. What follows is a departure only if it contradicts all of this; the possibilities that
are wrong disappear with the messages that contradict them.

**After a message that is not allowed** the components that forbid it may have

- done what the model does on such a message, in this location or in another one, whatever the guards say;
- given the answer that was due, wrongly: the request is used up. Whether it had its effect is open, and a value that
  only the right answer would have shown is unknown;
- done nothing: the message does not belong here, and the right answer is still due.

If none of them owes an answer (a response to one service came, but another service was asked), the message may also be
the answer that another component owes. A message that could not be decoded stands for an answer or for a request.

**After a time that is not allowed** an answer is overdue. It may have been given unseen, with or without its effect, or
it may still come. The component goes on as if it had been given; if the answer comes after all, it is allowed, but only
once, and only until a later answer of this component was seen. Timers run during that time as usual.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice, product
from typing import NamedTuple
from weakref import WeakKeyDictionary

from rootward.formats.recordings.uds import decode_request
from rootward.traces.model.event import ERROR, REQUEST, RESPONSE, Event, Step, Wait
from rootward.traces.model.guard import FALSE, Atom, Conjunction, Param, Test, Value, bounds, format_duration
from rootward.traces.model.model import Edge
from rootward.traces.model.overlap import NO, can_both_match
from rootward.traces.model.pattern import Pattern
from rootward.traces.running.engine import Engine, States
from rootward.traces.running.part import Move
from rootward.traces.running.reflex import effects
from rootward.traces.running.state import Moment, SymbolicState, evaluate_term, narrow_state, update_state
from rootward.traces.running.unknown_values import Datum, Symbol

MAX_STATES_AFTER_FAULT, MAX_WAYS = 200, 1000
"""Maximum number of states from which a replay continues after a departure, and of ways tried to get there from each
state before it."""


class Change(NamedTuple):
    """A possible effect on one component: its new location, and the variables and clocks that it wrote."""

    targets: tuple[tuple[int, int], ...] = ()
    values: tuple[tuple[int, Datum], ...] = ()
    clocks: tuple[int, ...] = ()


NOTHING = Change()
Listeners = dict[int, dict[int, list[Edge]]]
"""Edges by the number of their component and the number of the location from which they lead."""
_LISTENERS: WeakKeyDictionary[Engine, dict[str, Listeners]] = WeakKeyDictionary()
"""For each engine, the edges that may take an event of a pattern. Traces share them."""
Joint = tuple[Change, ...]
"""The changes of several components at the same time."""


class Recovery:
    """Finds the states after departures of one trace. It remembers which answers are overdue."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._listeners = _LISTENERS.setdefault(engine, {})
        self._overdue: dict[int, set[int]] = defaultdict(set)
        """The components whose answer is overdue, with the locations in which they waited for it."""

    def resume(self, states: States, step: Step) -> States:
        """Return the states after a step that the model does not allow."""
        found = self._after_wait(states, step) if isinstance(step, Wait) else self._after_event(states, step)
        return self._engine.drop_contained(islice(found, MAX_STATES_AFTER_FAULT)) or states

    def take_overdue(self, states: States, step: Step) -> States:
        """Return the states after an event that is an overdue answer; none if it cannot be one."""
        if not self._overdue or isinstance(step, Wait) or step.kind == REQUEST:
            return ()
        found: list[SymbolicState] = []
        for k, by_location in self._engine.moves(step):
            for late in self._overdue.pop(k, ()) if by_location else ():
                for state in states:
                    at = state.locations[k]
                    for after in self._engine.step([_apply(state, [Change(((k, late),))], None)], step):
                        asked_again = self._is_due(state, k)
                        found.append(_apply(after, [Change(((k, at),))], None) if asked_again else after)
        return self._engine.drop_contained(found)

    # After a message

    def _after_event(self, states: States, event: Event) -> Iterator[SymbolicState]:
        for state in states:
            for changes in dict.fromkeys(islice(self._changes_on(state, event), MAX_WAYS)):
                yield from self._engine.enter(_apply(state, changes, event.time), _list_components(changes), event.time)
        if event.kind == ERROR and (request := _read_request(event)) is not None:
            yield from self._engine.step(states, request)

    def _changes_on(self, state: SymbolicState, event: Event) -> Iterator[Joint]:
        """Yield what the components together may have done on an event that is not allowed."""
        every: list[list[Change]] = []
        blocked: list[int] = []
        for k, by_location in self._engine.moves(event):
            here = by_location.get(state.locations[k], [])
            enabled = [one for one in here if self._may_hold(state, one.option.when, one.params, event.time)]
            if not enabled:
                blocked.append(k)
                anywhere = here or [move for moves in by_location.values() for move in moves]
                every.append([NOTHING, *self._used_up(state, k, event), *self._change_by(state, anywhere)])
            else:
                every.append(self._change_by(state, enabled))
        wrong = [k for k in blocked if self._is_due(state, k)]
        others = [] if wrong else [k for k in range(len(state.locations)) if k not in blocked]
        instead = [change for k in others for change in self._used_up(state, k, event)]
        for joint in product(*every):
            yield joint
            yield from ((*joint, change) for change in instead)
        for k in wrong or range(len(state.locations)):
            yield from self._unseen_answers(state, k, event.time, event)

    def _change_by(self, state: SymbolicState, moves: Sequence[Move]) -> list[Change]:
        found = []
        for move in moves:
            targets, values, clocks = effects(self._engine.names, self._engine.places, state, (move,))
            found.append(Change(targets, tuple(values.items()), clocks))
        return found

    def _may_hold(self, state: SymbolicState, when: Conjunction, params: Mapping[str, Value], now: int) -> bool:
        return bool(narrow_state(self._engine.names, state, when, params, now))

    # Answers that are due

    def _is_due(self, state: SymbolicState, k: int) -> bool:
        """Return whether a component has to do something before a deadline."""
        part = self._engine.parts[k].component
        return part.locations[state.locations[k]].name in part.deadlines

    def _answer_edges(self, state: SymbolicState, k: int, event: Event | None) -> Iterator[Edge]:
        """Yield the edges that a component takes on the answers that it owes.

        If an event is given, only answers of the same kind from the same ECU count.
        """
        part = self._engine.parts[k].component
        name = part.locations[state.locations[k]].name
        if name in part.initial and name not in part.deadlines:
            return
        for edge in part.edges:
            if edge.source != name or edge.target == name or edge.when == FALSE or edge.on is None or edge.is_request:
                continue
            if _plain_words(edge.on)[0] != ERROR and (event is None or _may_replace(event, edge.on)):
                yield edge

    def _used_up(self, state: SymbolicState, k: int, event: Event | None) -> list[Change]:
        """Return where a component may be if what it owed came, but wrongly and without effect.

        An answer that only asks for more time uses up nothing; if it has come wrongly, it has its effect.
        """
        part = self._engine.parts[k]
        targets = dict.fromkeys(edge.target for edge in self._answer_edges(state, k, event))
        ends = [target for target in targets if target not in part.component.deadlines]
        return [Change(((k, part.places[target]),)) for target in ends or targets]

    def _unseen_answers(self, state: SymbolicState, k: int, now: int, event: Event | None = None) -> Iterator[Joint]:
        """Yield what the components together do on the answers that component ``k`` owes. Other components that may
        know such an answer take part, or not."""
        for edge in self._answer_edges(state, k, event):
            assert edge.on is not None
            listeners = self._find_listeners(edge.on)
            others = (
                self._overhear(state, other, edges, now)
                for other, by_location in listeners.items()
                if other != k and (edges := by_location.get(state.locations[other]))
            )
            for joint in islice(product(*filter(None, others)), MAX_WAYS):
                yield (self._change_unseen(state, k, edge, now), *joint)

    def _find_listeners(self, answer: Pattern) -> Listeners:
        """Return the edges that may take an event of a pattern."""
        found = self._listeners.get(answer.text)
        if found is None:
            found = self._listeners[answer.text] = {}
            for k, part in enumerate(self._engine.parts):
                for edge in part.component.edges:
                    if edge.on is not None and edge.when != FALSE and _may_be_same(edge.on, answer):
                        found.setdefault(k, {}).setdefault(part.places[edge.source], []).append(edge)
        return found

    def _overhear(self, state: SymbolicState, k: int, edges: Sequence[Edge], now: int) -> list[Change]:
        """Return what a component may do on an unseen event that these edges may take; nothing if none of them can."""
        found = [
            self._change_unseen(state, k, edge, now)
            for edge in edges
            for when in edge.when
            if self._may_hold(state, tuple(atom for atom in when if not _compares_param(atom)), {}, now)
        ]
        return list(dict.fromkeys([*found, NOTHING])) if found else []

    def _change_unseen(self, state: SymbolicState, k: int, edge: Edge, now: int) -> Change:
        """Return what an edge does if its event was not seen: the values that the event would show are unknown."""
        names = self._engine.names
        values = {
            names.variables[name]: Symbol(f"{name} after {format_duration(now)}")
            if isinstance(term, Param)
            else evaluate_term(names, state, term, {})
            for name, term in edge.set.items()
        }
        clocks = tuple(names.clocks[name] for name in sorted(edge.reset))
        return Change(((k, self._engine.parts[k].places[edge.target]),), tuple(values.items()), clocks)

    # After a time

    def _after_wait(self, states: States, wait: Wait) -> Iterator[SymbolicState]:
        found = False
        for state in states:
            parts = range(len(state.locations))
            late = [k for k in parts if self._engine.is_stuck(state, k, wait.end)]
            late = late or [k for k in parts if self._engine.must_leave(state, k, wait.end)]
            for joints in islice(product(*(self._endings(state, k, wait.start) for k in late)), MAX_WAYS):
                changes = [change for joint in joints for change in joint]
                for after in self._engine.wait([_apply(state, changes, wait.start)], wait.start, wait.end):
                    found = True
                    yield after
            for k in late:
                self._overdue[k].add(state.locations[k])
        if not found:
            yield from (self._restart_clocks(state, wait.end) for state in states)
            yield from states

    def _endings(self, state: SymbolicState, k: int, now: int) -> list[Joint]:
        """Return how a component may have stopped waiting for an answer that did not come."""
        part = self._engine.parts[k]
        begin = Change(((k, part.places[part.component.initial[0]]),))
        given = [*((one,) for one in self._used_up(state, k, None)), *self._unseen_answers(state, k, now)]
        over = [joint for joint in given if not self._is_due(_apply(state, joint, now), k)]
        return list(dict.fromkeys([(begin,), *over]))

    def _restart_clocks(self, state: SymbolicState, now: int) -> SymbolicState:
        """Return the state in which every component that is too late gets its full time again."""
        late = [k for k in range(len(state.locations)) if self._engine.must_leave(state, k, now)]
        stays = [self._engine.parts[k].stays[state.locations[k]] for k in late]
        clocks = {self._engine.names.clocks[atom.clock] for atom in bounds(*stays)}
        return update_state(state, (), {}, sorted(clocks), now)


def _apply(state: SymbolicState, changes: Iterable[Change], now: Moment) -> SymbolicState:
    some = list(changes)
    return update_state(
        state,
        [target for one in some for target in one.targets],
        dict(value for one in some for value in one.values),
        list(dict.fromkeys(clock for one in some for clock in one.clocks)),
        now,
    )


def _list_components(changes: Iterable[Change]) -> list[int]:
    """Return the components that change their location."""
    return [k for one in changes for k, _ in one.targets]


def _may_replace(event: Event, answer: Pattern) -> bool:
    """Return whether an event may have come instead of an answer of this pattern: kind and ECU are the same."""
    kind, ecu, _ = _plain_words(answer)
    return kind in ("", RESPONSE if event.kind == ERROR else event.kind) and ecu in ("", event.ecu)


def _may_be_same(one: Pattern, other: Pattern) -> bool:
    """Return whether the same event may match both patterns."""
    pairs = zip(_plain_words(one), _plain_words(other), strict=True)
    same = all(not left or not right or left == right for left, right in pairs)
    return same and can_both_match(one, other) != NO


@lru_cache(maxsize=10_000)
def _plain_words(pattern: Pattern) -> tuple[str, str, str]:
    """Return the kind, the ECU and the operation that a pattern requires; each is empty if it is left open."""
    words = [*pattern.text.lstrip("/").split(), "", "", ""][:3]
    plain = [found[0] if (found := re.match(r"[\w-]+", word)) else "" for word in words]
    return plain[0], plain[1], plain[2]


def _compares_param(atom: Atom) -> bool:
    return isinstance(atom, Test) and (isinstance(atom.left, Param) or isinstance(atom.right, Param))


def _read_request(event: Event) -> Event | None:
    """Return the request that a broken message may have been, as far as it was received."""
    try:
        data = bytes.fromhex(event.payload)
    except ValueError:
        return None
    if not data:
        return None
    operation, payload, _ = decode_request(data)
    return Event(event.time, REQUEST, event.ecu, operation, payload, event.line)
