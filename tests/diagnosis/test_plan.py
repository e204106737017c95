"""The plan follows from what the study has, and reads well."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward.diagnosis.plan import SHARES, Plan
from rootward.explanation.reasons import Reason
from rootward.formats.tables.history import read_history
from rootward.study import Study
from rootward.subjects.function import as_subject

CAR = rw.Space({"speed": rw.Int(0, 100), "on": rw.Bool()})
WIDE = rw.Space({f"f{i}": rw.Bool() for i in range(12)})


def study(**parts: Any) -> Study:
    return Study("car", Path("car.toml"), as_subject(rw.fails_when(bool), isolate=False), **parts)


def taken(plan: Plan) -> list[str]:
    return [step.name for step in plan.steps if step.name in plan]


@pytest.mark.parametrize(
    ("parts", "steps"),
    [
        ({"space": CAR, "failing": {"speed": 3, "on": True}}, "reproduce rule others simplify verify"),
        ({"space": CAR}, "find reproduce rule others simplify verify"),
        ({"space": WIDE, "failing": dict.fromkeys(WIDE, True)}, "reproduce triggers rule others simplify verify"),
        ({"elements": [{"a": 1}, {"a": 2}]}, "reproduce reduce order triggers rule others verify"),
        ({"elements": [b"a\n", b"b\n"]}, "reproduce reduce"),
        ({"space": CAR, "history": read_history([({"speed": 3, "on": True}, True)])}, "find reproduce causes verify"),
    ],
)
def test_the_steps_that_a_study_allows(parts: dict[str, Any], steps: str) -> None:
    assert taken(Plan.of(study(**parts))) == steps.split()


def test_steps_that_are_not_wanted_are_left_out_and_say_so() -> None:
    plan = Plan.of(study(space=CAR, failing={"speed": 3, "on": True}), skip=["others", "simplify", "verify"])
    assert taken(plan) == ["reproduce", "rule"]
    assert plan.why("others") is Reason.NOT_WANTED
    assert plan.share("rule") == 1.0, "after the last step nothing has to be left"


def test_mistakes() -> None:
    with pytest.raises(rw.InputError, match="there is no step 'rules': the steps are triage, instrument"):
        Plan.of(study(space=CAR), skip=["rules"])
    with pytest.raises(rw.InputError, match="cannot be skipped"):
        Plan.of(study(space=CAR), skip=["reproduce"])
    with pytest.raises(rw.InputError, match="cannot be skipped: the study has no failing configuration"):
        Plan.of(study(space=CAR), skip=["find"])
    with pytest.raises(rw.InputError, match=r"car\.toml has nothing that can be varied: add"):
        Plan.of(study())


def test_a_name_that_no_element_has_is_told_before_anything_is_run() -> None:
    elements = [{"go": 1}, {"speed": 50}]
    assert Plan.of(study(elements=elements, space=rw.Space({"speed": rw.Int(40, 60)})))
    with pytest.raises(rw.InputError, match="no element has a value 'sped'"):
        Plan.of(study(elements=elements, space=rw.Space({"sped": rw.Int(40, 60)})))


def test_it_reads_well() -> None:
    assert str(Plan.of(study(space=CAR), skip=["others"])) == (
        "The steps, each with the share of the remaining budget that it may use:\n"
        "  find        40%  No failing configuration is given: which one fails?\n"
        "  reproduce  100%  Does it fail every time?\n"
        "  triggers   skip  There are only 2 fields: all can be examined together.\n"
        "  rule        60%  Under which exact condition on the fields that matter does it fail?\n"
        "  others     skip  You asked to skip it.\n"
        "  simplify    20%  Does a simpler input fail, too, and where next to it does it pass?\n"
        "  verify     100%  Does that hold on fresh runs, whatever the values of the fields that do not matter?"
    )


def test_every_step_has_a_share() -> None:
    assert all(0 <= share <= 1 for share in SHARES.values())
