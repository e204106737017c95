"""Each trial is counted once, in all and in each turn; fresh runs of an earlier turn are told again."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rootward.diagnosis.ledger import Ledger
from rootward.verdict import FAIL, PASS, Outcome

ASKED = st.lists(st.tuples(st.sampled_from("abc"), st.booleans(), st.integers(1, 4)), max_size=20)
"""Candidates, whether they are to be run even if they are known, and how many runs decide."""


class Lab:
    """Numbers every run of a candidate."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.runs: dict[str, int] = dict.fromkeys("abc", 0)
        self.taken: dict[str, int] = dict.fromkeys("abc", 0)

    def ask(self, key: str, fresh: bool, several: int) -> tuple[Outcome, int]:
        outcome = self.ledger.recall(key) if fresh else None
        recalled = outcome is not None
        if outcome is None:
            runs = 1 if fresh else several
            known = self.taken[key] if fresh else 0
            self.taken[key] = max(self.taken[key], known + runs)
            self.runs[key] = max(self.runs[key], known + runs)
            outcome = Outcome(PASS, f"{key}{known}", votes=(FAIL,) * runs if runs > 1 else ())
        return outcome, self.ledger.enter(key, outcome, fresh=fresh, recalled=recalled)


@given(ASKED, ASKED)
def test_another_turn_pays_only_for_what_is_new(first: list[tuple[str, bool, int]], more: list[tuple[str, bool, int]]):
    ledger = Ledger()
    lab = Lab(ledger)
    told = [lab.ask(*one) for one in first]
    assert ledger.spent == ledger.needed == sum(needed for _, needed in told) == sum(lab.runs.values())
    before = ledger.spent
    ledger.turn()
    assert [lab.ask(*one) for one in first] == told, "the same again, as if it were the first time"
    assert (ledger.spent, ledger.needed) == (before, before)
    for one in more:
        lab.ask(*one)
    assert ledger.spent == sum(lab.runs.values())
    assert ledger.keys == {key for key, runs in lab.runs.items() if runs}


def test_a_replay_is_run_once_however_often_it_is_asked_for():
    ledger = Ledger()
    assert [ledger.enter("a", Outcome(PASS), attempt=at, fresh=True) for at in (0, 1, 0)] == [1, 1, 0]
    assert ledger.recall("a") is None
