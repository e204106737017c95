"""One parametrised test: its instances, what came out of those that ran, and which of them can be run again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from rootward.keys import canonical
from rootward.plain import from_json, to_json
from rootward.testing.marker import Marker
from rootward.testing.parameters import Values
from rootward.verdict import FAIL, Outcome, Verdict


@dataclass(frozen=True)
class Ran:
    """An instance that pytest ran."""

    values: Values
    outcome: Outcome
    report: pytest.TestReport

    @property
    def failed(self) -> bool:
        return self.outcome.verdict is FAIL


@dataclass
class Tested:
    """A test function. ``name`` is its node id without parameters."""

    name: str
    marker: Marker = field(default_factory=Marker)
    specs: dict[str, tuple[Values, Any]] = field(default_factory=dict)
    """All instances that pytest found, by node id: parameters, and how pytest calls it."""
    items: dict[str, pytest.Function] = field(default_factory=dict)
    """The instances that were to be run, by node id."""
    _ran: dict[str, Ran] = field(default_factory=dict)

    def add(self, ran: Ran) -> None:
        """Of several reports on one instance, as with subtests, a failure is what counts."""
        before = self._ran.setdefault(ran.report.nodeid, ran)
        if not before.failed:
            self._ran[ran.report.nodeid] = ran

    @property
    def ran(self) -> list[Ran]:
        return list(self._ran.values())

    @property
    def failing(self) -> list[Ran]:
        return [one for one in self.ran if one.failed]

    def ways(self) -> list[str]:
        """In which ways it failed, each with how often, the first one first."""
        counts: dict[str, int] = {}
        for one in self.failing:
            named = one.outcome.signature or one.outcome.detail
            counts[named] = counts.get(named, 0) + 1
        return [f"{way} ({times} {'time' if times == 1 else 'times'})" for way, times in counts.items()]


def function_of(item: pytest.Function) -> str:
    """The node id of a test without its parameters."""
    parent = item.parent.nodeid if item.parent is not None else ""
    return f"{parent}::{item.originalname}"


def write(function: str, values: Values, outcome: Outcome) -> str:
    """What is known of an instance, as text that a report can carry from a worker to the main process."""
    said = [outcome.verdict.value, outcome.signature, outcome.detail]
    return json.dumps([function, [[name, to_json(value)] for name, value in values.items()], said])


def read(written: str) -> tuple[str, Values, Outcome]:
    """The inverse of ``write``."""
    function, values, (verdict, signature, detail) = json.loads(written)
    named = {name: from_json(value) for name, value in values}
    return function, named, Outcome(Verdict(verdict), signature=signature, detail=detail)


def part(values: Mapping[str, Any], names: Iterable[str]) -> Values:
    return {name: values[name] for name in names}


def place(values: Mapping[str, Any], names: Iterable[str]) -> bytes:
    """The identity of an instance, as far as these parameters go."""
    return canonical(part(values, names))
