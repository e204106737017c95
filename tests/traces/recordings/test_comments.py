"""Comments in recordings: which of them are marks of the test environment, and when they were made."""

import struct

import can
import pytest

from rootward.errors import InputError
from rootward.traces.recordings import read_trace, read_traces

from .helpers import DATA, read

ASC = """\
date Sun Nov 15 01:06:50.820 2026
base hex  timestamps absolute
// version 13.0.0: this file has no errors
Begin Triggerblock Sun Nov 15 01:06:50.854 2026
   1.000000 Start of measurement
   1.100000 1  7E0             Rx   d 3 02 10 03
// step 1: expect a positive response
   1.150000 CAN 1 Status:chip status error active
   1.200000 1  7E8             Rx   d 4 03 7F 10 22
// step 1: FAIL, wrong answer
// rootward: FAULT: it failed
   1.300000 Verdict: step 1 failed
   1.400000 1  Statistic: D 0 R 0 XD 0 XR 0 E 0 O 0 B 0.00%
   1.500000 1  7E0             Rx   d 3 02 3E 00
// 0 errors, no failures, without error
"""


def marks(trace):
    return [(mark.time, mark.line, mark.text) for mark in trace.marks]


def test_comments_and_events_of_asc(tmp_path):
    trace = read(tmp_path / "log.asc", ASC)
    assert trace.problems == ()
    assert marks(trace) == [(100_000, 10, "step 1: FAIL, wrong answer"), (200_000, 12, "Verdict: step 1 failed")]


def test_relative_times(tmp_path):
    trace = read(tmp_path / "log.asc", ASC.replace("absolute", "relative"))
    assert [mark.time for mark in trace.marks] == [3_350_000 - 2_100_000 + 100_000 - 1_350_000 + 2_350_000, 3_650_000]


def test_a_pattern_of_the_user_decides_alone(tmp_path):
    trace = read(tmp_path / "log.asc", ASC, marks=r"^step \d: EXPECT")
    assert [mark.line for mark in trace.marks] == [7]
    with pytest.raises(InputError, match="is not a regular expression"):
        read_traces(tmp_path, marks="(")


@pytest.mark.parametrize("ending", ["asc", "blf"])
def test_events_that_python_can_writes(ending, tmp_path):
    path = tmp_path / f"log.{ending}"
    writer = {"asc": can.ASCWriter, "blf": can.BLFWriter}[ending]
    with writer(str(path)) as logger:
        for place, message in enumerate(can.LogReader(DATA / "good.blf")):
            logger(message)
            if place == 1:
                logger.log_event("Step 1: nicht ok", message.timestamp + 0.001)
                logger.log_event("Step 2 begins", message.timestamp + 0.001)
    trace = read_trace(path)
    assert trace.problems == ()
    (mark,) = trace.marks
    assert mark.text.startswith("Step 1: nicht ok")
    assert abs(mark.time - trace.events[1].time - 1000) < 10


TABLE = """\
time,kind,ecu,operation,payload,{column}
1.0,req,CTR,get,,{first}
1.5,res,CTR,0,,{second}
"""


@pytest.mark.parametrize(
    ("column", "text", "is_mark"),
    [
        ("mark", "x", True),
        ("mark", "step 3", True),
        ("mark", "passed", False),
        ("error", "1", True),
        ("error", "0", False),
        ("Error ", "E17", True),
        ("verdict", "pass", False),
        ("verdict", "fail", True),
        ("verdict", "n.i.O", True),
        ("comment", "step 3", False),
        ("comment", "no error", False),
        ("comment", "no answer: timed out", True),
        ("payloads", "fail", False),
    ],
)
def test_columns_of_a_table(column, text, is_mark, tmp_path):
    trace = read(tmp_path / "log.csv", TABLE.format(column=column, first="", second=text))
    assert trace.problems == ()
    assert len(trace.events) == 2
    assert marks(trace) == ([(1_500_000, 3, text)] if is_mark else [])


def test_a_row_may_have_a_mark_alone(tmp_path):
    rows = "0.5,,,,,FAIL\n0.6,,,,,\n"
    trace = read(tmp_path / "log.csv", TABLE.format(column="mark", first="", second="") + rows)
    assert marks(trace) == [(500_000, 4, "FAIL")]
    assert len(trace.events) == 2
    assert len(trace.problems) == 2  # the last row has nothing, and the times go back
    lines = '{"time": 1, "mark": "FAIL"}\n{"time": 2, "error": true}\n{"time": 3, "mark": null, "error": false}\n'
    trace = read(tmp_path / "log.jsonl", lines)
    assert [mark.text for mark in trace.marks] == ["FAIL", "True"]
    (problem,) = trace.problems
    assert problem.endswith(": no events")


def test_dates_are_taken_relative_to_the_first_message(tmp_path):
    text = TABLE.format(column="mark", first="", second="x").replace("1.", "1794704811.")
    assert marks(read(tmp_path / "log.csv", text)) == [(500_000, 3, "x")]


def test_comments_of_the_paper(tmp_path):
    text = "# Test-1: no errors\n[12ms] req CTR get\n# answer is missing\n[80ms]\n"
    assert marks(read(tmp_path / "test.txt", text)) == [(12_000, 3, "answer is missing")]


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_markers_of_blf_in_two_encodings(encoding, tmp_path):
    texts = [text.encode(encoding) for text in ("Prüfung", "Schritt 1", "Fehler – Ü\0")]
    marker = struct.pack("<16xLLL12x", *map(len, texts)) + b"".join(texts)
    text = "Zeitüberschreitung, timeout".encode(encoding)
    comment = struct.pack("<LLQ", 1, len(text), 0) + text
    cut = struct.pack("<LLQ", 1, len(text) + 100, 0) + text
    frame = struct.pack("<HBBL8s", 1, 0, 3, 0x7E0, b"\x02\x10\x03")
    body = b""
    for time, (kind, content) in enumerate([(1, frame), (96, marker), (92, comment), (92, cut), (92, b"")], 1):
        size = 32 + len(content)
        one = struct.pack("<4sHHLLLHHQ", b"LOBJ", 32, 1, size, kind, 2, 0, 0, time * 1_000_000) + content
        body += one + bytes(-len(one) % 4)
    trace = read(tmp_path / "log.blf", b"LOGG" + struct.pack("<L", 144) + bytes(136) + body)
    assert len(trace.events) == 1
    assert marks(trace) == [(1000, 1, "Prüfung Schritt 1 Fehler – Ü"), (2000, 1, "Zeitüberschreitung, timeout")]
    fits, short = trace.problems
    assert "does not fit into its object" in fits
    assert "an object of type 92 is too short (32 bytes)" in short


def test_columns_behind_those_of_python_can(tmp_path):
    text = """\
timestamp,arbitration_id,extended,remote,error,dlc,data,Verdict,mark
1.000000,0x7e0,0,0,0,3,AhAD,ok,0
1.005000,0x7e8,0,0,0,4,A38QIg==,"FAIL, refused",
1.010000,0x7e8,0,1,0,0,,step 2 failed,
1.020000,0x7e0,0,0,0,3,Aj4A,,E17
"""
    trace = read(tmp_path / "log.csv", text)
    assert trace.problems == ()
    assert [event.payload for event in trace.events] == ["03", "NRC 22", "00"]
    assert marks(trace) == [(5_000, 3, "FAIL, refused"), (5_000, 4, "step 2 failed"), (20_000, 5, "E17")]
