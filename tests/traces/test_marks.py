"""Marks of the test environment, compared with the faults."""

from dataclasses import replace

import pytest

import rootward as rw
from rootward.errors import InputError
from rootward.traces.marks import AGREES, LATE, UNFOUNDED, UNJUDGED, count_before

MODEL = """
model: Door
vars: {locked: 0}
clocks: [since]
requirements:
  R1: A door that was locked does not open
  R2: Every request is answered within 20 ms
components:
  door:
    initial: idle
    locations:
      locking: {stay: since <= 20ms, requirement: R2}
      opening: {stay: since <= 20ms, requirement: R2}
    edges:
      - {from: idle, to: locking, on: "req door lock", reset: since}
      - {from: locking, to: idle, on: "res door locked", set: {locked: 1}}
      - {from: idle, to: opening, on: "req door open", reset: since}
      - {from: opening, to: idle, on: "res door opened", when: locked = 0, requirement: R1}
      - {from: opening, to: idle, on: "res door refused", when: locked = 1, requirement: R1}
      - {from: idle, to: idle, on: "req functional TesterPresent"}
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "door.yaml"
    path.write_text(MODEL)
    return rw.load_model(path)


def recorded(text, name="test", **more):
    """A trace: each line has a time in milliseconds and a message, or ``!`` and the text of a mark."""
    events, marks = list[rw.Event](), list[rw.TraceMark]()
    for line in text.strip().splitlines():
        time, kind, *words = line.split()
        number = len(events) + len(marks) + 1
        if kind == "!":
            marks.append(rw.TraceMark(int(time) * 1000, " ".join(words), number))
        else:
            events.append(rw.Event(int(time) * 1000, kind, words[0], words[1], " ".join(words[2:]), number))
    return rw.Trace(name, tuple(events), marks=tuple(marks), **more)


def compared(model, text):
    finding = rw.triage(model, [recorded(text)])
    return [(one.kind, one.fault and one.fault.index, one.delay) for one in finding.marks]


GOOD = "0 req door lock\n5 res door locked\n50 req door open\n55 res door refused\n"
BAD = GOOD.replace("refused", "opened")
LATE_ANSWER = "0 req door lock\n31 res door locked\n50 req door open\n55 res door refused\n"
MORE = "90 req door open\n95 res door refused\n"


@pytest.mark.parametrize("time", [55, 58, 89])
def test_a_mark_in_the_exchange_of_a_fault_agrees_with_it(time, model):
    assert compared(model, f"{BAD}{time} ! step 2: FAIL\n{MORE}") == [(AGREES, 3, (time - 55) * 1000)]


def test_at_the_same_time_the_line_decides(model):
    assert compared(model, f"{BAD}90 ! FAIL\n{MORE}") == [(AGREES, 3, 35_000)]
    moved = f"{BAD}90 req door open\n90 ! FAIL\n95 res door refused"
    assert compared(model, moved) == [(LATE, 3, 35_000)]


def test_a_mark_in_a_later_exchange_came_late(model):
    assert compared(model, f"{BAD}{MORE}95 ! FAIL") == [(LATE, 3, 40_000)]


def test_only_one_mark_is_late_for_a_fault_and_none_for_one_that_is_marked(model):
    assert compared(model, f"{BAD}{MORE}95 ! FAIL\n{MORE.replace('9', '19')}195 ! FAIL") == [
        (LATE, 3, 40_000),
        (UNFOUNDED, None, None),
    ]
    assert compared(model, f"{BAD}56 ! FAIL\n{MORE}95 ! FAIL") == [(AGREES, 3, 1000), (UNFOUNDED, None, None)]


def test_several_marks_of_one_fault(model):
    assert compared(model, f"{BAD}56 ! wrong\n57 ! step 2: FAIL\n{MORE}") == [(AGREES, 3, 1000), (AGREES, 3, 2000)]


def test_a_mark_before_the_request_of_a_fault_is_about_something_else(model):
    assert compared(model, BAD.replace("50 req", "6 ! FAIL\n50 req")) == [(UNFOUNDED, None, None)]


def test_a_mark_in_a_conforming_trace_has_no_fault(model):
    finding = rw.triage(model, [recorded(f"{GOOD}56 ! FAIL")])
    assert [one.kind for one in finding.marks] == [UNFOUNDED]
    assert finding.conforming == 1
    assert finding.unmarked == ()


def test_a_late_answer_that_was_marked_as_missing(model):
    assert compared(model, LATE_ANSWER.replace("31 res", "25 ! no answer\n31 res")) == [(AGREES, 1, -6000)]


@pytest.mark.parametrize("time", [25, 49])
def test_a_missing_answer(time, model):
    text = f"0 req door lock\n{time} ! no answer\n50 req door open\n55 res door opened"
    assert compared(model, text) == [(AGREES, 1, (time - 50) * 1000)]


def test_a_missing_answer_at_the_end_of_the_recording(model):
    trace = replace(recorded("0 req door lock\n25 ! no answer"), end=60_000)
    (one,) = rw.triage(model, [trace]).marks
    assert (one.kind, one.fault.event, one.delay) == (AGREES, None, -35_000)


def test_a_message_that_keeps_the_session_alive_begins_no_exchange(model):
    text = f"{BAD}56 req functional TesterPresent 80\n57 ! FAIL\n{MORE}"
    assert compared(model, text) == [(AGREES, 3, 2000)]


def test_messages_that_nobody_calls_requests_are_exchanges_of_their_own(model):
    text = "0 ask door lock\n5 res door opened\n6 ! FAIL\n50 ask door open\n55 ! FAIL"
    found = compared(model, text)
    assert found[0] == (AGREES, 1, 1000)
    assert found[1][0] == UNFOUNDED


def test_faults_without_a_mark(model):
    traces = [recorded(f"{BAD}56 ! FAIL", "a"), recorded(BAD, "b"), recorded(LATE_ANSWER, "c")]
    finding = rw.triage(model, traces)
    assert [fault.trace for fault in finding.unmarked] == ["b", "c"]
    assert rw.triage(model, traces[1:]).unmarked == ()  # an environment that marks nothing overlooked nothing


def test_a_trace_that_is_not_judged(model):
    finding = rw.triage(model, [recorded("0 req window open\n5 res window opened\n6 ! FAIL")])
    assert [one.kind for one in finding.marks] == [UNJUDGED]


def test_what_follows_the_last_fault_of_a_trace_that_is_cut_is_not_judged(model):
    bad = "".join(f"{100 * place} req door lock\n{100 * place + 50} res door locked\n" for place in range(22))
    finding = rw.triage(model, [recorded(f"{bad}2200 ! FAIL\n2210 req door lock\n2211 res door locked\n2212 ! FAIL")])
    assert finding.cut == 1
    kinds = [one.kind for one in finding.marks]
    assert UNFOUNDED not in kinds


def test_the_faults_of_several_processes(model):
    traces = [recorded(f"{BAD}56 ! FAIL", "a"), recorded(f"{GOOD}56 ! FAIL", "b")]
    assert rw.triage(model, traces, jobs=2).marks == rw.triage(model, traces).marks


def test_a_mark_belongs_to_the_conversation_with_the_last_message_before_it(tmp_path):
    (tmp_path / "any.yaml").write_text(MODEL.replace("door ", "* ").replace("model: Door", "model: Door\necu: '*'"))
    text = "0 req A lock\n5 res A locked\n10 req B open\n14 res B locked\n15 ! FAIL\n20 req A open\n25 res A refused"
    trace = recorded(text)
    assert [count_before(trace.events, mark) for mark in trace.marks] == [4]
    from rootward.traces.marks import share_marks

    parts = [
        replace(trace, name=ecu, events=tuple(one for one in trace.events if one.ecu == ecu)) for ecu in ("A", "B")
    ]
    assert share_marks(trace, parts) == [(), trace.marks]
    first = replace(trace, marks=(rw.TraceMark(0, "FAIL"),))
    assert share_marks(first, parts) == [first.marks, ()]


def test_the_notes(model):
    traces = [
        recorded(f"{BAD}56 ! FAIL", "a"),
        recorded(f"{BAD}{MORE}95 ! FAIL", "b"),
        recorded(f"{GOOD}56 ! step 2: FAIL", "c"),
        recorded(LATE_ANSWER, "d"),
    ]
    text = str(rw.triage(model, traces))
    assert (
        "The test environment marked 3 errors: 1 agrees with a fault, 1 came 40 ms late, at 1 there is no fault.\n"
        "Marks without a fault: c, line 5 at 0.056000 s (step 2: FAIL).\n"
        "1 fault is not marked: d, message 2 (line 2) at 0.031000 s." in text
    )
    assert "test environment" not in str(rw.triage(model, traces[3:]))


def test_the_data_and_the_page(model, tmp_path):
    traces = [recorded(f"{BAD}56 ! <b>FAIL</b>", "a"), recorded(f"{BAD}{MORE}95 ! late FAIL", "b"), recorded(BAD, "c")]
    finding = rw.triage(model, traces)
    data = finding.to_dict()
    assert [(one["kind"], one["fault"], one["delay"], one["text"]) for one in data["marks"]] == [
        ("agrees", 0, 1000, "<b>FAIL</b>"),
        ("late", 1, 40_000, "late FAIL"),
    ]
    assert data["marks"][0]["comparison"] == "agrees with the fault at message 4 (line 4) at 0.055000 s"
    assert data["unmarked"] == [2]
    finding.report(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "2 marks of the test environment, 1 with a fault" in page
    assert "<td>40 ms after the fault at message 4 (line 4) at 0.055000 s</td>" in page
    assert "1 fault without a mark" in page


@pytest.mark.parametrize("mark", ["FAIL", (0, "FAIL"), rw.TraceMark(-1, "FAIL"), None])
def test_what_is_no_mark(mark, model):
    with pytest.raises(InputError, match="expected a TraceMark"):
        rw.triage(model, [replace(recorded(GOOD), marks=(mark,))])
