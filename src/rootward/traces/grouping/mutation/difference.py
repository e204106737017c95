"""Where a change of a model first makes a difference to a trace: until there, it need not be replayed again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from rootward.traces.event import Event, Step, Wait
from rootward.traces.guard import TRUE
from rootward.traces.model import Component, Edge
from rootward.traces.running.engine import Engine, States


class Difference:
    """Between an engine and one for a changed model, with the same locations, variables and clocks."""

    def __init__(self, old: Engine, new: Engine) -> None:
        self._old, self._new = old, new
        pairs = zip(old.model.components, new.model.components, strict=True)
        self._parts = [_Part(k, a, b) for k, (a, b) in enumerate(pairs) if a is not b]

    def concerns(self, states: States, step: Step) -> bool:
        """Whether a step may have another outcome in these states."""
        return any(
            part.passing(states) if isinstance(step, Wait) else self._taking(part, states, step) for part in self._parts
        )

    def _taking(self, part: _Part, states: States, event: Event) -> bool:
        places = part.taking(event)
        if not places:
            return False
        if any(state.locations[part.number] in places for state in states):
            return True
        return self._knows(self._old, part.number, event) != self._knows(self._new, part.number, event)

    def _knows(self, engine: Engine, number: int, event: Event) -> bool:
        return any(k == number for k, _ in engine.moves(event))


class _Part:
    """A component that was changed."""

    def __init__(self, number: int, old: Component, new: Component) -> None:
        self.number = number
        self._edges: dict[int, list[Edge]] = defaultdict(list)
        numbers = {one.name: place for place, one in enumerate(old.locations)}
        for edge in _apart(old, new):
            self._edges[numbers[edge.source]].append(edge)
        pairs = list(zip(old.locations, new.locations, strict=True))
        self._timed = {place for place, (a, b) in enumerate(pairs) if (a.stay, a.invariant) != (b.stay, b.invariant)}
        self._timed |= {place for place, edges in self._edges.items() if any(edge.on is None for edge in edges)}
        self._entering = any(a.invariant != b.invariant != TRUE for a, b in pairs)
        self._known: dict[str, frozenset[int]] = {}

    def passing(self, states: States) -> bool:
        return self._entering or any(state.locations[self.number] in self._timed for state in states)

    def taking(self, event: Event) -> frozenset[int]:
        """The locations in which another edge takes an event."""
        found = self._known.get(event.text)
        if found is None:
            found = self._known[event.text] = frozenset(self._matching(event))
        return found

    def _matching(self, event: Event) -> Iterator[int]:
        for place, edges in self._edges.items():
            if any(edge.on is not None and edge.on.match(event) is not None for edge in edges):
                yield place


def _apart(old: Component, new: Component) -> list[Edge]:
    """The edges that only one of them has."""
    before, after = {id(edge) for edge in old.edges}, {id(edge) for edge in new.edges}
    return [e for e in old.edges if id(e) not in after] + [e for e in new.edges if id(e) not in before]
