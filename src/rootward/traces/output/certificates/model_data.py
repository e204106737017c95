"""A model as plain JSON data, and back: everything that a certificate needs to be checked where there is no model file.

What comes back may come from anybody, so nothing in it is believed: shapes, names, sizes and patterns are looked at
before a model is made of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from math import prod
from pathlib import Path
from typing import Any

from rootward.errors import InputError
from rootward.traces.languages.messages import FUNCTIONS, Xor, function, number, sub_function
from rootward.traces.languages.nodes import Node
from rootward.traces.linting.names import undeclared
from rootward.traces.model.guard import OPPOSITE, Atom, Bound, Const, Guard, Param, Term, Test, Value, Var
from rootward.traces.model.model import UNKNOWN, Component, Edge, Location, Model
from rootward.traces.model.pattern import Derived, Pattern, repeats_a_choice

LARGEST = 50_000_000
"""Bytes of a file."""
FAR = 10**18
"""No number is larger: in microseconds, these are 30,000 years."""
SEAL = "seal"
MOST = 200_000
"""Edges and locations of a model."""
BEGINNINGS = 10_000
_OWN: Mapping[str, Callable[[str], Value]] = {"number": number, "sub_function": sub_function}


def stored(model: Model) -> dict[str, Any]:
    """InputError if it computes parameters with a function that has no name."""
    return {
        "name": model.name,
        "components": [
            {
                "name": part.name,
                "locations": [
                    [one.name, stored_guard(one.invariant), stored_guard(one.stay), one.requirement]
                    for one in part.locations
                ],
                "initial": list(part.initial),
                "edges": [_stored_edge(edge) for edge in part.edges],
                "deterministic": part.deterministic,
            }
            for part in model.components
        ],
        "variables": {name: None if value is UNKNOWN else value for name, value in model.variables.items()},
        "clocks": {name: None if value is UNKNOWN else value for name, value in model.clocks.items()},
        "requirements": dict(model.requirements),
        "params": dict(model.params),
    }


def _stored_edge(edge: Edge) -> list[Any]:
    on = edge.on and {"text": edge.on.text, "derived": [_stored_derived(one) for one in edge.on.derived]}
    changes = [{name: stored_term(term) for name, term in edge.set.items()}, sorted(edge.reset)]
    return [edge.source, edge.target, on, stored_guard(edge.when), *changes, edge.requirement, edge.label]


def _stored_derived(one: Derived) -> list[Any]:
    known = {**_OWN, **FUNCTIONS}
    name = next((name for name, known_one in known.items() if known_one == one.function), None)
    if isinstance(one.function, Xor):
        name = f"xor_{one.function.byte:02X}"
    if name is None:
        raise InputError(
            f"${one.name} is computed by a function that has no name, so there can be no certificate: "
            "add it to rootward.traces.languages.FUNCTIONS"
        )
    return [one.name, name, list(one.sources)]


def stored_guard(guard: Guard) -> list[Any]:
    return [[stored_atom(atom) for atom in conjunction] for conjunction in guard]


def stored_atom(atom: Atom) -> list[Any]:
    if isinstance(atom, Bound):
        return ["clock", atom.clock, atom.op, atom.limit]
    right = {"values": list(atom.right)} if isinstance(atom.right, tuple) else stored_term(atom.right)
    return ["data", stored_term(atom.left), atom.op, right]


def stored_term(term: Term) -> dict[str, Any]:
    if isinstance(term, Const):
        return {"value": term.value}
    return {"variable" if isinstance(term, Var) else "parameter": term.name}


def restored(data: Shape) -> Model:
    """The model that was stored. InputError for anything else."""
    variables = {name: one.value_or_none() for name, one in data.of("variables").entries().items()}
    clocks = {name: one.number_or_none() for name, one in data.of("clocks").entries().items()}
    model = Model(
        data.of("name").text(),
        tuple(_component(one) for one in data.of("components").items()),
        {name: UNKNOWN if value is None else value for name, value in variables.items()},
        {name: UNKNOWN if value is None else value for name, value in clocks.items()},
        {name: one.text() for name, one in data.of("requirements").entries().items()},
        {name: one.value() for name, one in data.of("params").entries().items()},
    )
    if sum(len(part.edges) + len(part.locations) for part in model.components) > MOST:
        raise data.wrong(f"has more than {MOST:,} edges and locations, which no model has")
    if prod(len(part.initial) for part in model.components) > BEGINNINGS:
        raise data.wrong("can begin in too many ways to be checked")
    for remark in undeclared(model):
        raise data.wrong(f"is none: {remark}")
    return model


def _component(data: Shape) -> Component:
    yes = data.of("deterministic").raw
    return Component(
        data.of("name").text(),
        tuple(_location(one) for one in data.of("locations").items()),
        tuple(one.text() for one in data.of("initial").items()),
        tuple(_edge(one) for one in data.of("edges").items()),
        yes is True,
    )


def _location(data: Shape) -> Location:
    name, invariant, stay, requirement = data.parts(4)
    return Location(name.text(), restored_guard(invariant), restored_guard(stay), requirement.text())


def _edge(data: Shape) -> Edge:
    source, target, on, when, changes, resets, requirement, label = data.parts(8)
    return Edge(
        source.text(),
        target.text(),
        None if on.raw is None else _pattern(on),
        restored_guard(when),
        {name: restored_term(one) for name, one in changes.entries().items()},
        frozenset(one.text() for one in resets.items()),
        requirement.text(),
        label.text(),
    )


def _pattern(data: Shape) -> Pattern:
    text = data.of("text").text()
    if repeats_a_choice(text):
        raise data.wrong(f"repeats a group with a choice in it, which can take for ever: {text[:80]!r}")
    return Pattern(text, tuple(_derived(one) for one in data.of("derived").items()))


def _derived(data: Shape) -> Derived:
    name, named, sources = data.parts(3)
    known = named.text()
    found = _OWN.get(known) or function(Node(known, named.where))
    return Derived(name.text(), found, tuple(one.text() for one in sources.items()))


def restored_guard(data: Shape) -> Guard:
    return tuple(tuple(restored_atom(atom) for atom in one.items()) for one in data.items())


def restored_atom(data: Shape) -> Atom:
    kind, left, op, right = data.parts(4)
    if op.text() not in (OPPOSITE if kind.raw == "data" else ("<", "<=", ">", ">=")):
        raise op.wrong(f"is no comparison: {op.raw!r}")
    if kind.raw == "clock":
        return Bound(left.text(), op.text(), right.number())
    if kind.raw != "data":
        raise kind.wrong("is neither clock nor data")
    several = op.text() in ("in", "not in")
    values = tuple(one.value() for one in right.of("values").items()) if several else restored_term(right)
    return Test(restored_term(left), op.text(), values)


def restored_term(data: Shape) -> Term:
    entries = data.entries()
    if len(entries) != 1 or not entries.keys() <= {"value", "variable", "parameter"}:
        raise data.wrong("is no value, variable or parameter")
    if "value" in entries:
        return Const(entries["value"].value())
    return Var(entries["variable"].text()) if "variable" in entries else Param(entries["parameter"].text())


# JSON data of which nothing is believed: each part knows where it is, and says what it should have been


@dataclass(frozen=True)
class Shape:
    raw: Any
    where: str

    def wrong(self, reason: str) -> InputError:
        return InputError(f"{self.where} {reason}")

    def of(self, key: str) -> Shape:
        entries = self.entries()
        if key not in entries:
            raise self.wrong(f"has no {key!r}")
        return entries[key]

    def entries(self) -> dict[str, Shape]:
        if not isinstance(self.raw, dict):
            raise self.wrong("is no object")
        return {key: Shape(one, f"{self.where}, {key[:40]}") for key, one in self.raw.items()}

    def items(self) -> list[Shape]:
        if not isinstance(self.raw, list):
            raise self.wrong("is no list")
        return [Shape(one, f"{self.where}, {number}") for number, one in enumerate(self.raw, 1)]

    def parts(self, count: int) -> list[Shape]:
        items = self.items()
        if len(items) != count:
            raise self.wrong(f"has {len(items)} parts, not {count}")
        return items

    def text(self) -> str:
        if not isinstance(self.raw, str):
            raise self.wrong("is no text")
        return self.raw

    def one_of(self, *words: str) -> str:
        if self.raw not in words:
            raise self.wrong(f"is none of {', '.join(words)}")
        return self.text()

    def number(self) -> int:
        if type(self.raw) is not int or abs(self.raw) > FAR:
            raise self.wrong("is no whole number of a sensible size")
        return self.raw

    def number_or_none(self) -> int | None:
        return None if self.raw is None else self.number()

    def value(self) -> Value:
        if type(self.raw) is not int and not isinstance(self.raw, str):
            raise self.wrong("is neither a number nor a text")
        return self.raw

    def value_or_none(self) -> Value | None:
        return None if self.raw is None else self.value()


def read_shape(path: Path) -> Shape:
    """What is in a JSON file. InputError if it is none, or too large."""
    try:
        with open(path, "rb") as file:
            content = file.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise InputError(f"{path} is larger than {LARGEST:,} bytes, which no certificate is")
        return Shape(json.loads(content, object_pairs_hook=_object), str(path))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:  # an InputError is a ValueError
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path} is not JSON: {str(error)[:200]}") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("an object says the same key twice")
    return found


# Fingerprints: two pieces of plain data are the same if and only if theirs are.
# The fingerprint of a model says which model a certificate is about; that of a whole certificate shows whether it is
# still as it was written. Neither is a signature: whoever changes the data can compute the new one.


def fingerprint(model: Model) -> str:
    """The same for every file, whatever its form, that says the same model with the same parameters."""
    return digest(stored(model))


def digest(data: object) -> str:
    """The SHA-256 of plain data, whatever the order of its keys."""
    return sha256(plain(data).encode()).hexdigest()


def plain(data: object) -> str:
    """Data in the one form that counts: ``1``, ``1.0`` and ``true`` are three different things."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"))


def sealed(data: Mapping[str, Any]) -> dict[str, Any]:
    """Data with its own fingerprint."""
    return {**data, SEAL: digest(data)}


def unbroken(data: Mapping[str, Any]) -> bool:
    """Whether data is as it was when it was sealed."""
    return data.get(SEAL) == digest({key: one for key, one in data.items() if key != SEAL})
