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
