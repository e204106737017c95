"""CAN frames from every kind of log: what python-can writes comes back, and what is broken is told."""

import os
import struct
import zlib
from pathlib import Path

import can
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from rootward.formats.recordings import mf4
from rootward.formats.recordings.frame import Frame
from rootward.formats.recordings.problems import MAX_LISTED_PROBLEMS, Problems
from rootward.formats.recordings.registry import READERS
from tests.properties import examples

DATA = Path(__file__).parents[2] / "data" / "traces"
EPOCH = 1_794_704_810


def read(path, kind=None):
    """The frames without the comments, and what was told."""
    problems = Problems("it")
    found = READERS[kind or Path(path).suffix[1:]](Path(path), problems)
    return [one for one in found if isinstance(one, Frame)], list(problems.texts)


def written(path, messages):
    with can.Logger(str(path)) as logger:
        for message in messages:
            logger(message)


def plain(frames):
    """What all formats keep. The time counts from the first frame, in units of 10 microseconds."""
    return [
        (round((one.time - frames[0].time) / 10), one.id, one.extended, one.data, one.channel != "") for one in frames
    ]


@st.composite
def classic(draw):
    extended = draw(st.booleans())
    return can.Message(
        arbitration_id=draw(st.integers(0, 0x1FFFFFFF if extended else 0x7FF)),
        is_extended_id=extended,
        data=draw(st.binary(max_size=8)),
        channel=draw(st.integers(0, 3)),
    )


@st.composite
def recordings(draw):
    messages = draw(st.lists(classic(), min_size=1, max_size=8))
    time = EPOCH
    for message in messages:
        message.timestamp = time
        time += draw(st.integers(1, 100_000)) / 1e4
    return messages


# What python-can writes


