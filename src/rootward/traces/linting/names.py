"""Remarks on a model, and the first rule: every name that is used must be declared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from rootward.errors import InputError
from rootward.traces.model.guard import Guard, Param, Var, names
from rootward.traces.model.model import Component, Edge, Model
from rootward.traces.model.pattern import Pattern

Severity = Literal["error", "warning"]


@dataclass(frozen=True)
class LintRemark:
    """One finding of the linter."""

    severity: Severity
    """An error is certainly a mistake; a warning may be intended, or may never matter."""
    component: str
    where: str
    """The location or the edge."""
    text: str
    """The problem, and how to correct it."""

    def __str__(self) -> str:
        return f"{self.severity}: component {self.component}, {self.where}: {self.text}"


def edge_name(edge: Edge) -> str:
    return f"edge {edge.source} -> {edge.target} ({edge.label or edge.on or 'time'})"


def location_name(name: str) -> str:
    return f"location {name}"


def find_undeclared(model: Model) -> Iterator[LintRemark]:
    """Yield an error for each name that is not declared, or declared twice."""
    for name, count in Counter(component.name for component in model.components).items():
        if count > 1:
            yield LintRemark("error", name, "name", f"{count} components have this name: give each a different one.")
    for component in model.components:
        yield from _check_locations(model, component)
        for edge in component.edges:
            for text in _check_edge(model, component, edge):
                yield LintRemark("error", component.name, edge_name(edge), text)


def _check_locations(model: Model, component: Component) -> Iterator[LintRemark]:
    there = Counter(location.name for location in component.locations)
    for name, count in there.items():
        if count > 1:
            text = f"it is declared {count} times: give each location a different name."
            yield LintRemark("error", component.name, location_name(name), text)
    if not component.initial:
        yield LintRemark("error", component.name, "initial", "there is no initial location: name one.")
    for name in component.initial:
        if name not in there:
            text = "it is initial, but not declared: add it to the locations."
            yield LintRemark("error", component.name, location_name(name), text)
    for location in component.locations:
        for what, guard in (("invariant", location.invariant), ("stay condition", location.stay)):
            for text in _check_guard(model, guard, frozenset(), f"the {what}"):
                yield LintRemark("error", component.name, location_name(location.name), text)


def _check_edge(model: Model, component: Component, edge: Edge) -> Iterator[str]:
    there = {location.name for location in component.locations}
    for name in dict.fromkeys((edge.source, edge.target)):
        if name not in there:
            yield f"the location {name} is not declared: add it to the locations, or correct the name."
    try:
        params = edge.on.params if edge.on else frozenset()
    except InputError as error:
        yield f"{error}: correct the pattern."
        return
    yield from _check_derived(edge.on) if edge.on else ()
    yield from _check_guard(model, edge.when, params, "the guard")
    used = [term.name for term in edge.set.values() if isinstance(term, Var)]
    yield from _report_undeclared("variable", [*edge.set, *used], model.variables, "the update")
    yield from _report_unknown_params(
        (term.name for term in edge.set.values() if isinstance(term, Param)), params, "the update"
    )
    yield from _report_undeclared("clock", edge.reset, model.clocks, "the update")


def _check_derived(pattern: Pattern) -> Iterator[str]:
    known = set(Pattern(pattern.text).params)
    for one in pattern.derived:
        yield from _report_unknown_params(one.sources, frozenset(known), f"the computation of ${one.name}")
        known.add(one.name)


def _check_guard(model: Model, guard: Guard, params: frozenset[str], what: str) -> Iterator[str]:
    variables, named, clocks = names(guard)
    yield from _report_undeclared("variable", variables, model.variables, what)
    yield from _report_unknown_params(named, params, what)
    yield from _report_undeclared("clock", clocks, model.clocks, what)


def _report_undeclared(kind: str, used: Iterable[str], declared: Iterable[str], what: str) -> Iterator[str]:
    for name in sorted(set(used) - set(declared)):
        yield f"{what} uses the {kind} {name}, which is not declared: declare it, or correct the name."


def _report_unknown_params(used: Iterable[str], named: frozenset[str], what: str) -> Iterator[str]:
    for name in sorted(set(used) - named):
        yield f"{what} uses ${name}, but the pattern has no <{name}>: add it there, or correct the name."
