"""The general form of a model: components with locations and edges, as in section 2 of the paper.

A location exists if it is listed, if it is initial, or if edges lead both to it and away from it. (A name that occurs
only once is more likely a typing error.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rootward.errors import InputError
from rootward.traces.languages.expressions import Scope, guard, term
from rootward.traces.languages.nodes import Node, suggest
from rootward.traces.model.guard import TRUE, Guard, Param, Term
from rootward.traces.model.model import Component, Edge, Location
from rootward.traces.model.pattern import Pattern, repeats_a_choice

MAX_EDGES = 100_000
"""Maximum number of edges of a component, if edges from ``*`` are written out."""
MAX_PATTERN_LENGTH = 1000
"""Maximum number of characters of a pattern."""
REASON = ("requirement", "text")
"""The keys that give a reason: ``requirement`` is the name or the text of a requirement, ``text`` its text."""


def compile_component(name: str, node: Node, scope: Scope) -> Component:
    """Compile one component that is written out as locations and edges."""
    what = f"the component {name}"
    parts = node.checked_entries(what, ("initial", "locations", "edges", "deterministic"))
    if "initial" not in parts or "edges" not in parts:
        raise node.error(f"{what} needs `initial`, the location it starts in, and `edges`, a list")
    initial = tuple(one.text("the name of a location") for one in parts["initial"].items("the name of a location"))
    listed = parts["locations"].entries("locations by their names") if "locations" in parts else {}
    edges = parts["edges"].items("a list of edges")
    names = _collect_locations(initial, listed, edges)
    known = {*listed, *(one.text("a location") for edge in edges for one in _end_nodes(edge))}
    for one in parts["initial"].items("the name of a location") if edges else ():
        if one.value not in known:
            raise one.error(
                f"the initial location {one.value!r} is not listed and has no edges: "
                f"{suggest(str(one.value), sorted(known))}"
            )
    if len(names) * sum(_leaves_every_location(one) for one in edges) > MAX_EDGES:
        raise node.error(f"{what} has more than {MAX_EDGES:,} edges, the maximum")
    return Component(
        name,
        tuple(_location(one, listed.get(one), scope) for one in names),
        initial,
        tuple(edge for one in edges for edge in _edges(one, names, scope)),
        _read_bool(parts["deterministic"]) if "deterministic" in parts else False,
    )


def read_updates(node: Node, scope: Scope) -> dict[str, Term]:
    """Read the values that an update assigns to variables."""
    found = {}
    for name, value in node.entries("variables and their new values").items():
        if name in scope.clocks:
            raise value.error(f"{name} is a clock: write `reset: {name}`")
        found[_require_declared(name, value, scope.variables, "variable")] = term(value, scope)
    return found


def _read_bool(node: Node) -> bool:
    if node.value not in ("true", "false"):
        raise node.error(f"expected true or false, got {node.value!r}")
    return node.value == "true"


def _require_declared(name: str, node: Node, allowed: Iterable[str], what: str) -> str:
    if name not in (allowed := sorted(allowed)):
        raise node.error(f"unknown {what} {name!r}: {suggest(name, allowed)}")
    return name


def _collect_locations(initial: Iterable[str], listed: Mapping[str, Node], edges: Iterable[Node]) -> tuple[str, ...]:
    """Return the names of all locations, in the order in which they first occur."""
    ends: dict[str, dict[str, Node]] = {"from": {}, "to": {}}
    known = dict.fromkeys([*listed, *initial])
    for edge in edges:
        entries = edge.entries("an edge such as {from: a, to: b, on: req ECU set}")
        for key, found in ends.items():
            if key not in entries:
                raise edge.error("an edge needs `from` and `to`")
            for one in entries[key].items("the name of a location"):
                found.setdefault(one.text("the name of a location"), one)
    ends["from"].pop("*", None)
    for name, node in {**ends["to"], **ends["from"]}.items():
        if name not in known and not (name in ends["to"] and name in ends["from"]):
            raise node.error(
                f"the location {name!r} is not listed, and edges do not lead both to it and away from it: "
                f"{suggest(name, known)}"
            )
    return tuple(dict.fromkeys([*known, *ends["from"], *ends["to"]]))


def _end_nodes(edge: Node) -> Iterator[Node]:
    """Yield the nodes that name the locations at both ends of an edge."""
    for key in ("from", "to"):
        yield from edge.entries("an edge")[key].items("the name of a location")


def _leaves_every_location(edge: Node) -> bool:
    """Return True if the edge is written with ``from: *``: it leaves every location."""
    return any(one.value == "*" for one in edge.entries("an edge")["from"].items("the name of a location"))


def _location(name: str, node: Node | None, scope: Scope) -> Location:
    if node is None:
        return Location(name)
    parts = node.checked_entries(f"the location {name}", ("invariant", "stay", *REASON))
    return Location(name, _read_guard(parts, "invariant", scope), _read_guard(parts, "stay", scope), read_reason(parts))


def _read_guard(parts: Mapping[str, Node], key: str, scope: Scope) -> Guard:
    return guard(parts[key], scope) if key in parts else TRUE


def _edges(node: Node, names: tuple[str, ...], scope: Scope) -> Iterable[Edge]:
    parts = node.checked_entries("an edge", ("from", "to", "on", "when", "set", "reset", *REASON))
    on = pattern(parts["on"]) if "on" in parts else None
    scope = scope.with_params({name: Param(name) for name in sorted(on.params)} if on else {})
    when = _read_guard(parts, "when", scope)
    values = read_updates(parts["set"], scope) if "set" in parts else {}
    clocks = parts["reset"].items("clocks") if "reset" in parts else ()
    reset = frozenset(_require_declared(one.text("a clock"), one, scope.clocks, "clock") for one in clocks)
    sources = [one.text("the name of a location") for one in parts["from"].items("the name of a location")]
    target = parts["to"].text("the name of one location")
    for source in names if "*" in sources else dict.fromkeys(sources):
        yield Edge(source, target, on, when, values, reset, read_reason(parts))


def pattern(node: Node) -> Pattern:
    """Read a pattern, and check that it compiles and cannot take exponential time."""
    text = node.text("a pattern such as `req ECU set <value>`")
    if not text.strip() or len(text) > MAX_PATTERN_LENGTH:
        raise node.error(f"a pattern must have 1 to {MAX_PATTERN_LENGTH:,} characters, such as `req ECU set <value>`")
    if repeats_a_choice(text):
        raise node.error(
            f"pattern {text!r}: a repeated group must not contain | * + ? or {{n,m}}, because matching it can take "
            "exponential time"
        )
    found = Pattern(text)
    try:
        _ = found.params
    except InputError as error:
        raise node.error(str(error)) from None
    return found


def read_reason(parts: Mapping[str, Node], default: str = "") -> str:
    """Return the requirement that the entries name or spell out.

    Returns ``default`` if the entries have neither ``requirement`` nor ``text``.
    """
    if node := parts.get("requirement") or parts.get("text"):
        return node.text("the name of a requirement, or its text")
    return default
