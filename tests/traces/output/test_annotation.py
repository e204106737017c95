"""Copies with remarks: the recording is as it was, and each remark stands before its frame."""

import gzip
import struct
from dataclasses import replace
from pathlib import Path

import can
import pytest

import rootward as rw
from rootward.formats.recordings.asc import read_asc
from rootward.formats.recordings.frame import Frame
from rootward.formats.recordings.problems import Problems
from rootward.traces.output.annotation import SIGN, _line, annotate, remarks
from rootward.traces.recordings import read_trace

from .conftest import TRACES


def copied(model: rw.Model, path: Path, target: Path) -> list[str]:
    trace = read_trace(path)
    finding = rw.triage(model, [trace])
    faults = [(fault, "the cause") for fault in finding.faults]
    assert annotate(trace, remarks(trace, faults), target)
    return target.read_text().splitlines()


def test_an_asc_file_keeps_every_line(model: rw.Model, tmp_path: Path) -> None:
    source = TRACES / "bad_noreset.asc"
    lines = copied(model, source, tmp_path / "out.asc")
    assert [line for line in lines if not line.startswith(SIGN)] == source.read_text().splitlines()
    place = lines.index(f"{SIGN} FAULT: the cause")
    assert lines[place + 1].startswith(f"{SIGN} expected res ECU ReadDataByIdentifier 01000000")
    assert lines[place + 2] == f"{SIGN} observed res ECU ReadDataByIdentifier 01001234"
    first = next(line for line in lines[place:] if not line.startswith(SIGN))
    assert first.endswith("05 62 01 00 12 34 AA AA")
    relevant = lines.index(f"{SIGN} relevant message 1 of 2: req ECU ReadDataByIdentifier 0100")
    assert lines[relevant + 1].endswith("03 22 01 00 CC CC CC CC")


def test_line_ends_stay_as_they_are(model: rw.Model, tmp_path: Path) -> None:
    source = tmp_path / "dos.asc"
    source.write_bytes((TRACES / "bad_s3.asc").read_bytes().replace(b"\n", b"\r\n"))
    copied(model, source, tmp_path / "out.asc")
    content = (tmp_path / "out.asc").read_bytes()
    assert content.count(b"\n") == content.count(b"\r\n") > source.read_bytes().count(b"\n")


@pytest.mark.parametrize("ending", ["blf", "log"])
def test_other_logs_become_asc_with_the_same_messages(model: rw.Model, ending: str, tmp_path: Path) -> None:
    source = TRACES / f"bad_late.{ending}"
    lines = copied(model, source, tmp_path / "out.asc")
    assert f"{SIGN} FAULT: the cause" in lines
    again, before = read_trace(tmp_path / "out.asc"), read_trace(source)
    assert not again.problems
    assert [replace(event, line=0) for event in again.events] == [replace(event, line=0) for event in before.events]


def test_what_never_came_is_told_at_the_end(model: rw.Model, tmp_path: Path) -> None:
    source = tmp_path / "silent.asc"
    head = "date Thu Jan 1 00:00:00.000 am 1970\nbase hex  timestamps absolute\n"
    source.write_text(f"{head}   0.000000 1  7E0             Rx   d 8 03 22 F1 90 CC CC CC CC")
    lines = copied(model, source, tmp_path / "out.asc")
    assert lines[4] == f"{SIGN} FAULT: the cause"
    assert (
        lines[6] == f"{SIGN} observed nothing until the end of the recording, 0 µs later: "
        "the recording may have stopped too early"
    )


def test_a_compressed_asc_file_keeps_every_line(model: rw.Model, tmp_path: Path) -> None:
    source = tmp_path / "bad.asc.gz"
    source.write_bytes(gzip.compress((TRACES / "bad_noreset.asc").read_bytes()))
    lines = copied(model, source, tmp_path / "out.asc")
    plain = (TRACES / "bad_noreset.asc").read_text().splitlines()
    assert [line for line in lines if not line.startswith(SIGN)] == plain


def test_a_network_recording_of_can_becomes_asc(model: rw.Model, tmp_path: Path) -> None:
    source = tmp_path / "bad.pcap"
    data = struct.pack("<LHHLLLL", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 227)
    for frame in read_asc(TRACES / "bad_late.asc", Problems("it")):
        if isinstance(frame, Frame):
            body = struct.pack(">LB3x", frame.id, len(frame.data)) + frame.data
            data += struct.pack("<4L", 1_700_000_000, frame.time, len(body), len(body)) + body
    source.write_bytes(data)
    lines = copied(model, source, tmp_path / "out.asc")
    assert f"{SIGN} FAULT: the cause" in lines
    again, before = read_trace(tmp_path / "out.asc"), read_trace(TRACES / "bad_late.asc")
    assert [replace(event, line=0) for event in again.events] == [replace(event, line=0) for event in before.events]


def test_comments_are_copied_and_those_of_before_are_no_marks(model: rw.Model, tmp_path: Path) -> None:
    source = tmp_path / "bad.blf"
    with can.BLFWriter(str(source)) as writer:
        for place, message in enumerate(can.LogReader(TRACES / "bad_late.blf")):
            writer(message)
            if place == 1:
                writer.log_event("step 1: FAIL", message.timestamp + 0.0001)
    lines = copied(model, source, tmp_path / "out.asc")
    assert any(line.startswith("// step 1: FAIL") for line in lines)
    again = read_trace(tmp_path / "out.asc")
    assert [mark.text for mark in again.marks] == [mark.text for mark in read_trace(source).marks]
    assert len(again.marks) == 1


def test_a_network_recording_without_can_has_no_frames(tmp_path: Path) -> None:
    source = tmp_path / "doip.pcap"
    source.write_bytes(struct.pack("<LHHLLLL4L", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1, 0, 0, 14, 14) + bytes(14))
    assert not annotate(read_trace(source), {}, tmp_path / "out.asc")


def test_events_have_no_frames(tmp_path: Path) -> None:
    source = tmp_path / "events.jsonl"
    source.write_text('{"time": 0, "kind": "req", "ecu": "E", "operation": "x"}\n')
    assert not annotate(read_trace(source), {}, tmp_path / "out.asc")
    assert not (tmp_path / "out.asc").exists()


@pytest.mark.parametrize("size", [0, 8, 12, 64])
def test_frames_of_every_size_are_read_again(size: int, tmp_path: Path) -> None:
    frame = Frame(1_234_567, 0x18DA00F1, True, bytes(range(size)), "1", 2)
    path = tmp_path / "one.asc"
    path.write_text(f"base hex  timestamps absolute\n{_line(frame, frame.time, 1)}\n")
    problems = Problems(path)
    assert list(read_asc(path, problems)) == [frame]
    assert not problems.texts
