"""Searches for causes on small pipelines, for the laws."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from rootward.rules import Atom, Rule
from rootward.search.ask import Search
from rootward.search.finding import Finding
from rootward.searches.causes import METHODS
from rootward.searches.causes.causes import Causes
from rootward.searches.causes.pipeline import Pipeline
from rootward.searches.causes.runs import read_runs
from rootward.space.space import Bool, Choice, Float, Int, Ordinal, Space
from rootward.subjects.function import Function, fails_when
from rootward.verdict import FAIL, UNRESOLVED

from .laws import Case, Fails


def crashes_when_cold(one: dict[str, Any]) -> None:
    """Fails by raising; and differently where only the other fault is there."""
    if one["gear"] == "R" and one["speed"] > 0:
        raise ValueError("reverse")
    if one["gear"] == "N" and not one["lights"]:
        raise KeyError("neutral")


def unjudged_in_park(one: dict[str, Any]) -> None:
    from rootward.errors import Unresolved

    if one["gear"] == "P":
        raise Unresolved("parked")
    if one["speed"] > 0 and one["lights"]:
        raise RuntimeError("too fast")


@dataclass(frozen=True)
class Troubled:
    """A small pipeline, the runs that are known (the first one fails), and the subject that they are of."""

    fields: Mapping[str, Any]
    history: Sequence[tuple[Any, ...]]
    """Values in the order of the fields; the last one says whether it failed."""
    subject: Callable[[Any], Any]
    never: Rule | None = None


CAR = {"gear": Choice("PRN"), "speed": Int(values=[0, 1, 9]), "lights": Bool()}
TROUBLED: dict[str, Troubled] = {
    "one value": Troubled(
        CAR,
        [("R", 1, True, True), ("P", 0, False, False), ("N", 9, False, False)],
        fails_when(lambda one: one["gear"] == "R"),
    ),
    "a threshold or a pair": Troubled(
        {"data": Choice("abc"), "imputer": Choice(["mean", "most"]), "size": Float(values=[0.1, 0.2, 0.3, 0.4])},
        [("b", "mean", 0.4, True), ("a", "most", 0.1, False), ("c", "most", 0.2, False), ("b", "most", 0.1, False)],
        fails_when(lambda one: one["size"] >= 0.3 or (one["data"], one["imputer"]) == ("b", "mean")),
    ),
    "crash": Troubled(CAR, [("R", 1, True, True), ("P", 0, False, False)], crashes_when_cold),
    "unjudged": Troubled(CAR, [("R", 9, True, True), ("N", 0, False, False)], unjudged_in_park),
    "forbidden": Troubled(
        CAR,
        [("R", 9, True, True), ("N", 0, False, False)],
        fails_when(lambda one: one["speed"] == 9),
        Rule([[Atom("gear", "=", "P"), Atom("speed", ">=", 1)]]),
    ),
    "everything": Troubled({"a": Bool(), "b": Choice("xyz")}, [(True, "x", True)], fails_when(lambda one: True)),
    "a single value": Troubled({"a": Choice("x")}, [("x", True)], fails_when(lambda one: True)),
    "odd numbers": Troubled(
        {"a": Float(values=[0.5, 1.5, float("nan")]), "b": Choice([1, True]), "c": Ordinal(["low", "mid", "top"])},
        [(float("nan"), True, "mid", True), (0.5, 1, "low", False)],
        fails_when(lambda one: one["a"] != one["a"] and one["c"] != "low"),
    ),
}


def causes(method: Callable[..., Search[Any, Any]], *, definitive: bool, among: Iterable[str] = TROUBLED) -> list[Case]:
    """``definitive``: whether, on so small a pipeline, it runs every instance of what it says."""
    return [_case(name, method, TROUBLED[name], definitive) for name in among]


def _case(name: str, method: Callable[..., Search[Any, Any]], one: Troubled, definitive: bool) -> Case:
    history = [(dict(zip(one.fields, values, strict=False)), values[-1]) for values in one.history]
    pipeline = Pipeline(Space(one.fields), never=one.never)
    every = [dict(pipeline.configuration(it)) for it in itertools.product(*map(range, pipeline.sizes))]
    outcomes = [Function(one.subject).call(it, 0) for it in every]
    wanted = Function(one.subject).call(history[0][0], 0).signature
    failing = [outcome.verdict is FAIL and outcome.signature == wanted for outcome in outcomes]

    def check(finding: Finding, fails: Fails) -> None:
        assert isinstance(finding, Causes)
        assert finding.of == len(pipeline)
        assert str(finding)
        json.dumps(finding.to_dict(), allow_nan=False)
        for cause in finding.details:
            assert 0 < cause.support <= cause.size
            assert 0 <= cause.attempts <= cause.support
            assert not any(cause.conjunction.holds(known) for known, failed in history if not failed)
        if definitive and finding.complete and list(map(fails, every)) == failing:
            for it, outcome, failed in zip(every, outcomes, failing, strict=True):
                allowed = one.never is None or not one.never.holds(it)
                if allowed and not failed and outcome.verdict is not UNRESOLVED:
                    assert not finding.rule.holds(it)

    return Case(name, lambda: method(pipeline, read_runs(pipeline, history)), history[0][0], one.subject, check)


FEW = ("one value", "unjudged", "forbidden", "a single value")
"""For searches that think longer, or are made of others."""
PAPER: dict[str, list[Case]] = {
    "causes.bugdoc": causes(partial(METHODS["bugdoc"], tests=50), definitive=True, among=FEW),
    "causes.ddt": [
        *causes(partial(METHODS["ddt"], tests=50), definitive=True),
        *causes(partial(METHODS["ddt"], tests=2, goal="one"), definitive=False, among=["a threshold or a pair"]),
    ],
    "causes.shortcut": causes(METHODS["shortcut"], definitive=False, among=FEW),
    "causes.stacked_shortcut": causes(METHODS["stacked_shortcut"], definitive=False, among=(*FEW, "crash")),
}
