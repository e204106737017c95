"""Runs that are repeated: those that did otherwise are found, and no others."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.search.ask import Ask, has_failed
from rootward.search.relay import drive
from rootward.search.reruns import run_again, select_changed
from rootward.verdict import FAIL, Outcome, Verdict

VERDICTS = st.sampled_from(Verdict)


@given(st.lists(st.tuples(st.booleans(), VERDICTS), max_size=8), st.booleans())
def test_runs_that_do_otherwise_are_returned(said: Sequence[tuple[bool, Verdict]], fresh: bool) -> None:
    runs = [(place, before) for place, (before, _) in enumerate(said)]

    def answer(ask: Ask[int]) -> list[Outcome]:
        assert ask.candidates == list(range(len(said)))
        assert (ask.fresh, ask.best, ask.note) == (fresh, "best", "again?")
        return [Outcome(verdict) for _, verdict in said]

    changed = drive(run_again(runs, best="best", note="again?", fresh=fresh), answer)
    for place, (before, verdict) in enumerate(said):
        same = verdict is Verdict.UNRESOLVED or before is (verdict is FAIL)
        assert (place in changed) is not same


@given(st.lists(st.booleans()))
def test_what_does_the_same_or_cannot_be_judged_is_not_otherwise(before: list[bool]) -> None:
    runs = list(enumerate(before))
    assert select_changed(runs, before) == select_changed(runs, [None] * len(runs)) == []
    assert select_changed(runs, [not one for one in before]) == list(range(len(runs)))


@pytest.mark.parametrize("verdict", Verdict)
def test_only_a_resolved_run_is_judged(verdict: Verdict) -> None:
    assert has_failed(Outcome(verdict)) is (None if verdict is Verdict.UNRESOLVED else verdict is FAIL)
    assert has_failed(None) is None
