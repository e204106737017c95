"""Read networks of timed automata from UPPAAL files, as far as they can be expressed as a model.

A process becomes a component. An edge that synchronises on a channel becomes an edge on the events whose operation is
the name of that channel (``* * channel ...``), on both sides; if no process has the other side, the environment does.
An edge without a channel is taken while time passes. A process that receives a broadcast and has no edge for it stays
where it is. Everything else is rejected with its line: an approximation would blame the wrong system.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from rootward.errors import InputError
from rootward.formats.documents.xml_tree import XmlElement, read_markup
from rootward.traces.languages.uppaal_language import (
    ExpressionParser,
    Scope,
    Unsupported,
    UppaalSymbol,
    declarations,
    negate,
    parameters,
    quote,
    statements,
    updates,
    without_comments,
)
from rootward.traces.model.guard import TRUE, Guard, Var, any_of
from rootward.traces.model.model import Component, Edge, Location, Model
from rootward.traces.model.pattern import Pattern

MAX_EDGES = 100_000
"""Maximum number of edges of all processes together."""
_SYSTEM = re.compile(r"system\s+(?P<names>.+)", re.DOTALL)
_PROCESS = re.compile(r"(?P<name>[A-Za-z_]\w*)\s*(?::=|=)\s*(?P<template>[A-Za-z_]\w*)\s*\((?P<arguments>[^()]*)\)")
_SYNC = re.compile(r"(?P<name>[A-Za-z_]\w*)\s*(?P<side>[!?])")
_NAME = re.compile(r"[A-Za-z_]\w*")
_EDGE_LABELS = ("guard", "synchronisation", "assignment", "comments")


def read_uppaal(path: str | Path, *, unit: int = 1000) -> Model:
    """Read the model that an UPPAAL file (``.xml``) describes.

    Raises InputError, with the line, for anything that is not supported. ``unit`` is the number of microseconds in one
    time unit of the file; by default, a time unit is a millisecond.
    """
    root = read_markup(Path(path)).root.first("nta")
    if root is None:
        raise InputError(f"{path} is not an UPPAAL model: it has no <nta> element")
    return _Network(Path(path), root, unit).model()


@contextmanager
def _add_position(node: XmlElement) -> Iterator[None]:
    """Add the position of the node to an Unsupported error from inside the block."""
    try:
        yield
    except Unsupported as error:
        raise node.markup.error(node.start, f"<{node.name}>: {error}") from None


@dataclass(frozen=True)
class _Sync:
    """One side of a channel in one process: sender or receiver."""

    process: int
    channel: UppaalSymbol
    sends: bool


@dataclass
class _Process:
    name: str
    template: XmlElement
    scope: Scope
    locations: dict[str, Location] = field(default_factory=dict)
    """The locations, by their ids in the file."""
    edges: list[tuple[Edge, _Sync | None, XmlElement]] = field(default_factory=list)
    initial: str = ""


class _Network:
    def __init__(self, path: Path, root: XmlElement, unit: int) -> None:
        self.path, self.root, self.unit = path, root, unit
        self.templates = {_template_name(node): node for node in root.all("template")}
        self.globals = self._read_declarations(root, "", {})
        self.symbols = dict(self.globals)
        self.processes: list[_Process] = []

    def model(self) -> Model:
        system = self.root.first("system")
        if system is None:
            raise self.root.markup.error(self.root.start, "<nta> has no <system> element, which lists the processes")
        with _add_position(system):
            for name, template, arguments in self._list_processes(without_comments(system.words)):
                self.processes.append(self._process(name, template, arguments))
        self._check_channels()
        symbols = self.symbols.values()
        return Model(
            self.path.stem,
            tuple(map(self._component, range(len(self.processes)))),
            {symbol.name: symbol.value for symbol in symbols if symbol.kind == "variable"},
            {symbol.name: 0 for symbol in symbols if symbol.kind == "clock"},
        )

    def _read_declarations(self, node: XmlElement, prefix: str, outer: Scope) -> dict[str, UppaalSymbol]:
        part = node.first("declaration")
        if part is None:
            return {}
        with _add_position(part):
            return declarations(part.words, prefix, outer)

    def _list_processes(self, text: str) -> Iterator[tuple[str, str, list[str]]]:
        """Yield the processes of the system: name, template and arguments."""
        named: dict[str, tuple[str, list[str]]] = {}
        *before, last = statements(text) or [""]
        for statement in before:
            process = _PROCESS.fullmatch(statement)
            if process is None:
                raise Unsupported(f"expected a process such as `P = Template(1, 2)`, got {quote(statement)}")
            named[process["name"]] = process["template"], _split(process["arguments"])
        system = _SYSTEM.fullmatch(last)
        if system is None or not all(map(_NAME.fullmatch, _split(system["names"]))):
            raise Unsupported(
                f"expected a list of processes such as `system P, Q`, without priorities, got {quote(last)}"
            )
        for name in _split(system["names"]):
            template, arguments = named.get(name, (name, []))
            yield name, template, arguments

    def _process(self, name: str, template: str, arguments: list[str]) -> _Process:
        node = self.templates.get(template)
        if node is None or any(process.name == name for process in self.processes):
            raise Unsupported(
                f"unknown template {template}" if node is None else f"the process {name} is started twice"
            )
        given = self._bind_arguments(node, arguments)
        local = self._read_declarations(node, f"{name}.", {**self.globals, **given})
        self.symbols |= {symbol.name: symbol for symbol in local.values()}
        process = _Process(name, node, {**self.globals, **given, **local})
        self._locations(process)
        for transition in node.all("transition"):
            self._edge(process, transition)
        if sum(len(one.edges) for one in self.processes) + len(process.edges) > MAX_EDGES:
            raise Unsupported(f"the processes have more than {MAX_EDGES:,} edges, the maximum")
        return process

    def _bind_arguments(self, template: XmlElement, arguments: list[str]) -> dict[str, UppaalSymbol]:
        node = template.first("parameter")
        wanted = parameters(node.words) if node is not None else {}
        if len(wanted) != len(arguments):
            raise Unsupported(f"{_template_name(template)} takes {len(wanted)} arguments, not {len(arguments)}")
        return {
            name: resolve(argument, self.globals)
            for (name, resolve), argument in zip(wanted.items(), arguments, strict=True)
        }

    def _locations(self, process: _Process) -> None:
        if (branch := process.template.first("branchpoint")) is not None:
            raise branch.markup.error(branch.start, "probabilistic branches are not supported")
        seen: set[str] = set()
        for node in process.template.all("location"):
            with _add_position(node):
                location = self._location(process, node)
                if location.name in seen:
                    raise Unsupported(f"two locations have the name {location.name}")
                seen.add(location.name)
                process.locations[node.get("id")] = location
        init = process.template.first("init")
        if init is None or init.get("ref") not in process.locations:
            raise process.template.markup.error(process.template.start, "<template> has no initial location")
        process.initial = process.locations[init.get("ref")].name

    def _location(self, process: _Process, node: XmlElement) -> Location:
        for name in ("urgent", "committed"):
            if node.first(name) is not None:
                raise Unsupported(f"{name} locations are not supported")
        labels = _labels(node, ("invariant", "comments"))
        invariant = ExpressionParser(labels.get("invariant", ""), process.scope, self.unit).guard()
        return Location(node.text_of("name") or node.get("id"), invariant, requirement=labels.get("comments", ""))

    def _edge(self, process: _Process, node: XmlElement) -> None:
        with _add_position(node):
            labels = _labels(node, _EDGE_LABELS)
            when = ExpressionParser(labels.get("guard", ""), process.scope, self.unit).guard()
            written, reset = updates(labels.get("assignment", ""), process.scope)
            sync = self._sync(process, labels.get("synchronisation", ""))
            ends = [process.locations.get(_reference(node, end)) for end in ("source", "target")]
            source, target = ends
            if source is None or target is None:
                raise Unsupported("its source or target is not a location of this template")
            on = _pattern(sync.channel) if sync is not None else None
            edge = Edge(source.name, target.name, on, when, written, reset, labels.get("comments", ""))
            process.edges.append((edge, sync, node))

    def _sync(self, process: _Process, text: str) -> _Sync | None:
        if not text:
            return None
        match = _SYNC.fullmatch(text)
        symbol = process.scope.get(match["name"]) if match else None
        if match is None or symbol is None or symbol.kind not in ("channel", "broadcast"):
            raise Unsupported(f"expected a declared channel followed by ! or ?, got {quote(text)}")
        return _Sync(len(self.processes), symbol, match["side"] == "!")

    def _check_channels(self) -> None:
        """Refuse channels that pass values, have more than one sender, or have a process that sends and receives.

        A channel that is not a broadcast channel may not have more than one receiver either: in UPPAAL, one pair of
        processes takes part in its synchronisation. In a model, every component that knows an event takes it.
        """
        sides: dict[str, set[_Sync]] = defaultdict(set)
        writers: dict[tuple[str, str], set[int]] = defaultdict(set)
        meeting = [(edge, sync, node) for one in self.processes for edge, sync, node in one.edges if sync is not None]
        for edge, sync, node in meeting:
            sides[sync.channel.name].add(sync)
            for name in edge.set:
                writers[sync.channel.name, name].add(sync.process)
            with _add_position(node):
                _check_sides(sync.channel, sides[sync.channel.name])
        for edge, sync, node in meeting:
            used = {*edge.set, *(term.name for term in edge.set.values() if isinstance(term, Var))}
            for name in sorted(used):
                if writers.get((sync.channel.name, name), set()) - {sync.process}:
                    with _add_position(node):
                        raise Unsupported(
                            f"passing values over a channel is not supported: both sides of {sync.channel.name} "
                            f"use {name}"
                        )

    def _component(self, number: int) -> Component:
        process = self.processes[number]
        edges = [edge for edge, _, _ in process.edges]
        heard = {sync.channel.name: sync.channel for _, sync, _ in process.edges if sync is not None and not sync.sends}
        deaf = [
            edge
            for symbol in heard.values()
            if symbol.kind == "broadcast"
            for edge in self._idle_edges(process, symbol)
        ]
        locations = tuple(process.locations.values())
        return Component(process.name, locations, (process.initial,), (*edges, *deaf))

    def _idle_edges(self, process: _Process, channel: UppaalSymbol) -> Iterator[Edge]:
        """Yield the edges by which a process ignores a broadcast.

        A process that cannot react to the broadcast stays in its location.
        """
        for location in process.locations.values():
            taken = [
                edge.when
                for edge, sync, _ in process.edges
                if sync is not None and sync.channel == channel and edge.source == location.name
            ]
            rest: Guard = negate(any_of(taken)) if taken else TRUE
            if rest:
                yield Edge(location.name, location.name, _pattern(channel), rest)


def _check_sides(channel: UppaalSymbol, sides: set[_Sync]) -> None:
    senders, receivers = ({one.process for one in sides if one.sends == sends} for sends in (True, False))
    if len(senders) > 1 or senders & receivers or (len(receivers) > 1 and channel.kind == "channel"):
        raise Unsupported(
            f"the channel {channel.name} has more than one sender, more than one receiver, or a process that does "
            "both: which of them take part would be a choice, and that is not supported"
        )


def _pattern(channel: UppaalSymbol) -> Pattern:
    return Pattern(f"* * {channel.name} ...")


def _template_name(node: XmlElement) -> str:
    return node.text_of("name")


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")] if text.strip() else []


def _labels(node: XmlElement, known: tuple[str, ...]) -> dict[str, str]:
    """Return the labels of a location or an edge by kind."""
    found: dict[str, str] = {}
    for label in node.all("label"):
        kind = label.get("kind")
        if kind not in known or kind in found:
            raise Unsupported(
                f"it has two labels of the kind {quote(kind)}"
                if kind in found
                else f"labels of the kind {quote(kind)} are not supported"
            )
        text = label.words.strip()
        found[kind] = text if kind == "comments" else without_comments(text).strip()
    return found


def _reference(node: XmlElement, end: str) -> str:
    part = node.first(end)
    return part.get("ref") if part is not None else ""
