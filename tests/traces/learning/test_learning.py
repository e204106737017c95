"""Learning: what a model learned from good recordings says, accepts and rejects."""

from __future__ import annotations

import re
from functools import cache

import pytest

import rootward as rw
from rootward.errors import InputError
from rootward.traces.learning.learn import LearnedModel, learn_file
from rootward.traces.linting import lint
from rootward.traces.model.event import Event, Trace
from rootward.traces.running.engine import Engine
from rootward.traces.running.replay import find_witnesses

from .unit import MS, Unit, record, recordings


@cache
def learned() -> LearnedModel:
    return learn_file(recordings(200))


def line_with(*words: str, text: str | None = None) -> str:
    """Return the only line of the file that has all these words."""
    found = [one for one in (text or learned().text).splitlines() if all(word in one for word in words)]
    assert len(found) == 1, found
    return found[0]


@cache
def engine() -> Engine:
    return Engine(learned().model)


def number(pattern: str) -> int:
    """Return the number that the pattern captures in the file."""
    found = re.search(pattern, learned().text)
    assert found
    return int(found[1])


def rejected(traces: list[Trace]) -> int:
    found = rw.triage(learned().model, traces)
    return found.traces - found.conforming


def test_sessions_are_required_with_their_codes():
    assert '- \'session in ["02", "03"] else 0x7F\'' in learned().text
    assert "- 'session in [\"03\"] else 0x7F'" in learned().text


def test_the_level_is_required_where_the_standard_says_so():
    assert "met" in line_with("sec in [2] else 0x33")


def test_unknown_identifiers_are_refused():
    assert line_with("did F190", 'data: "AABBCC"')
    assert len(re.findall("else: 0x31 ", learned().text)) == 2


def test_a_written_value_is_read_again_until_a_reset():
    assert line_with("did 0100: {positive: {data: d0100}}")
    assert line_with("set: {d0100: $request_data}")
    assert 'd0100: "0000"' in line_with("sub 0x01", 'session: "01", sec: 0, ', "d0100")


def test_what_happened_before_becomes_a_variable():
    assert line_with("ready_sB1_00 in", "else 0x24")
    assert line_with("sub 0x00", 'set: {ready_sB1_00: "yes"}')


def test_keys_are_understood():
    assert line_with("derive: {fits: xor_5A}")
    assert line_with("attempts < 2 else 0x36")
    assert line_with("seed01 != none else 0x24")
    assert line_with("delay == 0 else 0x37")


def test_the_timer_lies_between_what_a_session_survived_and_what_ended_it():
    after, slack = number(r"after: (\d+)us"), number(r"slack: (\d+)us")
    assert 1_500 * MS <= after <= 2_000 * MS <= after + slack <= 2_700 * MS


def test_the_time_limit_is_above_all_times_but_not_far():
    limit = number(r"p2: (\d+)ms")
    assert 20 <= limit <= 60


def test_the_file_is_a_valid_model_and_accepts_what_it_was_learned_from():
    assert [one for one in lint(learned().model) if one.severity == "error"] == []
    assert learned().departing == ()
    assert rw.learn_model(recordings(50)) == learn_file(recordings(50)).model


def test_fresh_good_recordings_conform():
    assert rejected(recordings(200, name="fresh")) <= 2


class SurvivesReset(Unit):
    def after_reset(self) -> str:
        return self.stored


class Endless(Unit):
    def timeout(self) -> int:
        return 10**12


class Unchecked(Unit):
    def write(self, payload: str) -> str:
        self.level = 1
        return super().write(payload)


class Slow(Unit):
    def delay(self) -> int:
        return super().delay() + 60 * MS


class Patient(Unit):
    wrong_keys = 3


@pytest.mark.parametrize("bug", [SurvivesReset, Endless, Unchecked, Slow, Patient])
def test_bugs_are_found(bug):
    traces = [one for one in recordings(100, bug) if one.events != recordings_of(one.name).events]
    assert len(traces) >= 5
    found = sum(next(find_witnesses(engine(), one), None) is not None for one in traces)
    assert found >= 0.5 * len(traces)


@cache
def good() -> dict[str, Trace]:
    return {one.name: one for one in recordings(100)}


def recordings_of(name: str) -> Trace:
    return good()[name]


def test_few_recordings_leave_open_what_they_do_not_show():
    found = learn_file(recordings(3))
    assert found.departing == ()
    assert "any" in found.text


def test_a_fault_in_a_good_recording_is_pointed_out():
    wrong = Trace(
        "wrong",
        (
            Event(0, "req", "ECU", "DiagnosticSessionControl", "02"),
            Event(5 * MS, "res", "ECU", "DiagnosticSessionControl", "0200320032"),
            Event(20 * MS, "req", "ECU", "WriteDataByIdentifier", "01001234"),
            Event(25 * MS, "res", "ECU", "WriteDataByIdentifier", "NRC 22"),
        ),
        9_000 * MS,
    )
    found = learn_file([*(record(f"short {i}", Unit(f"short {i}"), 6) for i in range(500)), wrong])
    assert found.departing == ("wrong",)
    assert "CHECK: 1 otherwise, as in wrong, message 3" in line_with("else 0x7F", "CHECK", text=found.text)


def test_nothing_to_learn_from():
    with pytest.raises(InputError, match="no recording has a request"):
        rw.learn_model([])


