"""Liveness: which variables and clocks still matter in a state.

A name is *live* in a location of a component if the component may read it there, or later, before it writes it. A name
that is live for no component may have any value: whatever happens next is the same. So two states that differ only in
such names are one state. After a fault there are many of these: an answer that was due may have been given or not, and
the clock that measured the time for it is not needed any more in either case.
"""

from __future__ import annotations

from rootward.traces.model.guard import Guard, Var, names
from rootward.traces.model.model import Component, Edge


def find_live_names(part: Component) -> list[frozenset[str]]:
    """Return, for each location of a component, the variables and clocks that are live there."""
    places = {one.name: place for place, one in enumerate(part.locations)}
    live = [_names_read(one.stay) | _names_read(one.invariant) for one in part.locations]
    steps = [
        (places[edge.source], places[edge.target], _names_read_by(edge), edge.written_names) for edge in part.edges
    ]
    changed = True
    while changed:
        changed = False
        for source, target, read, written in steps:
            more = read | (live[target] - written)
            if not more <= live[source]:
                live[source] |= more
                changed = True
    return [frozenset(some) for some in live]


def _names_read(guard: Guard) -> set[str]:
    variables, _, clocks = names(guard)
    return variables | clocks


def _names_read_by(edge: Edge) -> set[str]:
    return _names_read(edge.when) | {term.name for term in edge.set.values() if isinstance(term, Var)}