@pytest.mark.parametrize("kind", ["asc", "blf", "log", "csv", "trc"])
@examples(25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(messages=recordings())
def test_what_python_can_writes_comes_back(kind, tmp_path, messages):
    path = tmp_path / f"log.{kind}"
    written(path, messages)
    frames, problems = read(path)
    assert problems == []
    start = messages[0].timestamp
    assert plain(frames) == [
        (
            round((one.timestamp - start) * 1e5),
            one.arbitration_id,
            one.is_extended_id,
            bytes(one.data),
            kind != "csv",
        )
        for one in messages
    ]


@pytest.mark.parametrize("kind", ["asc", "blf", "log", "mf4"])
def test_long_frames_of_can_fd(kind, tmp_path):
    sizes = [0, 1, 8, 12, 48, 64] if kind != "asc" else [1, 8, 12, 48, 64]
    messages = [
        can.Message(EPOCH + place, 0x7E0, False, is_fd=True, data=bytes(range(size)), channel=0)
        for place, size in enumerate(sizes)
    ]
    written(tmp_path / f"log.{kind}", messages)
    frames, problems = read(tmp_path / f"log.{kind}")
    assert problems == []
    assert [one.data for one in frames] == [bytes(range(size)) for size in sizes]
    assert [one.time - frames[0].time for one in frames] == [place * 1_000_000 for place in range(len(sizes))]


@pytest.mark.parametrize("kind", ["asc", "blf", "log", "csv", "mf4"])
def test_frames_without_data_are_left_out_silently(kind, tmp_path):
    messages = [
        can.Message(EPOCH, 0x7E0, False, data=b"\x01"),
        can.Message(EPOCH + 1, 0x7E0, False, is_remote_frame=True, dlc=3),
        can.Message(EPOCH + 2, is_error_frame=True),
        can.Message(EPOCH + 3, 0x7E1, False, data=b"\x02"),
    ]
    for message in messages:
        message.channel = 0
    written(tmp_path / f"log.{kind}", messages)
    frames, problems = read(tmp_path / f"log.{kind}")
    assert problems == []
    assert [(one.id, one.data) for one in frames] == [(0x7E0, b"\x01"), (0x7E1, b"\x02")]


# Text


def asc(tmp_path, *lines, head="base hex  timestamps absolute"):
    (tmp_path / "log.asc").write_text("\n".join([head, *lines]) + "\n")
    return read(tmp_path / "log.asc")


def test_numbers_are_lines():
    frames, _ = read(DATA / "good.asc")
    assert (frames[0].number, frames[-1].number) == (6, 32)
    frames, _ = read(DATA / "good.log")
    assert (frames[0].number, frames[-1].number) == (1, 27)


@pytest.mark.parametrize("kind", ["asc", "log", "csv", "trc"])
@pytest.mark.parametrize(
    "broken", ["0.0x 1 7E0 Rx d 8 03", "\x00\ufffd", "(1.0) can0 7E0#0", "9" * 5000, "a,b,c,d,e,f,g"]
)
def test_a_broken_line_is_told_and_the_others_are_kept(kind, broken, tmp_path):
    if kind in ("csv", "trc"):
        written(tmp_path / f"good.{kind}", can.LogReader(DATA / "good.blf"))
    lines = ((tmp_path if kind in ("csv", "trc") else DATA) / f"good.{kind}").read_text().splitlines()
    middle = len(lines) // 2 + 3
    path = tmp_path / f"log.{kind}"
    path.write_text("\n".join([*lines[:middle], broken, *lines[middle:]]))
    frames, problems = read(path)
    assert [one.data for one in frames] == [one.data for one in read(DATA / "good.log")[0]]
    assert len(problems) == 1
    assert problems[0].startswith(f"it: line {middle + 1}: ")


@pytest.mark.parametrize("time", ["nan", "inf", "-1", "1e300"])
@pytest.mark.parametrize("kind", ["csv", "trc"])
def test_a_frame_without_a_possible_time_is_told(kind, time, tmp_path):
    line = {"csv": "{},0x7e0,0,0,0,1,AQ==", "trc": "1) {} Rx 7E0 1 01"}[kind]
    header = {"csv": "timestamp,arbitration_id,extended,remote,error,dlc,data", "trc": ";$FILEVERSION=1.1"}[kind]
    lines = [header, line.format(1), line.format(time), line.format(2)]
    (tmp_path / f"log.{kind}").write_text("\n".join(lines))
    frames, (problem,) = read(tmp_path / f"log.{kind}")
    assert [one.number for one in frames] == [2, 4]
    assert problem.startswith("it: line 3: ")
    assert "is not a valid time" in problem


def test_a_header_that_cannot_be_read_is_told(tmp_path):
    (tmp_path / "log.trc").write_text(";$FILEVERSION=2.1\n;$STARTTIME=never\n1 1.0 DT 07E0 Rx 1 01\n")
    frames, (problem,) = read(tmp_path / "log.trc")
    assert frames == []
    assert problem.startswith("it: the header: it cannot be understood, so no line can")


def test_noise_is_told_in_a_few_lines(tmp_path):
    (tmp_path / "log.log").write_text("noise\n" * 1000)
    frames, problems = read(tmp_path / "log.log")
    assert frames == []
    assert len(problems) == MAX_LISTED_PROBLEMS + 1
    assert problems[-1] == f"it: and {1000 - MAX_LISTED_PROBLEMS} more problems"


def test_a_line_without_end_is_left_out(tmp_path):
    (tmp_path / "log.log").write_text("(1.0) can0 7E0#01\n" + "x" * 2_500_000 + "\n(2.0) can0 7E0#02\n")
    frames, problems = read(tmp_path / "log.log")
    assert [(one.number, one.data) for one in frames] == [(1, b"\x01"), (3, b"\x02")]
    assert problems == ["it: line 2: longer than 1,000,000 characters"]


@pytest.mark.parametrize(
    "line",
    [
        "0.1 Start of measurement",
        "0.1 1  Statistic: D 0 R 0 XD 0 XR 0 E 0 O 0 B 0.00%",
        "0.1 1  ErrorFrame",
        "0.1 CAN 1 Status:chip status error active",
        "0.1 1  7E0             Rx   r 8",
        "0.1 1  7E0             TxRq d 2 01 02",
        "0.1 CANFD   3 Tx     50005x                                0 1 5 0 140000 73 200050",
        "0.1 1 J1939TP FEE3p 6 0 0 - Rx d 23 A0 0F",
        "// a comment",
        "Begin Triggerblock Sun Nov 15 01:06:50.854 2026",
        "End TriggerBlock",
        "no internal events logged",
        "date Sun Nov 15 01:06:50.820 2026",
        "",
    ],
)
def test_lines_of_asc_about_other_things(line, tmp_path):
    assert asc(tmp_path, line) == ([], [])


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("0.1 1  7E0 Rx d 8 03 22", "2 of 8 data bytes are present"),
        ("0.1 1  7E0 Rx d 2 03 GG", "'GG' is not a hexadecimal number"),
        ("0.1 1  7E0 Rx d 2 03 1FF", "'1FF' is not a data byte (0 to FF)"),
        ("0.1 1  7G0 Rx d 2 03 22", "not a valid ASC line"),
        ("0.1 1  7E0", "not a valid ASC line"),
        ("0.1 1  FFFFFFFFx Rx d 1 00", "is not a CAN id"),
        ("99999999999999.0 1  7E0 Rx d 1 00", "is not a valid time"),
        ("0.1 CANFD 1 Rx 7E0 1 0 8 80", "0 of 80 data bytes are present"),
        ("nan 1  7E0 Rx d 1 00", "not a valid ASC line"),
        ("-0.1 1  7E0 Rx d 1 00", "not a valid ASC line"),
    ],
)
def test_broken_lines_of_asc(line, reason, tmp_path):
    frames, (problem,) = asc(tmp_path, line)
    assert frames == []
    assert problem.startswith("it: line 2: ")
    assert reason in problem


