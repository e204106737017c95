"""The condition of a small space is read off the table of all verdicts, if no search states it."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward.diagnosis.refutation import all_configurations
from rootward.study import Study
from rootward.subjects.function import as_subject
from tests.properties import few

OPTIONS = rw.Space(
    {
        "how": rw.Choice(["inner", "left", "right", "outer", "cross"]),
        "on": rw.Bool(),
        "left_key": rw.Bool(),
        "right_key": rw.Bool(),
        "left_index": rw.Bool(),
        "right_index": rw.Bool(),
        "check": rw.Choice(["none", "one", "many"]),
        "sorts": rw.Bool(),
    }
)
FAILING = {
    "how": "left",
    "on": True,
    "left_key": False,
    "right_key": True,
    "left_index": False,
    "right_index": False,
    "check": "none",
    "sorts": False,
}


def exclude_each_other(one: dict[str, Any]) -> bool:
    """A join: the keys of both sides are given in one of several ways, or not at all for a cross join."""
    left, right = one["left_key"] + one["left_index"], one["right_key"] + one["right_index"]
    if one["how"] == "cross":
        return bool(one["on"] or left or right or one["check"] != "none")
    return bool((one["on"] and (left or right)) or (not one["on"] and (left != 1 or right != 1)))


def diagnosed(fails: Any, space: rw.Space, failing: dict[str, Any], **options: Any) -> rw.Diagnosis:
    subject = as_subject(rw.fails_when(fails), isolate=False)
    return rw.diagnose(Study("join", Path("join.toml"), subject, space, failing), **options)


@pytest.mark.parametrize("seed", few(2, range(7)))
def test_options_that_exclude_each_other_in_many_ways(seed: int) -> None:
    found = diagnosed(exclude_each_other, OPTIONS, FAILING, seed=seed)
    assert found.certain
    assert all(found.rule.holds(one) is exclude_each_other(one) for one in all_configurations(OPTIONS))


@pytest.mark.parametrize("seed", few(1, range(4)))
def test_a_table_without_a_law_is_not_stated(seed: int) -> None:
    space = rw.Space({f"bit{i}": rw.Bool() for i in range(8)})
    bits = random.Random(seed)
    failing = {tuple(one.values()) for one in all_configurations(space) if bits.random() < 0.5}
    start = dict(zip(space.names, min(failing), strict=True))
    found = diagnosed(lambda one: tuple(one.values()) in failing, space, start, seed=seed)
    assert not found.certain


def test_a_space_that_exceeds_the_budget_is_not_run_completely() -> None:
    found = diagnosed(exclude_each_other, OPTIONS, FAILING, seed=0, budget=300)
    assert found.trials <= 300
    assert not found.certain
