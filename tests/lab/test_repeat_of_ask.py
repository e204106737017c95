"""A question may say how many runs decide its verdicts; whatever was run before is used again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import rootward as rw
from rootward.verdict import FAIL, PASS


@dataclass(frozen=True, kw_only=True)
class Said(rw.Finding):
    verdicts: tuple[Any, ...] = ()

    def answer(self) -> dict[str, Any]:
        return {}


def search() -> rw.Search[dict[str, Any], Said]:
    best = Said()
    verdicts = []
    for policy in (None, rw.Repeat.k_of_n(1, 4), rw.Repeat.k_of_n(1, 2), None):
        answers = yield rw.Ask([{"x": 1}], best=best, repeat=policy)
        verdicts += [outcome.verdict for outcome in answers if outcome]
    return Said(verdicts=tuple(verdicts))


def test_each_question_has_its_policy_and_pays_once() -> None:
    calls = []

    def third_time(_: Any) -> rw.Verdict:
        calls.append(1)
        return FAIL if len(calls) == 3 else PASS

    with rw.Lab(third_time) as lab:
        found = lab.run(search())
    assert found.verdicts == (PASS, FAIL, PASS, PASS)
    assert found.trials == len(calls) == 3