def test_several_ecus_are_refused():
    events = (Event(0, "req", "A", "TesterPresent", "00"), Event(1, "req", "B", "TesterPresent", "00"))
    with pytest.raises(InputError, match="several ECUs"):
        rw.learn_model([Trace("two", events)])


def test_other_protocols_are_refused():
    with pytest.raises(InputError, match="'set' is not a UDS service"):
        rw.learn_model([Trace("counter", (Event(0, "req", "CTR", "set", "5"),))])


def conversation(name: str, *messages: tuple[str, str, str]) -> Trace:
    """Return a recording of these messages (kind, service, payload), 10 ms apart."""
    events = [Event(10 * MS * i, kind, "ECU", service, payload) for i, (kind, service, payload) in enumerate(messages)]
    return Trace(name, tuple(events), 9_000 * MS)


def ask(service: str, request: str, answer: str) -> list[tuple[str, str, str]]:
    return [("req", service, request), ("res", service, answer)]


SESSION, READ, ACCESS, WRITE = (
    "DiagnosticSessionControl",
    "ReadDataByIdentifier",
    "SecurityAccess",
    "WriteDataByIdentifier",
)


@pytest.mark.parametrize(
    "messages",
    [
        ask(READ, "F19", "F190"),
        ask(READ, "ZZZZ", "NRC ZZ"),
        ask(READ, "F190F191", "F190AAF191BB"),
        ask(SESSION, "", "NRC 13"),
        [*ask(SESSION, "03", "03"), *ask(ACCESS, "01", "01ABC"), *ask(ACCESS, "02AB", "02")],
    ],
)
def test_damaged_and_unusual_messages_teach_nothing_but_do_no_harm(messages):
    assert "services:" in learn_file([conversation("damaged", *messages)]).text


def test_services_that_were_never_accepted():
    messages = [*ask(READ, "F190", "NRC 31"), *ask(SESSION, "03", "NRC 12"), *ask(ACCESS, "01", "NRC 7F")]
    found = learn_file([conversation(f"refused {i}", *messages) for i in range(5)])
    assert found.departing == ()
    assert line_with("else: 0x31", "5 times; never accepted", text=found.text)


def test_a_refusal_without_a_rule_is_pointed_out_with_the_answer_that_it_contradicts():
    good = [conversation(f"good {i}", *ask(READ, "F190", "F190AA")) for i in range(9)]
    found = learn_file([*good, conversation("wrong", *ask(READ, "F190", "NRC 22"))])
    seen = "0x22 once, as in wrong, message 1 (the same session, level and data, but another answer: good 0, message 1)"
    assert seen in line_with("may: [0x22]", text=found.text)


def test_data_that_do_not_fit_the_others_are_pointed_out():
    good = [conversation(f"good {i}", *ask(READ, "F190", "F190AA")) for i in range(9)]
    found = learn_file([*good, conversation("wrong\n: 1", *ask(READ, "F190", "F190BB"))])
    seen = r"CHECK: 1 of 10 data do not fit the others, as in wrong\n: 1, message 1; left open"
    assert seen in line_with("did F190", text=found.text)


def test_what_is_not_supported_is_left_open_where_a_rule_may_come_first():
    setting = "ControlDTCSetting"
    refused = [*ask(setting, "01", "NRC 7F"), *ask(SESSION, "03", "03"), *ask(setting, "01", "01")]
    found = learn_file([conversation(f"good {i}", *refused, *ask(setting, "05", "NRC 12")) for i in range(9)])
    assert "'$sub in [0x01] or session not in [\"01\"] else any'" in found.text
    for code in ("12", "7F"):
        new = conversation("new", *ask(setting, "05", f"NRC {code}"))
        assert next(find_witnesses(Engine(found.model), new), None) is None


def test_measurements_are_not_suspicious():
    found = learn_file([conversation(f"good {i}", *ask(READ, "F190", f"F190{i:02X}")) for i in range(9)])
    assert "CHECK" not in found.text


def test_a_key_that_does_not_fit_the_others_is_pointed_out():
    def unlock(name: str, key: str) -> Trace:
        return conversation(
            name, *ask(SESSION, "03", "03"), *ask(ACCESS, "01", "01AAAA"), *ask(ACCESS, f"02{key}", "02")
        )

    found = learn_file([*(unlock(f"good {i}", "ABAB") for i in range(9)), unlock("wrong", "ABFF")])
    assert "1 key did not fit the others, as in wrong, message 5" in line_with("may: [0x35, 0x36]", text=found.text)


def test_the_evidence_names_the_longest_time_and_what_changes_a_variable():
    name, message = re.search(r"p2: .*longest of [\d,]+: .* ms, in (good \d+), message (\d+)", learned().text).groups()
    trace = recordings_of_200()[name]
    request, response = trace.events[int(message) - 1 :][:2]
    assert response.time - request.time == 19 * MS
    assert re.search(r"changed by WriteDataByIdentifier 0100 \(\d+ times\)", line_with("  d0100:"))
    assert re.search(r"ECUReset 01 \(\d+ times\)", line_with("  d0100:"))


def recordings_of_200() -> dict[str, Trace]:
    return {one.name: one for one in recordings(200)}


def test_the_name_of_a_model_is_quoted_where_yaml_needs_it():
    assert 'model: "a: #b"' in learn_file(recordings(1), "a: #b").text
