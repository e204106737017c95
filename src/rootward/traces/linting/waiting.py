"""Conditions of staying: those that can never hold, that others can break, and that trap."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rootward.traces.guard import FALSE, Bound, Guard, Term, said
from rootward.traces.linting.effect import upper
from rootward.traces.linting.firing import together
from rootward.traces.linting.possible import Domain
from rootward.traces.linting.remark import Remark, Severity, location_name
from rootward.traces.model import Component, Edge, Location, Model


def waiting(
    model: Model, component: Component, live: Iterable[Edge], variables: Mapping[Term, Domain]
) -> Iterator[Remark]:
    left = {edge.source for edge in live}
    for location in component.locations:
        where = location_name(location.name)
        for severity, text in _about(location, variables):
            yield Remark(severity, component.name, where, text)
        if location.name not in left and together([location.stay, location.invariant], variables):
            yield from _trap(model, component, location)


def _about(location: Location, variables: Mapping[Term, Domain]) -> Iterator[tuple[Severity, str]]:
    if not together([location.invariant], variables):
        yield "error", f"its invariant ({said(location.invariant)}) can never hold, so nobody can enter it: correct it."
    elif location.stay == FALSE:
        yield "warning", "no time may ever pass in it: if that is not meant, correct its stay condition."
    elif not together([location.stay, location.invariant], variables):
        yield (
            "error",
            (
                f"its stay condition ({said(location.stay)}) can never hold, so no time can pass in it: correct it, or "
                "write never if that is meant."
            ),
        )
    if not upper(location.invariant):
        yield (
            "warning",
            f"its invariant ({said(location.invariant)}) is not just an upper bound of clocks: it can fail at once, "
            "or by what another component does. Move the rest of it to the guards of the edges that lead here.",
        )


def _trap(model: Model, component: Component, location: Location) -> Iterator[Remark]:
    """A location that one has to leave in time, and cannot."""
    for what, guard in (("stay condition", location.stay), ("invariant", location.invariant)):
        clocks = _limits(guard)
        if clocks:
            others = (edge for one in model.components for edge in one.edges if one.name != component.name)
            rescued = any(edge.reset & clocks for edge in others)
            text = (
                f"its {what} ({said(guard)}) ends the stay, but no edge leads away: add an edge that can be taken "
                "before, or drop the limit."
            )
            yield Remark("warning" if rescued else "error", component.name, location_name(location.name), text)
            return


def _limits(guard: Guard) -> set[str]:
    """The clocks that end it, if time ends it in every case."""
    found = [{atom.clock for atom in case if isinstance(atom, Bound) and atom.op in ("<", "<=")} for case in guard]
    return set().union(*found) if found and all(found) else set()
