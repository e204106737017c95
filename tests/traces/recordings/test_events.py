"""Events as such: tables, JSON lines and the paper's line format."""

import json

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from rootward.traces.model.event import Event
from tests.properties import examples

from .helpers import read, texts

TEST_2 = """\
# Test-2 of Figure 1
[12ms] req CTR set 5
[1ms] res CTR ack 5

[11ms] req CTR log a b  c
  8ms res CTR done
0.5 s req CTR get
[ 250 us ] res CTR 0
"""
HEADER = "time,kind,ecu,operation,payload\n"


def test_the_lines_of_the_paper(tmp_path):
    trace = read(tmp_path / "test.txt", TEST_2)
    assert trace.problems == ()
    assert [(event.time, event.line, event.text) for event in trace.events] == [
        (12_000, 2, "req CTR set 5"),
        (13_000, 3, "res CTR ack 5"),
        (24_000, 5, "req CTR log a b c"),
        (32_000, 6, "res CTR done"),
        (532_000, 7, "req CTR get"),
        (532_250, 8, "res CTR 0"),
    ]
    assert trace.events[2].payload == "a b c"


def test_a_time_alone_says_how_long_nothing_happened(tmp_path):
    trace = read(tmp_path / "test.trace", "[1ms] req CTR get\n[70ms]\n")
    assert (trace.end, len(trace.events), trace.problems) == (71_000, 1, ())


@pytest.mark.parametrize("line", ["req CTR set", "[5] req CTR set", "[-1ms] req CTR set", "[nanms] req CTR set"])
@pytest.mark.parametrize("before", ["[1ms] req CTR get"])
def test_a_broken_line_is_told(line, before, tmp_path):
    trace = read(tmp_path / "test.txt", f"{before}\n{line}\n[2ms] res CTR 0\n")
    assert texts(trace) == ["req CTR get", "res CTR 0"]
    assert [event.time for event in trace.events] == [1000, 3000]
    (problem,) = trace.problems
    assert problem.startswith(f"{tmp_path / 'test.txt'}: line 2: expected a line such as")


def test_times_that_add_up_to_more_than_a_recording_can_have(tmp_path):
    trace = read(tmp_path / "test.txt", "[1ms] req CTR get\n[99999999999999999s] res CTR 0\n")
    assert texts(trace) == ["req CTR get"]
    assert len(trace.problems) == 1


@pytest.mark.parametrize(("name", "scale"), [("time", 1e-6), ("time_ms", 1e-3), ("time_us", 1)])
def test_a_table_in_every_unit_of_time(name, scale, tmp_path):
    text = f"{name}, kind ,ECU,operation\n{1000 * scale},req,CTR,get\n{2500 * scale},res,CTR,0\n"
    trace = read(tmp_path / "log.csv", text)
    assert trace.problems == ()
    assert trace.events == (Event(1000, "req", "CTR", "get", "", 2), Event(2500, "res", "CTR", "0", "", 3))


def test_dates_are_taken_relative_to_the_first(tmp_path):
    trace = read(tmp_path / "log.csv", HEADER + "1794704810.5,req,CTR,get,\n1794704811.25,res,CTR,0,\n")
    assert [event.time for event in trace.events] == [0, 750_000]
    assert trace.end == 750_000


def test_a_quote_that_does_not_end_hides_one_row(tmp_path):
    trace = read(tmp_path / "log.csv", HEADER + '1,req,CTR,set,"1, 2"\n2,"req,CTR,set,5\n3,res,CTR,ack,5\n')
    assert texts(trace) == ["req CTR set 1, 2", "res CTR ack 5"]
    assert len(trace.problems) == 1
    assert "line 3" in trace.problems[0]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("nan,req,CTR,get,", "'nan' is not a valid time"),
        ("inf,req,CTR,get,", "'inf' is not a valid time"),
        ("-1,req,CTR,get,", "'-1' is not a valid time"),
        ("1e300,req,CTR,get,", "'1e300' is not a valid time"),
        ("soon,req,CTR,get,", "'soon' is not a valid time"),
        ("1,,CTR,get,", "kind must be one word, got ''"),
        ("1,req,C TR,get,", "ecu must be one word, got 'C TR'"),
        ("1,req,CTR", "no operation"),
    ],
)
def test_a_broken_row_is_told(row, reason, tmp_path):
    trace = read(tmp_path / "log.csv", f"{HEADER}0,req,CTR,get,\n{row}\n2,res,CTR,0,\n")
    assert texts(trace) == ["req CTR get", "res CTR 0"]
    (problem,) = trace.problems
    assert problem.startswith(f"{tmp_path / 'log.csv'}: line 3: ")
    assert reason in problem


@pytest.mark.parametrize("header", ["", "a,b,c", "time,kind,ecu,payload", "kind,ecu,operation,payload"])
def test_a_table_without_the_columns_of_events(header, tmp_path):
    trace = read(tmp_path / "log.csv", header + "\n1,2,3,4\n")
    assert trace.events == ()
    assert "line 1: the header has no" in trace.problems[0]


@pytest.mark.parametrize(
    "line",
    [
        "[1, 2]",
        "{",
        '"text"',
        "[" * 100000,
        '{"time": NaN, "kind": "req", "ecu": "A", "operation": "x"}',
        "null1",
        '{"time": true, "kind": "req", "ecu": "A", "operation": "x"}',
        '{"time": 1}',
        "9" * 10000,
        '{"time": 1, "kind": "req", "ecu": ["A"], "operation": "x"}',
        '{"time": {}, "kind": 1, "ecu": 1, "operation": 1}',
    ],
)
def test_a_broken_line_of_json_is_told(line, tmp_path):
    good = '{"time": 1.5, "kind": "req", "ecu": "CTR", "operation": "get", "more": [1]}'
    trace = read(tmp_path / "log.jsonl", f"{line}\n\n{good}\n")
    assert trace.events == (Event(1_500_000, "req", "CTR", "get", "", 3),)
    assert len(trace.problems) == 1
    assert "line 1" in trace.problems[0]


def test_times_that_go_back_are_told_and_events_put_in_order(tmp_path):
    trace = read(tmp_path / "log.csv", HEADER + "3,req,A,x,\n1,req,A,y,\n2,req,A,z,\n1,req,A,w,\n")
    assert texts(trace) == ["req A y", "req A w", "req A z", "req A x"]
    assert len(trace.problems) == 1
    assert "line or frame 3: the time goes back, 2 times in all" in trace.problems[0]


def test_what_cannot_be_shown_is_replaced(tmp_path):
    row = {"time": 1, "kind": "req", "ecu": "A", "operation": "x\x1b[2J\ud800", "payload": "a\nb\x00"}
    trace = read(tmp_path / "log.jsonl", json.dumps(row) + "\n")
    assert texts(trace) == ["req A x\ufffd[2J\ufffd a b\ufffd"]


words = st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=8)
events = st.builds(
    Event,
    st.integers(0, 10**12),
    words,
    words,
    words,
    st.lists(words, max_size=3).map(" ".join),
)


@examples(100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(events=st.lists(events, min_size=1, max_size=6).map(lambda some: sorted(some, key=lambda one: one.time)))
def test_events_come_back_from_json_lines(events, tmp_path):
    rows = [
        {"time_us": one.time, "kind": one.kind, "ecu": one.ecu, "operation": one.operation, "payload": one.payload}
        for one in events
    ]
    trace = read(tmp_path / "log.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    assert trace.problems == ()
    assert [(one.time, one.text) for one in trace.events] == [(one.time, one.text) for one in events]
    assert trace.end == events[-1].time
