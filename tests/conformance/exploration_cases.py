"""Searches for failing inputs on small spaces, for the laws."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rootward.rules import Atom, Rule
from rootward.search.ask import Search
from rootward.search.finding import Finding
from rootward.searches.exploration import METHODS
from rootward.searches.exploration.failures import Failures
from rootward.space.space import Bool, Choice, Float, Int, Space
from rootward.subjects.function import fails_when

from .laws import Case, Fails


def crashes(one: dict[str, Any]) -> None:
    """Fails by raising, in two ways."""
    if one["gear"] == "R" and one["speed"] > 1:
        raise ValueError("reverse")
    if one["gear"] == "N" and not one["lights"]:
        raise KeyError("neutral")


def unjudged_in_park(one: dict[str, Any]) -> None:
    from rootward.errors import Unresolved

    if one["gear"] == "P":
        raise Unresolved("parked")
    if one["speed"] > 2:
        raise RuntimeError("too fast")


@dataclass(frozen=True)
class Unknown:
    """A small space, a configuration in it that fails, the subject, and what the search is told."""

    fields: Mapping[str, Any]
    failing: dict[str, Any]
    subject: Callable[[Any], Any]
    options: Mapping[str, Any] = field(default_factory=dict)


CAR = {"gear": Choice("PRN"), "speed": Int(0, 3), "lights": Bool()}
REVERSE = {"gear": "R", "speed": 3, "lights": True}
PARKED = {"gear": "P", "speed": 0, "lights": True}
NUMBERS = {"a": Int(), "b": Float(values=[0.5, math.nan]), "c": Bool()}
UNKNOWN: dict[str, Unknown] = {
    "one of all": Unknown(CAR, REVERSE, fails_when(lambda one: one == {"gear": "R", "speed": 3, "lights": True})),
    "two failures": Unknown(CAR, REVERSE, crashes, {"nominal": [PARKED]}),
    "unjudged": Unknown(CAR, REVERSE, unjudged_in_park),
    "the nominal input fails": Unknown(CAR, REVERSE, crashes, {"nominal": [PARKED, REVERSE]}),
    "outside of a cause": Unknown(CAR, REVERSE, crashes, {"outside": Rule([[Atom("speed", ">", 1)]])}),
    "numbers": Unknown(
        NUMBERS, {"a": 7, "b": math.nan, "c": True}, fails_when(lambda one: one["b"] != one["b"]), {"most": 40}
    ),
    "hardly anything": Unknown(
        NUMBERS, {"a": 123_456, "b": 0.5, "c": True}, fails_when(lambda one: one["a"] == 123_456), {"most": 40}
    ),
}


def _case(name: str, method: Callable[..., Search[Any, Any]], one: Unknown) -> Case:
    space = Space(one.fields)

    def check(finding: Finding, fails: Fails) -> None:
        assert isinstance(finding, Failures)
        assert (finding.first is None) is (not finding.found)
        assert sum(failure.seen for failure in finding.failures) + finding.unjudged <= finding.runs
        for failure in finding.failures:
            kept = [failure.configuration, *failure.others]
            assert all(space.check(it) is not None for it in kept)
            assert len(kept) <= failure.seen
            assert len({fails(dict(it)) for it in kept}) == 1
        assert finding.passing is None or not fails(dict(finding.passing))
        assert 0 <= finding.covered.values <= 1
        json.dumps(finding.to_dict(), allow_nan=False)
        assert str(finding)

    return Case(name, lambda: method(space, **one.options), one.failing, one.subject, check)


EXPLORATIONS: dict[str, list[Case]] = {
    f"exploration.{name}": [_case(case, method, one) for case, one in UNKNOWN.items()]
    for name, method in METHODS.items()
}
