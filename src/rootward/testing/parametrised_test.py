"""One parametrised test: its marker, its instances, and their outcomes."""

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
    """The arguments of ``@pytest.mark.rootward(...)``. An argument that the author did not give is None."""

    space: Space | None = None
    trials: int | None = None
    verb: str | None = None
    flaky: Flaky = None

    def __post_init__(self) -> None:
        if not (self.space is None or isinstance(self.space, Space)):
            raise InputError(f"space must be a rootward.Space or a dictionary of fields, not {show(self.space)}")
        if not (self.trials is None or (type(self.trials) is int and self.trials >= 0)):
            raise InputError(f"trials must be a whole number, 0 or more, not {show(self.trials)}")
        if self.verb not in (None, *VERBS):
            raise InputError(f'verb must be "causes" or "rule", not {show(self.verb)}')
        check_flaky(self.flaky)

    @classmethod
    def read(cls, arguments: tuple[Any, ...], options: Mapping[str, Any], parameters: Mapping[str, Any]) -> Marker:
        """Read the mark of a test with these parameters. Raises InputError for a mistake in it."""
        known = [field.name for field in fields(cls)]
        if arguments:
            raise InputError(f"expected only keyword arguments: {', '.join(known)}")
        for name in options:
            if name not in known:
                raise InputError(f"unknown argument {name!r}{_suggest(name, known)}")
        space = options.get("space")
        made = cls(**{**options, "space": Space(space) if isinstance(space, Mapping) else space})
        for name in made.space or ():
            if name not in parameters:
                raise InputError(f"the test has no parameter {name!r}{_suggest(name, list(parameters))}")
        return made

    @property
    def asks_for_rule(self) -> bool:
        """True if a rule is wanted as the explanation.

        If the author chose no verb, it is wanted if the space has numbers without a list of values.
        """
        if self.verb is not None:
            return self.verb == "rule"
        chosen = self.space.items() if self.space is not None else ()
        return any(isinstance(field, Int | Float) and not field.listed for _, field in chosen)


def _suggest(name: str, known: list[str]) -> str:
    close = get_close_matches(name, known, n=1)
    return f": did you mean {close[0]!r}?" if close else f"; expected one of {', '.join(known)}" if known else ""


@dataclass(frozen=True)
class PytestRun:
    """An instance that pytest ran, with its outcome."""

    values: Values
    outcome: Outcome
    report: pytest.TestReport

    @property
    def failed(self) -> bool:
        return self.outcome.verdict is FAIL


@dataclass
class ParametrisedTest:
    """A parametrised test function. ``name`` is its node id without parameters."""

    name: str
    marker: Marker = field(default_factory=Marker)
    specs: dict[str, tuple[Values, Any]] = field(default_factory=dict)
    """All instances that pytest collected, by node id: the parameters, and pytest's call specification."""
    items: dict[str, pytest.Function] = field(default_factory=dict)
    """The instances selected to run, by node id."""
    _ran: dict[str, PytestRun] = field(default_factory=dict)

    def add(self, ran: PytestRun) -> None:
        """Add the report of an instance.

        One instance can have several reports, as with subtests. Then a failing report counts.
        """
        before = self._ran.setdefault(ran.report.nodeid, ran)
        if not before.failed:
            self._ran[ran.report.nodeid] = ran

    @property
    def runs(self) -> list[PytestRun]:
        return list(self._ran.values())

    @property
    def failing(self) -> list[PytestRun]:
        return [one for one in self.runs if one.failed]

    def failure_counts(self) -> list[str]:
        """Return the different failures, each with its number of instances, in order of appearance."""
        counts: dict[str, int] = {}
        for one in self.failing:
            named = one.outcome.signature or one.outcome.detail
            counts[named] = counts.get(named, 0) + 1
        return [f"{way} ({times} {'time' if times == 1 else 'times'})" for way, times in counts.items()]


def function_of(item: pytest.Function) -> str:
    """Return the node id of a test without its parameters."""
    parent = item.parent.nodeid if item.parent is not None else ""
    return f"{parent}::{item.originalname}"


def write(function: str, values: Values, outcome: Outcome) -> str:
    """Encode an instance and its outcome as text that a report can carry from a worker to the main process."""
    said = [outcome.verdict.value, outcome.signature, outcome.detail]
    return json.dumps([function, [[name, to_json(value)] for name, value in values.items()], said])


def read(written: str) -> tuple[str, Values, Outcome]:
    """Decode the text made by ``write``."""
    function, values, (verdict, signature, detail) = json.loads(written)
    named = {name: from_json(value) for name, value in values}
    return function, named, Outcome(Verdict(verdict), signature=signature, detail=detail)


def select(values: Mapping[str, Any], names: Iterable[str]) -> Values:
    return {name: values[name] for name in names}


def identify(values: Mapping[str, Any], names: Iterable[str]) -> bytes:
    """Return a key for the values of the parameters ``names``.

    It identifies an instance among instances that differ only in these parameters.
    """
    return canonical(select(values, names))
