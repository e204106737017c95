"""Searches for a condition on small spaces, for the laws."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from rootward.rules import Rule
from rootward.search.ask import Search
from rootward.search.finding import Finding
from rootward.searches.conditions import METHODS
from rootward.searches.conditions.rule_finding import RuleFinding
from rootward.space.space import Bool, Choice, Float, Int, Ordinal, Space
from rootward.subjects.function import fails_when

from .laws import Bench, Case, Fails


def crashes_in_reverse(one: dict[str, Any]) -> None:
    """Fails by raising; and differently with another gear."""
    if one["gear"] == "R" and one["speed"] > 1:
        raise ValueError("reverse")
    if one["gear"] == "N" and not one["lights"]:
        raise KeyError("neutral")


def unjudged_in_park(one: dict[str, Any]) -> None:
    from rootward.errors import Unresolved

    if one["gear"] == "P":
        raise Unresolved("parked")
    if one["speed"] > 1:
        raise RuntimeError("too fast")


@dataclass(frozen=True)
class Faulty:
    """A small space, a configuration in it that fails, and the subject."""

    fields: Mapping[str, Any]
    failing: dict[str, Any]
    subject: Callable[[Any], Any]
    told: bool = True
    """Whether the search is told what fails."""
    free: tuple[str, ...] | None = None
    """What may change, if not everything."""


CAR = {"gear": Choice("PRN"), "speed": Int(0, 3), "lights": Bool()}
REVERSE = {"gear": "R", "speed": 3, "lights": True}
NUMBERS = {"a": Int(-1, 2), "b": Int(-1, 2)}
FAULTY: dict[str, Faulty] = {
    "a threshold and a value": Faulty(CAR, REVERSE, fails_when(lambda one: one["gear"] == "R" and one["speed"] > 1)),
    "crash": Faulty(CAR, REVERSE, crashes_in_reverse),
    "unjudged": Faulty(CAR, REVERSE, unjudged_in_park),
    "everything": Faulty(CAR, REVERSE, fails_when(lambda one: True)),
    "one of all": Faulty(CAR, REVERSE, fails_when(lambda one: one == {"gear": "R", "speed": 3, "lights": True})),
    "no failure is told": Faulty(CAR, REVERSE, fails_when(lambda one: one["lights"]), told=False),
    "some fields": Faulty(CAR, REVERSE, fails_when(lambda one: one["speed"] > 1), free=("lights", "speed")),
    "a single value": Faulty({"a": Choice("x"), "b": Int(7, 7)}, {"a": "x", "b": 7}, fails_when(lambda one: True)),
    "a product": Faulty(NUMBERS, {"a": 2, "b": 2}, fails_when(lambda one: one["a"] * one["b"] > 1)),
    "odd numbers": Faulty(
        {"a": Float(values=[0.5, 1.5, math.nan]), "b": Choice([1, True]), "c": Ordinal(["low", "mid", "top"])},
        {"a": math.nan, "b": True, "c": "mid"},
        fails_when(lambda one: one["a"] != one["a"] and one["c"] != "low"),
    ),
}


def rules(method: Callable[..., Search[Any, Any]], *, among: Iterable[str], exact: bool = False) -> list[Case]:
    """``exact``: whether, on so small a space, the final rule is right for every configuration."""
    return [_case(name, method, FAULTY[name], exact) for name in among]


def _case(name: str, method: Callable[..., Search[Any, Any]], one: Faulty, exact: bool) -> Case:
    space = Space(one.fields)
    every = list(_every(space, one))

    def check(finding: Finding, fails: Fails) -> None:
        assert isinstance(finding, RuleFinding)
        assert finding.of == len(space)
        assert set(finding.rule.fields) <= set(space if one.free is None else one.free)
        assert min(finding.fails, finding.passes, finding.unjudged) >= 0
        assert Rule.from_dict(json.loads(json.dumps(finding.to_dict(), allow_nan=False))["rule"]) == finding.rule
        assert str(finding)
        held = [finding.rule.holds(it) for it in every]
        if finding.tree is not None and finding.found:
            assert held == [finding.tree.decide(it) for it in every]
        if exact and finding.complete and not finding.unjudged and finding.found:
            wanted = list(map(Bench(case).fails, every))
            # A law may give odd answers instead: no short rule is right about them.
            assert held == wanted or list(map(fails, every)) != wanted

    def search() -> Search[Any, Any]:
        return method(space, one.failing if one.told else None, fields=one.free)

    case = Case(name, search, one.failing, one.subject, check)
    return case


def _every(space: Space, one: Faulty) -> Iterable[dict[str, Any]]:
    """Every configuration that may be run. Spaces are this small because the laws try a stop after each run."""
    lists = [
        [one.failing[name]] if one.free is not None and name not in one.free else _values(field)
        for name, field in space.items()
    ]
    for values in itertools.product(*lists):
        yield dict(zip(space, values, strict=True))


def _values(field: Any) -> list[Any]:
    return list(range(field.values[0], field.values[-1] + 1)) if isinstance(field, Int) else list(field.values)


QUICK = ("a threshold and a value", "unjudged", "no failure is told", "a single value", "odd numbers")
OPTIONS: dict[str, Any] = {
    "alo": lambda method: rules(partial(method, trials=12), among=QUICK),
    "boundaries": lambda method: rules(method, among=FAULTY, exact=True),
}
"""Of each method, what it is tried on: alo takes as long for a small space as for a large one."""
RULES: dict[str, list[Case]] = {f"conditions.{name}": OPTIONS[name](method) for name, method in METHODS.items()}
