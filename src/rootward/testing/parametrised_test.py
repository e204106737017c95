"""One parametrised test: what its author says about its parameters, its instances, and what came out of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from typing import Any

import pytest

from rootward.errors import InputError
from rootward.search.failure_rate import Flaky, check_flaky
from rootward.space.fields import show
from rootward.space.keys import canonical
from rootward.space.space import Float, Int, Space
from rootward.space.values import from_json, to_json
from rootward.testing.parameters import Values
from rootward.verdict import FAIL, Outcome, Verdict

VERBS = ("causes", "rule")


@dataclass(frozen=True, kw_only=True)
class Marker:
    """``@pytest.mark.rootward(...)``: what may vary, and how it is looked into; None where the author does not say."""

    space: Space | None = None
    trials: int | None = None
    verb: str | None = None
    flaky: Flaky = None

    def __post_init__(self) -> None:
        if not (self.space is None or isinstance(self.space, Space)):
            raise InputError(f"space is a rootward.Space, or fields by name, not {show(self.space)}")
        if not (self.trials is None or (type(self.trials) is int and self.trials >= 0)):
            raise InputError(f"trials is a number of runs, 0 or more, not {show(self.trials)}")
        if self.verb not in (None, *VERBS):
            raise InputError(f'verb is "causes" or "rule", not {show(self.verb)}')
        check_flaky(self.flaky)

    @classmethod
    def read(cls, arguments: tuple[Any, ...], options: Mapping[str, Any], parameters: Mapping[str, Any]) -> Marker:
        """From the mark of a test with these parameters; InputError says in one sentence what is wrong."""
        known = [field.name for field in fields(cls)]
        if arguments:
            raise InputError(f"it takes no argument without a name, only {', '.join(known)}")
        for name in options:
            if name not in known:
                raise InputError(f"it takes no {name!r}{_near(name, known)}")
        space = options.get("space")
        made = cls(**{**options, "space": Space(space) if isinstance(space, Mapping) else space})
        for name in made.space or ():
            if name not in parameters:
                raise InputError(f"the test has no parameter {name!r}{_near(name, list(parameters))}")
        return made

    @property
    def asks_for_rule(self) -> bool:
        """Unless told otherwise, a rule is looked for among numbers of which there is no list."""
        if self.verb is not None:
            return self.verb == "rule"
        chosen = self.space.items() if self.space is not None else ()
        return any(isinstance(field, Int | Float) and not field.listed for _, field in chosen)


def _near(name: str, known: list[str]) -> str:
    close = get_close_matches(name, known, n=1)
    return f": did you mean {close[0]!r}?" if close else f"; there is {', '.join(known)}" if known else ""


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
