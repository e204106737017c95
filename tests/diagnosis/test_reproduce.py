"""Passes by chance do not become exceptions."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.diagnosis.steps.reproduce import suspicious_passes
from rootward.diagnosis.tuning import TUNING
from rootward.rules import Atom, Rule
from rootward.study import Study
from rootward.subjects.function import as_subject
from tests.properties import few

SMALL = rw.Space({"p": rw.Choice("abcde"), "q": rw.Ordinal([1, 2, 3, 4]), "k": rw.Bool()})


@pytest.mark.parametrize("rate", few(1, [0.8, 0.9, 0.95]))
@pytest.mark.parametrize("luck", few(1, range(2)))
def test_a_failure_that_comes_and_goes_unannounced_is_not_explained_by_its_chances(rate: float, luck: int) -> None:
    dice = random.Random(luck)

    def run(one: dict[str, Any]) -> bool:
        return one["q"] > 2 and dice.random() < rate

    subject = as_subject(rw.fails_when(run), isolate=False)
    study = Study("dice", Path("dice.toml"), subject, space=SMALL, failing={"p": "c", "q": 4, "k": True})
    found = rw.diagnose(study)
    if found.certain:
        assert all(found.rule.holds({"p": p, "q": q, "k": True}) is (q > 2) for p in "abcde" for q in (1, 2, 3, 4))


def test_a_pass_amid_failures_is_strange_and_one_at_the_border_is_not() -> None:
    space, claim = rw.Space({"x": rw.Int(0, 9)}), Rule([[Atom("x", ">", 4), Atom("x", "!=", 7)]])
    runs = [({"x": x}, x > 4 and x != 7) for x in range(10)]
    assert suspicious_passes(space, claim, runs) == [{"x": 7}]


def test_one_of_two_values_is_not_strange() -> None:
    space, claim = rw.Space({"m": rw.Choice("ab"), "n": rw.Int(0, 9)}), Rule([[Atom("m", "=", "a")]])
    assert suspicious_passes(space, claim, [({"m": m, "n": n}, m == "a") for m in "ab" for n in range(5)]) == []


@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 9), st.booleans()), max_size=60))
def test_only_passes_beside_failures_and_only_a_few(told: list[tuple[str, int, bool]]) -> None:
    space = rw.Space({"m": rw.Choice("ab"), "x": rw.Int(0, 9)})
    claim = Rule([[Atom("x", ">", 4), Atom("m", "=", "a")]])
    runs = list({(m, x): ({"m": m, "x": x}, fails) for m, x, fails in told}.values())
    strange = suspicious_passes(space, claim, runs)
    assert len(strange) <= TUNING.max_repeated
    for one in strange:
        assert (one, False) in runs
        assert any(fails and (other["m"] == one["m"] or other["x"] == one["x"]) for other, fails in runs)
