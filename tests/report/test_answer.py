"""The top of a page says what was found, whatever the question was."""

from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward.report.answer import MAX_CONDITIONS, answer, sentence
from rootward.report.data import run_of
from rootward.report.kinds.reduction import MAX_NAMED
from rootward.report.page import section

from .pages import page
from .samples import runs


@pytest.mark.parametrize(
    ("kind", "conditions", "word"),
    [
        ("map", ["rock 3", "rock 8"], "and"),
        ("text", ["line 7", "line 30"], "and"),
        ("product_set", ["speed in [ 80, ..., 190 ]", "gear in [ R, N ]"], "and"),
        ("causes", ["n >= 3 and mode = b"], "or"),
        ("bad_rows", ["id=17: a is -999 (17 in the good table)"], "and"),
        ("checkpoint", [], ""),
    ],
)
def test_it_names_what_the_sentence_speaks_of(kind: str, conditions: list[str], word: str) -> None:
    said = answer(runs()[kind])
    assert (said.conditions, said.word, said.more) == (conditions, word, 0)


def test_a_rule_that_is_in_doubt_is_not_stated_as_a_fact() -> None:
    known: dict[str, Any] = runs()["rule_finding"]
    doubted = known["finding"] | {"unsteady": True, "complete": True}
    assert answer({**known, "finding": doubted}).head == "It seems to fail when"
    assert '<h1 id="run-1-title">It seems to fail when</h1>' in page(doubted)


def test_of_many_conditions_the_top_shows_the_first() -> None:
    space = rw.Space({f"n{i}": rw.Bool() for i in range(MAX_CONDITIONS + 2)})
    found = run_of(rw.triggers(space, rw.fails_when(lambda c: all(c.values())), dict.fromkeys(space, True)))
    assert (len(answer(found).conditions), answer(found).more) == (MAX_CONDITIONS, 2)
    assert sentence(found).endswith("n9 in [ true ] and 2 more")
    many = run_of(rw.reduce(range(MAX_NAMED + 1), rw.fails_when(lambda kept: len(kept) == MAX_NAMED + 1)))
    assert sentence(many) == many["finding"]["explanation"].partition("\n")[0]


def test_in_one_line_it_is_a_sentence_with_its_conditions() -> None:
    assert (
        sentence(runs()["causes"])
        == "It fails whenever this holds (2 settings; 2 runs failed and 13 passed): n >= 3 and mode = b"
    )


@pytest.mark.parametrize(
    ("status", "said"),
    [
        ("running", "Nothing is known yet."),
        ("not reproduced", "The input that should fail did not fail when it was run."),
        ("interrupted", "Nothing was found."),
    ],
)
def test_a_run_without_a_finding_says_why(status: str, said: str) -> None:
    assert sentence({"finding": None, "status": status}) == said


def test_the_causes_of_recorded_faults_are_named() -> None:
    said = answer(runs()["triage"])
    assert said.conditions
    assert said.conditions == [one["cause"] for one in runs()["triage"]["finding"]["classes"]]


def test_trials_of_earlier_runs_are_counted_as_such(tmp_path: Path) -> None:
    space = rw.Space({"n": rw.Int(0, 20), "on": rw.Bool()})
    fails, failing = rw.fails_when(lambda c: c["n"] > 9), {"n": 15, "on": True}
    first = rw.triggers(space, fails, failing, store=tmp_path / "store.db")
    again = rw.rule(space, fails, failing, store=tmp_path / "store.db")
    assert f"{first.trials} of these come from earlier runs." in section(run_of(again))
    assert "remembered" not in section(run_of(first))
