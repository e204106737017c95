"""Which answer a diagnosis gives, and at what cost: small planted faults."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward.space.space import Field
from rootward.study import Study
from rootward.subjects.function import as_subject
from tests.properties import few

# Which answer a diagnosis gives, and at what cost: small planted faults.


MANY: dict[str, Field] = {f"f{i:02}": rw.Int(0, 99) for i in range(30)}
CAR: dict[str, Field] = {"speed": rw.Int(0, 100), "gear": rw.Choice("PRND"), "lights": rw.Bool()}


def diagnosed(fails: Callable[[Any], bool], fields: Mapping[str, Field], failing: Mapping[str, Any]) -> Any:
    subject = as_subject(rw.fails_when(fails), isolate=False)
    return rw.diagnose(Study("planted", Path("planted.toml"), subject, rw.Space(fields), failing))


@pytest.mark.rest
@pytest.mark.parametrize(
    ("fails", "fields", "failing", "said", "trials"),
    [
        (
            lambda one: one["gear"] == "N",
            CAR,
            {"speed": 5, "gear": "N", "lights": False},
            "It fails when gear = N.",
            190,
        ),
        (
            lambda one: 30 <= one["speed"] <= 60,
            CAR,
            {"speed": 44, "gear": "D", "lights": False},
            "It fails when 30 <= speed <= 60.",
            320,
        ),
        (
            lambda one: one["f07"] > one["f21"],
            MANY,
            {**dict.fromkeys(MANY, 3), "f07": 90, "f21": 10},
            "It fails when f07 > f21.",
            620,
        ),
        (
            lambda one: one["f03"] > 50 and one["f04"] < 20 and one["f20"] > 74,
            MANY,
            {**dict.fromkeys(MANY, 3), "f03": 70, "f20": 80},
            "It fails when f03 > 50 and f04 < 20 and f20 > 74.",
            780,
        ),
        (
            lambda one: one["f05"] >= 90 or one["f06"] <= 4,
            MANY,
            {**dict.fromkeys(MANY, 50), "f05": 95},
            "It fails when f05 >= 90 or f06 <= 4.",
            880,
        ),
        (
            lambda one: True,
            CAR,
            {"speed": 1, "gear": "P", "lights": True},
            "It fails whatever the values of 3 fields.",
            140,
        ),
    ],
    ids=["a value", "a range", "a relation", "three together", "either of two", "always"],
)
def test_the_cause_is_stated_at_this_cost(
    fails: Callable[[Any], bool], fields: Mapping[str, Field], failing: Mapping[str, Any], said: str, trials: int
) -> None:
    found = diagnosed(fails, fields, failing)
    assert found.explanations[0].headline() == said
    assert found.certain
    assert found.trials <= trials


# Quantities that come in steps: a diagnosis asks for nothing between them, and ends at neighbours.


@pytest.mark.parametrize("seed", few(1, range(2)))
def test_the_room_between_two_heights(seed: int) -> None:
    heights = {"beam": rw.Float(0.9, 1.5, step=0.01), "ramp": rw.Float(-0.2, 0.05, step=0.01)}
    space = rw.Space({**heights, "aside": rw.Float(-1, 1, step=0.1)})

    def stuck(at: dict[str, Any]) -> bool:
        assert space.check(at) == at
        return bool(at["beam"] - at["ramp"] < 1.085)

    failing = {"beam": 1.05, "ramp": 0.0, "aside": 0.3}
    subject = as_subject(rw.fails_when(stuck), isolate=False)
    study = Study("steps", Path("steps.toml"), subject, space=space, failing=failing)
    [explanation] = rw.diagnose(study, seed=seed).explanations
    assert explanation.relevant == ("beam", "ramp")
    rule = explanation.rule
    for beam in range(90, 151):
        for ramp in range(-20, 6):
            assert rule.holds({**failing, "beam": beam / 100, "ramp": ramp / 100}) is (beam - ramp <= 108)
