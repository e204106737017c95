"""What decides between changes that explain the same faults: only one of them allows each answer that is named."""

from __future__ import annotations

import pytest

from rootward.traces.examine import Examiner
from rootward.traces.grouping.classify import FaultClass
from rootward.traces.grouping.mutant import Mutant
from rootward.traces.model.event import Event, Trace
from rootward.traces.output.data import as_data
from rootward.traces.running.replay import find_witnesses
from rootward.traces.triage import Triage, triage

from .test_changes import KEY_1, LEVEL, OPEN, READ, UNIT, talk, unit

GOOD = (
    f"{KEY_1} {LEVEL}01 22>0100 22<0100AA",
    f"{OPEN} 2E>0101CC 2E<0101 22>0101 22<0101CC 22>0100 22<0100AA",
    "28>01 28<01 22>0200 22<020001 22>0201 22<020100",
)
TIES: dict[str, str] = {
    "an order, or a check": f"23>2000 23<-33 {READ[:-2]}01",
    "a variable, or another one": "22>0100 22<010000",
    "an update, or a check": f"{OPEN} 2E>0100CC 2E<0100 10>01 10<01 2E>0100DD 2E<0100",
}


def sorted_out(*said: str) -> Triage:
    traces = [talk(number, one) for number, one in enumerate((*said, *GOOD))]
    return triage(unit(), traces)


def changes_of(one: FaultClass) -> list[Mutant]:
    examiner = Examiner(unit())
    witness = next(find_witnesses(examiner.engine, one.example))
    known = {change.cause: change for change in examiner.mutants(one.representative, witness)}
    return [known[cause] for cause in one.causes]


@pytest.mark.parametrize("tie", TIES)
def test_only_one_change_allows_an_answer_that_decides(tie: str) -> None:
    result = sorted_out(TIES[tie])
    [one] = result.classes
    assert len(one.causes) > 1
    assert one.decisions
    traces = {trace.name: trace for trace in [one.example, *(talk(1 + n, said) for n, said in enumerate(GOOD))]}
    examiner, changes = Examiner(unit()), changes_of(one)
    for decision in one.decisions:
        before = traces[decision.trace].events[: decision.after]
        assert decision.answers
        for answer, right in decision.answers:
            kind, ecu, operation, payload = answer.split(" ", 3) if answer else [""] * 4
            after = [Event(decision.request.time + 1000, kind, ecu, operation, payload)] if answer else []
            recorded = Trace("recorded", (*before, decision.request, *after))
            allowed = [examiner.conforms(changes[cause], recorded) for cause in decision.causes]
            assert allowed == [number == right for number in range(2)], (decision, answer)


def test_the_text_says_what_to_record() -> None:
    result = sorted_out(TIES["an order, or a check"])
    said = str(result)
    assert "     to decide record req ECU ReadMemoryByAddress 2000 after message 4 of test 1 (first cause: " in said
    [told] = as_data(result)["classes"][0]["decisions"]
    assert told["answers"] == [{"answer": "res ECU ReadMemoryByAddress NRC 31", "cause": 0}]


def test_a_single_cause_needs_no_decision() -> None:
    [one] = sorted_out(f"{OPEN} +2200 {READ}").classes
    assert len(one.causes) == 1
    assert one.decisions == ()


def test_conforming_traces_that_do_not_behave_so_are_told() -> None:
    ends = [f"{OPEN} +2200 22>F186 22<F18601 {said}" for said in GOOD]
    bad = f"{OPEN} +2200 {READ}"
    traces = [talk(number, one) for number, one in enumerate((bad, *ends))]
    [one] = triage(unit(UNIT), traces).classes
    assert str(one.causes[0]) == "as if timer S3 never ran out"
    assert (one.contradicted, one.compared) == (3, 3)
    assert "3 of 3 conforming traces compared do not behave like this" in str(triage(unit(UNIT), traces))
    assert [str(cause) for cause in one.unrefuted] == ["as if timer S3 could run out late"]
