"""The course of a diagnosis where it is not straight: it ends, and says what it does not know."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rootward as rw
from rootward.candidate import Configuration
from rootward.diagnosis.investigation import Investigation
from rootward.study import Study
from rootward.subjects.function import as_subject

CAR = rw.Space({"speed": rw.Int(0, 100), "gear": rw.Choice("PRND"), "lights": rw.Bool()})
REVERSE = {"speed": 40, "gear": "R", "lights": True}


def study(subject: Any, space: rw.Space = CAR, **parts: Any) -> Study:
    return Study("car", Path("car.toml"), as_subject(subject, isolate=False), space, **parts)


def test_a_further_failure_that_no_rule_explains_ends_the_search_for_more(monkeypatch):
    """The same search would meet it again, and again."""
    take, taken = Investigation._take, []

    def first_only(self: Investigation, found: rw.RuleFinding, failing: Configuration) -> None:
        taken.append(found)
        assert len(taken) < 9
        if len(taken) == 1:
            take(self, found, failing)
        else:
            self.unknown.append("No condition is known.")

    monkeypatch.setattr(Investigation, "_take", first_only)
    loud = rw.fails_when(lambda one: one["speed"] > 90 or one["gear"] == "P")
    found = rw.diagnose(study(loud, failing={**REVERSE, "speed": 95}), skip=["verify"])
    assert len(taken) == 2
    assert not found.certain
    assert "No condition is known." in str(found)
