"""Liveness: which variables and clocks still matter in a state.

A name is *live* in a location of a component if the component may read it there, or later, before it writes it. A name
that is live for no component may have any value: whatever happens next is the same. So two states that differ only in
such names are one state. After a fault there are many of these: an answer that was due may have been given or not, and
the clock that measured the time for it is not needed any more in either case.
"""

from __future__ import annotations

from rootward.traces.model.model import Component, Edge


def find_live_names(part: Component) -> list[frozenset[str]]:
    """Return, for each location of a component, the variables and clocks that are live there."""
    live = {one.name: one.read_names for one in part.locations}
    arriving: dict[str, list[Edge]] = {one.name: [] for one in part.locations}
    for edge in part.edges:
        arriving[edge.target].append(edge)
        live[edge.source] |= edge.read_names
    changed = list(live)
    while changed:
        target = changed.pop()
        for edge in arriving[target]:
            more = live[target] - edge.written_names
            if not more <= live[edge.source]:
                live[edge.source] |= more
                changed.append(edge.source)
    return [live[one.name] for one in part.locations]
