"""A pass that refutes a claim is believed only if more runs pass."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, cast

import pytest

from rootward.diagnosis.questions import StepView
from rootward.diagnosis.state import DiagnosisState
from rootward.diagnosis.steps import verify
from rootward.explanation.diagnosis import Explanation
from rootward.rules import Atom, Rule
from rootward.search.ask import Ask
from rootward.search.repeat import Once, Policy, Repeat
from rootward.verdict import FAIL, OTHER, PASS, Outcome

CLAIM = Rule([[Atom("n", ">", 2)]])
FRESH = [("outside", {"n": 1}), ("inside", {"n": 4}), ("inside", {"n": 5}), ("border", {"n": 3}), ("border", {"n": 2})]


class Late:
    """Shows the failure of 4 in its ninth run only; 5 never fails, and 3 fails in another way."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, int]] = []

    def ask(
        self, state: Any, question: Ask[Any], view: StepView, so_far: Explanation
    ) -> Generator[Ask[Any], Any, Sequence[Outcome]]:
        candidates: Sequence[Any] = question.candidates
        self.asked += [(one["n"], view.repeat.limit) for one in candidates]
        late = {4: FAIL if view.repeat.limit > 8 else PASS, 3: OTHER}
        return [Outcome(late.get(one["n"], PASS)) for one in candidates]
        yield


@pytest.mark.parametrize(
    ("repeat", "fails"), [(Once(), [False] * 4), (Repeat.k_of_n(1, 6), [False, True, False, False])]
)
def test_a_pass_by_chance_does_not_refute(repeat: Policy, fails: list[bool], monkeypatch: pytest.MonkeyPatch) -> None:
    late, state = Late(), cast(DiagnosisState, None)
    monkeypatch.setattr(verify, "ask", late.ask)
    search = verify.run_fresh(state, FRESH, CLAIM, StepView(repeat=repeat), Explanation())
    with pytest.raises(StopIteration) as end:
        next(search)
    assert [(part, one["n"], failed) for part, one, failed in end.value.value] == [
        (part, one["n"], failed) for (part, one), failed in zip([*FRESH[:3], FRESH[4]], fails, strict=True)
    ]
    again = [(4, 12), (5, 12)] if repeat.limit > 1 else []
    assert late.asked == [(1, 1), *((n, repeat.limit) for n in (4, 5, 3, 2)), *again]