def test_asc_in_decimal_numbers(tmp_path):
    ((frame,), problems) = asc(tmp_path, "1.5 2  2024 Tx d 3 1 20 255", head="base dec  timestamps absolute")
    assert problems == []
    assert frame == (1_500_000, 2024, False, b"\x01\x14\xff", "2", 2)


def test_asc_with_times_since_the_line_before(tmp_path):
    frames, problems = asc(
        tmp_path,
        "1.0 1 7E0 Rx d 1 01",
        "0.5 1 Statistic: D 0",
        "0.25 1 18DAF110x Rx d 1 02",
        head="base hex  timestamps relative",
    )
    assert problems == []
    assert [(one.time, one.id, one.extended) for one in frames] == [
        (1_000_000, 0x7E0, False),
        (1_750_000, 0x18DAF110, True),
    ]


def test_asc_of_can_fd_with_and_without_a_name(tmp_path):
    frames, problems = asc(
        tmp_path,
        "0.1 CANFD   1 Rx 7E8                                  1 0 9 12 01 02 03 04 05 06 07 08 09 0A 0B 0C 0 0 3000 0",
        "0.2 CANFD   1 Tx 7E8 Engine_01                        0 0 2  2 AA BB 0 0 1000 0",
    )
    assert problems == []
    assert [one.data.hex() for one in frames] == ["0102030405060708090a0b0c", "aabb"]


# BLF


