"""Which failures are the same: by signature, unless the subject can tell."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rootward as rw
from rootward.verdict import FAIL, OTHER, PASS

from .helpers import Counted, asking


class Placed(Counted):
    """Fails at some x, without a name for it; what ends within half a metre of the failure is the same one."""

    def __init__(self, ends: Any) -> None:
        super().__init__(lambda kept: rw.Outcome(FAIL, signature=str(len(kept)), measures={"x": ends(kept)}))

    def alike(self, outcome: rw.Outcome, reference: rw.Outcome) -> bool:
        return abs(outcome.measures["x"] - reference.measures["x"]) <= 0.5


def test_the_subject_tells_failures_apart() -> None:
    """Every run fails, each with a signature of its own; without 2 or 5 it does so elsewhere."""
    found = rw.reduce(range(8), Placed(lambda kept: 3.0 if {2, 5} <= set(kept) else 7.0))
    assert found.kept == [2, 5]


def test_near_is_near_enough() -> None:
    found = rw.reduce(range(8), Placed(lambda kept: 3.0 + 0.06 * (8 - len(kept)) if 4 in kept else 9.0))
    assert found.kept == [4]


def test_what_the_search_is_told() -> None:
    subject = Placed(lambda item: {"a": 1.0, "b": 1.4, "c": 1.6}[item])
    with rw.Lab(subject) as lab:
        found = lab.run(asking("abc"), failing="a")
    assert found.heard == (FAIL, FAIL, OTHER)


def test_nothing_is_compared_with_what_does_not_fail() -> None:
    class Picky(Placed):
        def run(self, candidate: Any, *, seed: int, place: Path) -> rw.Outcome:
            return rw.Outcome(PASS) if candidate == "b" else super().run(candidate, seed=seed, place=place)

    with rw.Lab(Picky(lambda item: 1.0)) as lab:
        assert lab.run(asking("abc"), failing="a").heard == (FAIL, PASS, FAIL)


def test_without_a_failing_candidate_every_failure_is_one() -> None:
    with rw.Lab(Placed(lambda item: float(ord(item)))) as lab:
        assert lab.run(asking("abc")).heard == (FAIL, FAIL, FAIL)


def test_a_resumed_run_compares_with_the_same_failure(tmp_path: Path) -> None:
    subject = Placed(lambda kept: 3.0 if {2, 5} <= set(kept) else 7.0)
    part = rw.reduce(range(8), subject, store=tmp_path / "store.db", budget=4)
    whole = rw.reduce(range(8), subject, store=tmp_path / "store.db")
    assert not part.complete
    assert whole.kept == [2, 5]
    assert len(subject) == whole.trials
