"""Convert a model to plain JSON data and back, so that a certificate can be checked without the model file.

The data of a certificate is untrusted: its structure, names, sizes and patterns are checked before a model is built
from it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

from rootward.errors import InputError
from rootward.formats.files import read_bytes
from rootward.traces.languages.messages import FUNCTIONS, LongerTimes, Xor, find_function, number, sub_function
from rootward.traces.languages.nodes import Node
from rootward.traces.linting.names import find_undeclared
from rootward.traces.model.guard import OPPOSITE, Atom, Bound, Const, Guard, Param, Term, Test, Value, Var
from rootward.traces.model.model import UNKNOWN, Component, Edge, Location, Model
from rootward.traces.model.pattern import Derived, Pattern, repeats_a_choice

MAX_BYTES = 50_000_000
"""Maximum number of bytes of a file."""
MAX_NUMBER = 10**18
"""Maximum absolute value of a number: in microseconds, 30,000 years."""
SEAL = "seal"
MAX_PARTS = 200_000
"""Maximum number of edges and locations of a model."""
MAX_INITIAL_STATES = 10_000
"""Maximum number of combinations of initial locations."""
_OWN: Mapping[str, Callable[[str], Value]] = {"number": number, "sub_function": sub_function}


def model_to_data(model: Model) -> dict[str, Any]:
    """Convert a model to data. Raises InputError if it computes parameters with an unregistered function."""
    return {
        "name": model.name,
        "components": [
            {
                "name": part.name,
                "locations": [
                    [one.name, _guard_to_data(one.invariant), _guard_to_data(one.stay), one.requirement]
                    for one in part.locations
                ],
                "initial": list(part.initial),
                "edges": [_edge_to_data(edge) for edge in part.edges],
                "deterministic": part.deterministic,
            }
            for part in model.components
        ],
        "variables": {name: None if value is UNKNOWN else value for name, value in model.variables.items()},
        "clocks": {name: None if value is UNKNOWN else value for name, value in model.clocks.items()},
        "requirements": dict(model.requirements),
        "params": dict(model.params),
    }


def _edge_to_data(edge: Edge) -> list[Any]:
    on = edge.on and {"text": edge.on.text, "derived": [_derived_to_data(one) for one in edge.on.derived]}
    changes = [{name: _term_to_data(term) for name, term in edge.set.items()}, sorted(edge.reset)]
    return [edge.source, edge.target, on, _guard_to_data(edge.when), *changes, edge.requirement, edge.label]


def _derived_to_data(one: Derived) -> list[Any]:
    known = {**_OWN, **FUNCTIONS}
    name = next((name for name, known_one in known.items() if known_one == one.function), None)
    if isinstance(one.function, Xor | LongerTimes):
        name = one.function.name
    if name is None:
        raise InputError(
            f"a certificate cannot contain the function that computes ${one.name}, because it is not registered: "
            "add it to rootward.traces.languages.FUNCTIONS"
        )
    return [one.name, name, list(one.sources)]


def _guard_to_data(guard: Guard) -> list[Any]:
    return [[atom_to_data(atom) for atom in conjunction] for conjunction in guard]


def atom_to_data(atom: Atom) -> list[Any]:
    if isinstance(atom, Bound):
        return ["clock", atom.clock, atom.op, atom.limit]
    right = {"values": list(atom.right)} if isinstance(atom.right, tuple) else _term_to_data(atom.right)
    return ["data", _term_to_data(atom.left), atom.op, right]


def _term_to_data(term: Term) -> dict[str, Any]:
    if isinstance(term, Const):
        return {"value": term.value}
    return {"variable" if isinstance(term, Var) else "parameter": term.name}


def model_from_data(data: UntrustedData) -> Model:
    """Build the model from data. Raises InputError if the data is not a valid model."""
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
    if sum(len(part.edges) + len(part.locations) for part in model.components) > MAX_PARTS:
        raise data.error(f"has more than {MAX_PARTS:,} edges and locations, the maximum for a model")
    if prod(len(part.initial) for part in model.components) > MAX_INITIAL_STATES:
        raise data.error(f"has more than {MAX_INITIAL_STATES:,} combinations of initial locations, the maximum")
    for remark in find_undeclared(model):
        raise data.error(f"is not a valid model: {remark}")
    return model


def _component(data: UntrustedData) -> Component:
    yes = data.of("deterministic").raw
    return Component(
        data.of("name").text(),
        tuple(_location(one) for one in data.of("locations").items()),
        tuple(one.text() for one in data.of("initial").items()),
        tuple(_edge(one) for one in data.of("edges").items()),
        yes is True,
    )


def _location(data: UntrustedData) -> Location:
    name, invariant, stay, requirement = data.parts(4)
    return Location(name.text(), _guard_from_data(invariant), _guard_from_data(stay), requirement.text())


def _edge(data: UntrustedData) -> Edge:
    source, target, on, when, changes, resets, requirement, label = data.parts(8)
    return Edge(
        source.text(),
        target.text(),
        None if on.raw is None else _pattern(on),
        _guard_from_data(when),
        {name: _term_from_data(one) for name, one in changes.entries().items()},
        frozenset(one.text() for one in resets.items()),
        requirement.text(),
        label.text(),
    )


def _pattern(data: UntrustedData) -> Pattern:
    text = data.of("text").text()
    if repeats_a_choice(text):
        raise data.error(f"repeats a group that contains a choice, which can take exponential time: {text[:80]!r}")
    return Pattern(text, tuple(_derived_from_data(one) for one in data.of("derived").items()))


def _derived_from_data(data: UntrustedData) -> Derived:
    name, named, sources = data.parts(3)
    known = named.text()
    found = _OWN.get(known) or find_function(Node(known, named.where))
    return Derived(name.text(), found, tuple(one.text() for one in sources.items()))


def _guard_from_data(data: UntrustedData) -> Guard:
    return tuple(tuple(atom_from_data(atom) for atom in one.items()) for one in data.items())


def atom_from_data(data: UntrustedData) -> Atom:
    kind, left, op, right = data.parts(4)
    if op.text() not in (OPPOSITE if kind.raw == "data" else ("<", "<=", ">", ">=")):
        raise op.error(f"is not a comparison: {op.raw!r}")
    if kind.raw == "clock":
        return Bound(left.text(), op.text(), right.number())
    if kind.raw != "data":
        raise kind.error("must be clock or data")
    several = op.text() in ("in", "not in")
    values = tuple(one.value() for one in right.of("values").items()) if several else _term_from_data(right)
    return Test(_term_from_data(left), op.text(), values)


def _term_from_data(data: UntrustedData) -> Term:
    entries = data.entries()
    if len(entries) != 1 or not entries.keys() <= {"value", "variable", "parameter"}:
        raise data.error("is not a value, a variable or a parameter")
    if "value" in entries:
        return Const(entries["value"].value())
    return Var(entries["variable"].text()) if "variable" in entries else Param(entries["parameter"].text())


# Untrusted JSON data: each part knows its position, and its errors say what was expected there


@dataclass(frozen=True)
class UntrustedData:
    """A part of untrusted JSON data. Its methods return a value of the expected type, or raise InputError."""

    raw: Any
    where: str
    """The file, and the keys and numbers that lead to this part."""

    def error(self, reason: str) -> InputError:
        return InputError(f"{self.where} {reason}")

    def of(self, key: str) -> UntrustedData:
        entries = self.entries()
        if key not in entries:
            raise self.error(f"has no key {key!r}")
        return entries[key]

    def raw_entry(self, key: str) -> Any:
        """Return the value of a key without checking it; None if the key is missing."""
        entries = self.entries()
        return entries[key].raw if key in entries else None

    def entries(self) -> dict[str, UntrustedData]:
        if not isinstance(self.raw, dict):
            raise self.error("is not an object")
        return {key: UntrustedData(one, f"{self.where}, {key[:40]}") for key, one in self.raw.items()}

    def items(self) -> list[UntrustedData]:
        if not isinstance(self.raw, list):
            raise self.error("is not a list")
        return [UntrustedData(one, f"{self.where}, {number}") for number, one in enumerate(self.raw, 1)]

    def parts(self, count: int) -> list[UntrustedData]:
        items = self.items()
        if len(items) != count:
            raise self.error(f"has {len(items)} parts, not {count}")
        return items

    def text(self) -> str:
        if not isinstance(self.raw, str):
            raise self.error("is not a text")
        return self.raw

    def one_of(self, *words: str) -> str:
        if self.raw not in words:
            raise self.error(f"must be one of {', '.join(words)}")
        return self.text()

    def number(self) -> int:
        if type(self.raw) is not int or abs(self.raw) > MAX_NUMBER:
            raise self.error(f"is not an integer between -{MAX_NUMBER:,} and {MAX_NUMBER:,}")
        return self.raw

    def number_or_none(self) -> int | None:
        return None if self.raw is None else self.number()

    def value(self) -> Value:
        if type(self.raw) is not int and not isinstance(self.raw, str):
            raise self.error("is neither an integer nor a text")
        return self.raw

    def value_or_none(self) -> Value | None:
        return None if self.raw is None else self.value()


def read_untrusted(path: Path) -> UntrustedData:
    """Read a JSON file. Raises InputError if it is not JSON, or too large."""
    try:
        content = read_bytes(path, MAX_BYTES)
        return UntrustedData(json.loads(content, object_pairs_hook=_object), str(path))
    except (ValueError, RecursionError) as error:  # an InputError is a ValueError
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path} is not JSON: {str(error)[:200]}") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("an object has the same key twice")
    return found


# Fingerprints: two pieces of plain data are equal if and only if their fingerprints are.
# The fingerprint of a model identifies the model of a certificate; that of a whole certificate, its seal, shows whether
# it was changed. Neither is a signature: whoever changes the data can compute the new fingerprint.


def fingerprint(model: Model) -> str:
    """Return the fingerprint of a model.

    Two files have the same fingerprint if they describe the same model with the same parameters, even in different
    formats.
    """
    return store_model(model).fingerprint


class StoredModel(NamedTuple):
    """A model as data, with its fingerprint. All certificates of a model share it."""

    data: Mapping[str, Any]
    fingerprint: str


def store_model(model: Model) -> StoredModel:
    """Convert a model to data. Raises InputError if it computes parameters with an unregistered function."""
    data = model_to_data(model)
    return StoredModel(data, digest(data))


def digest(data: object) -> str:
    """Return the SHA-256 of plain data; the order of its keys does not matter."""
    return sha256(canonical_json(data).encode()).hexdigest()


def canonical_json(data: object) -> str:
    """Return data as JSON in canonical form. ``1``, ``1.0`` and ``true`` remain different."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"))


def add_seal(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of the data that also contains the fingerprint of the data, as its seal."""
    return {**data, SEAL: digest(data)}


def is_intact(data: Mapping[str, Any]) -> bool:
    """Return True if the data has not changed since it was sealed."""
    return data.get(SEAL) == digest({key: one for key, one in data.items() if key != SEAL})