def blf(path, *objects, level=None):
    """A BLF file with these objects, in a container if a level of compression is given."""
    body = b"".join(one.ljust(-(-len(one) // 4) * 4, b"\0") for one in objects)
    if level is not None:
        packed = zlib.compress(body, level)
        body = struct.pack("<4sHHLLH6xL4x", b"LOBJ", 16, 1, 32 + len(packed), 10, 2, len(body)) + packed
    path.write_bytes(b"LOGG" + struct.pack("<L", 144) + bytes(136) + body)
    return read(path)


def blf_frame(time, data, size=None):
    content = struct.pack("<HBBL8s", 1, 0, len(data), 0x7E0, data)
    size = 32 + len(content) if size is None else size
    return struct.pack("<4sHHLLLHHQ", b"LOBJ", 32, 1, size, 1, 2, 0, 0, time * 1000) + content


def test_objects_of_blf_with_and_without_a_container(tmp_path):
    frames = [blf_frame(1, b"one"), blf_frame(2, b"two")]
    for level in (None, 0, 9):
        found, problems = blf(tmp_path / "log.blf", *frames, level=level)
        assert [(one.time, one.data, one.number) for one in found] == [(1, b"one", 1), (2, b"two", 2)]
        assert problems == []


def blf_object(kind, content, version=1, unit=2):
    header = struct.pack("<LHHQ", unit, 0, 0, 5_000_000) + bytes(8 if version == 2 else 0)
    size = 16 + len(header)
    return struct.pack("<4sHHLL", b"LOBJ", size, version, size + len(content), kind) + header + content


FD_64 = struct.Struct("<BBBBLLLLLLLHBBL")


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize(
    ("kind", "content"),
    [
        (1, struct.pack("<HBBL8s", 2, 0, 8, 0x98DAF110, b"12345678")),
        (86, struct.pack("<HBBL8sLBBH", 2, 0, 3, 0x7E8, b"123", 0, 0, 0, 0)),
        (86, struct.pack("<HBBL8sLBBH", 2, 0, 15, 0x7E8, b"12345678", 0, 0, 0, 0)),
        (100, struct.pack("<HBBLLBBB5x64s", 1, 0, 10, 0x7E8, 0, 0, 1, 16, bytes(range(64)))),
        (101, FD_64.pack(1, 9, 12, 0, 0x7E8, 0, 0x1000, 0, 0, 0, 0, 0, 0, 0, 0) + bytes(range(12))),
        (101, FD_64.pack(1, 9, 12, 0, 0x7E8, 0, 0x1000, 0, 0, 0, 0, 0, 0, 0, 0) + bytes(range(8))),
        (101, FD_64.pack(1, 9, 12, 0, 0x7E8, 0, 0x1000, 0, 0, 0, 0, 0, 0, 84, 0) + bytes(range(1, 21))),
        (101, FD_64.pack(1, 9, 12, 0, 0x7E8, 0, 0x0010, 0, 0, 0, 0, 0, 0, 0, 0)),
        (73, bytes(40)),
        (96, bytes(60)),
    ],
)
def test_objects_of_blf_are_read_as_python_can_does(kind, content, version, tmp_path):
    one = blf_object(kind, content, version)
    found, problems = blf(tmp_path / "log.blf", one, blf_frame(2, b"two"), level=6)
    assert problems == []
    expected = [
        (message.arbitration_id, message.is_extended_id, bytes(message.data), round(message.timestamp * 1e6))
        for message in can.BLFReader(tmp_path / "log.blf")
        if not message.is_remote_frame and not message.is_error_frame
    ]
    assert [(one.id, one.extended, one.data, one.time) for one in found] == expected
    assert expected[-1][2] == b"two"


def test_times_of_blf_in_tens_of_microseconds(tmp_path):
    content = struct.pack("<HBBL8s", 2, 0, 3, 0x7E8, b"123")
    found, _ = blf(tmp_path / "log.blf", blf_object(1, content, unit=1))
    assert [one.time for one in found] == [50_000_000]


@pytest.mark.parametrize("size", [0, 1, 15, 1 << 31])
def test_an_object_of_impossible_size_neither_hangs_nor_hides_the_next(size, tmp_path):
    found, problems = blf(tmp_path / "log.blf", blf_frame(1, b"one", size), blf_frame(2, b"two"))
    assert [one.data for one in found] == [b"two"]
    assert any("impossible size" in problem for problem in problems)


@pytest.mark.parametrize("level", [None, 9])
def test_an_object_that_claims_all_the_rest_does_not_hide_the_next(level, tmp_path):
    found, problems = blf(tmp_path / "log.blf", blf_frame(1, b"one", 1 << 20), blf_frame(2, b"two"), level=level)
    assert [one.data for one in found] == [b"two"]
    assert any("an object ends too early" in problem for problem in problems)


def test_what_is_there_of_a_blf_file_that_was_cut_off(tmp_path):
    frames = [blf_frame(place, os.urandom(8)) for place in range(500)]
    blf(tmp_path / "whole.blf", *frames, level=9)
    data = (tmp_path / "whole.blf").read_bytes()
    (tmp_path / "cut.blf").write_bytes(data[: len(data) * 3 // 4])
    whole, cut = read(tmp_path / "whole.blf")[0], read(tmp_path / "cut.blf")
    assert len(whole) == 500
    assert 300 < len(cut[0]) < 500
    assert cut[0] == whole[: len(cut[0])]
    assert any("of the file: an object ends too early" in problem for problem in cut[1])


def test_a_container_that_would_fill_the_memory_is_not_unpacked(tmp_path):
    found, problems = blf(tmp_path / "log.blf", bytes(1 << 25), blf_frame(2, b"two"), level=9)
    assert found == []
    assert any("more than" in problem for problem in problems)


@pytest.mark.parametrize("data", [b"", b"LO", b"LOGG", b"noise" * 100])
def test_what_is_no_blf_file(data, tmp_path):
    (tmp_path / "log.blf").write_bytes(data)
    frames, problems = read(tmp_path / "log.blf")
    assert frames == []
    assert problems == ["it: not a BLF file: it does not begin with LOGG"]


# MF4


def test_mf4(tmp_path):
    written(tmp_path / "log.mf4", can.LogReader(DATA / "good.blf"))
    frames, problems = read(tmp_path / "log.mf4")
    assert problems == []
    assert plain(frames) == plain(read(DATA / "good.blf")[0])


def test_a_broken_mf4_file_is_told_and_the_next_one_read(tmp_path):
    (tmp_path / "noise.mf4").write_bytes(b"MDF     4.10" + bytes(500))
    frames, (problem,) = read(tmp_path / "noise.mf4")
    assert frames == []
    assert "after frame 0" in problem
    test_mf4(tmp_path)


def test_a_process_that_dies_takes_one_file_with_it(tmp_path, monkeypatch):
    test_mf4(tmp_path)
    (server,) = mf4._running
    server._process.kill()
    with monkeypatch.context() as patch:
        patch.setattr(mf4._ReaderProcess, "alive", True)  # as if it died after it was asked
        frames, (problem,) = read(tmp_path / "log.mf4")
    assert frames == []
    assert "crashed" in problem
    test_mf4(tmp_path)
    assert mf4._running[0] is not server


def test_a_process_that_says_nothing_is_given_up(tmp_path, monkeypatch):
    monkeypatch.setattr(mf4, "PATIENCE", 0.001)
    (tmp_path / "log.mf4").write_bytes(b"MDF     4.10" + bytes(500))
    mf4._stop()
    frames, (problem,) = read(tmp_path / "log.mf4")
    assert frames == []
    assert "or was silent for" in problem
