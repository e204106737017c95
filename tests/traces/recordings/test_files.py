"""Which files are meant, and what is in each; a broken one never stops the others."""

import gzip
import importlib
import itertools
import os
import shutil
import struct
import sys

import can
import pytest

from rootward.errors import InputError, MissingExtra
from rootward.traces.recordings import read_trace, read_traces

from .helpers import DATA, read, texts

zstd = importlib.import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")


@pytest.mark.parametrize("name", ["good", "bad_late", "bad_s3", "bad_noreset"])
def test_one_recording_in_three_formats(name):
    traces = list(read_traces([DATA / f"{name}.{ending}" for ending in ("asc", "blf", "log")]))
    assert [trace.problems for trace in traces] == [(), (), ()]
    assert texts(traces[0]) == texts(traces[1]) == texts(traces[2])
    for other in traces[1:]:
        for one, two in zip(traces[0].events, other.events, strict=True):
            assert abs(one.time - two.time) <= 1
        assert traces[0].end is not None
        assert other.end is not None
        assert abs(traces[0].end - other.end) <= 1


def test_the_good_recording():
    trace = read_trace(DATA / "good.asc")
    assert (trace.name, trace.path, len(trace.events)) == ("good.asc", str(DATA / "good.asc"), 24)
    assert texts(trace)[:4] == [
        "req ECU ReadDataByIdentifier F190",
        "res ECU ReadDataByIdentifier F1905756575A5A5A314A5A5857303030303031",
        "req ECU WriteDataByIdentifier 01001234",
        "res ECU WriteDataByIdentifier NRC 7F",
    ]
    assert [event.time for event in trace.events[:3]] == [0, 5447, 10_552]
    assert (trace.events[0].line, trace.events[1].line) == (6, 7)
    assert trace.end == 868_569


def test_the_late_response():
    events = read_trace(DATA / "bad_late.blf").events
    waits = [two.time - one.time for one, two in itertools.pairwise(events) if one.kind == "req"]
    assert 80_000 < max(waits) < 83_000


@pytest.mark.parametrize("ending", ["csv", "trc", "mf4"])
def test_other_formats_have_the_same_events(ending, tmp_path):
    with can.Logger(str(tmp_path / f"good.{ending}")) as logger:
        for message in can.LogReader(DATA / "good.blf"):
            logger(message)
    trace, good = read_trace(tmp_path / f"good.{ending}"), read_trace(DATA / "good.blf")
    assert trace.problems == ()
    assert texts(trace) == texts(good)
    rounding = 100 if ending == "trc" else 1
    assert all(abs(one.time - two.time) <= rounding for one, two in zip(trace.events, good.events, strict=True))


@pytest.mark.parametrize("compress", [gzip.compress, zstd.compress])
@pytest.mark.parametrize("ending", ["asc", "blf", "log", "mf4"])
def test_a_compressed_recording_has_the_same_events(ending, compress, tmp_path):
    plain = DATA / f"good.{ending}"
    if ending == "mf4":
        plain = tmp_path / "good.mf4"
        with can.Logger(str(plain)) as logger:
            for message in can.LogReader(DATA / "good.blf"):
                logger(message)
    good = read_trace(plain)
    for name in ("good", f"good.{ending}.gz", f"good.{ending}.zst"):
        trace = read(tmp_path / name, compress(plain.read_bytes()))
        assert (trace.problems, trace.events, trace.end) == ((), good.events, good.end)


def test_a_compressed_recording_that_was_cut_off(tmp_path):
    trace = read(tmp_path / "good.asc.gz", gzip.compress((DATA / "good.asc").read_bytes())[:-80])
    good = texts(read_trace(DATA / "good.asc"))
    assert 3 < len(trace.events) < len(good)
    assert texts(trace) == good[: len(trace.events)]
    assert any("the gzip data end too early" in problem for problem in trace.problems)


def test_doip(tmp_path):
    stream, packets = {True: 0, False: 0}, b""
    for time, (asks, data) in enumerate([(True, b"\x10\x03"), (False, b"\x50\x03"), (True, b"\x22\xf1\x90")]):
        addresses, ports = ((0xE00, 0x1001), (5, 13400)) if asks else ((0x1001, 0xE00), (13400, 5))
        body = struct.pack(">BBHLHH", 2, 0xFD, 0x8001, 4 + len(data), *addresses) + data
        tcp = struct.pack(">HHLLBBHHH", *ports, stream[asks], 0, 0x50, 0x18, 0, 0, 0) + body
        stream[asks] += len(body)
        ip = struct.pack(">BBHHHBBH8s", 0x45, 0, 20 + len(tcp), 0, 0, 64, 6, 0, bytes(8)) + tcp
        packets += struct.pack("<4L", 1_700_000_000, time * 10, len(ip), len(ip)) + ip
    data = struct.pack("<LHHLLLL", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 101) + packets
    trace = read(tmp_path / "log.pcap", data)
    assert trace.problems == ()
    assert [(event.time, event.text) for event in trace.events] == [
        (0, "req ECU DiagnosticSessionControl 03"),
        (10, "res ECU DiagnosticSessionControl 03"),
        (20, "req ECU ReadDataByIdentifier F190"),
    ]
    assert {event.ecu for event in read(tmp_path / "log.pcap", data, ecus={"Gate": 0x1001}).events} == {"Gate"}
    other = read(tmp_path / "log.pcap", data, ecus={"Gate": 0x1002})
    assert (other.events, len(other.problems)) == ((), 1)
    assert "none belongs to a named ECU" in other.problems[0]


# Which files


@pytest.fixture
def folder(tmp_path):
    """Some recordings and other things."""
    (tmp_path / "sub").mkdir()
    (tmp_path / ".hidden").mkdir()
    for place in ("b.asc", "sub/a.LOG", "a.blf", ".hidden/no.asc"):
        shutil.copy(DATA / f"good.{place[-3:].lower()}", tmp_path / place)
    (tmp_path / "README.txt").write_text("About these files.\n")
    (tmp_path / "paper.txt").write_text("[12ms] req CTR set 5\n")
    (tmp_path / "figure.png").write_bytes(b"\x89PNG")
    (tmp_path / "sub" / "c.asc.gz").write_bytes(gzip.compress((DATA / "good.asc").read_bytes()))
    (tmp_path / "sub" / "notes.txt.gz").write_bytes(gzip.compress(b"About these files."))
    return tmp_path


def test_a_folder_is_read_in_order_with_what_is_in_it(folder):
    assert [trace.name for trace in read_traces(folder)] == ["a.blf", "b.asc", "paper.txt", "sub/a.LOG", "sub/c.asc.gz"]


def test_patterns_and_several_paths_and_each_file_once(folder):
    found = read_traces([folder / "sub", str(folder / "*.[ab][sl][cf]"), f"{folder}/**/*.LOG"])
    assert [trace.name for trace in found] == ["a.LOG", "c.asc.gz", "a.blf", "b.asc"]


def test_one_path_need_not_be_in_a_list():
    assert [trace.name for trace in read_traces(str(DATA / "good.asc"))] == ["good.asc"]


@pytest.mark.parametrize("path", ["nowhere.asc", "*.nowhere", "", "a\0b", "[", "/nowhere/deep"])
def test_a_path_that_does_not_exist(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError):
        read_traces([DATA / "good.asc", path])


def test_a_folder_without_traces(tmp_path):
    with pytest.raises(InputError, match="contains no traces"):
        read_traces(tmp_path)


def test_traces_are_read_one_at_a_time(folder):
    traces = read_traces([folder / "a.blf", folder / "b.asc"])
    assert next(traces).problems == ()
    (folder / "b.asc").unlink()
    gone = next(traces)
    assert gone.events == ()
    assert gone.problems == (f"{folder / 'b.asc'}: cannot be read: No such file or directory",)


def test_what_is_no_file_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.asc")
    trace = read_trace(tmp_path / "pipe.asc")
    reason = "cannot be read: it is a pipe, not a regular file: copy its content to a file first"
    assert (trace.events, trace.problems) == ((), (f"{tmp_path / 'pipe.asc'}: {reason}",))


def test_a_file_that_may_not_be_read(tmp_path, monkeypatch):
    def refuse(*_args, **_how):
        raise PermissionError(13, "Permission denied")

    shutil.copy(DATA / "good.asc", tmp_path / "it.asc")
    monkeypatch.setattr("rootward.formats.files.open", refuse, raising=False)
    trace = read_trace(tmp_path / "it.asc")
    assert trace.problems == (f"{tmp_path / 'it.asc'}: cannot be read: Permission denied",)


# What is in them


@pytest.mark.parametrize("ending", ["", ".txt", ".log", ".dat", ".trace"])
@pytest.mark.parametrize("kind", ["asc", "blf", "log"])
def test_the_contents_tell_what_the_name_does_not(kind, ending, tmp_path):
    trace = read(tmp_path / f"recording{ending}", (DATA / f"good.{kind}").read_bytes())
    assert trace.problems == ()
    assert texts(trace) == texts(read_trace(DATA / "good.asc"))


@pytest.mark.parametrize(
    "text",
    [
        "[12ms] req CTR get",
        "\n# Test-1\n 12ms req CTR get",
        '{"time": 0.012, "kind": "req", "ecu": "CTR", "operation": "get"}',
        "time,kind,ecu,operation,payload\n0.012,req,CTR,get,",
    ],
)
@pytest.mark.parametrize("ending", ["", ".txt", ".log", ".trace"])
def test_the_contents_tell_events(text, ending, tmp_path):
    trace = read(tmp_path / f"recording{ending}", text)
    assert [(event.time, event.text) for event in trace.events] == [(12_000, "req CTR get")]
    assert trace.problems == ()


@pytest.mark.parametrize("data", [b"", b"\x00\xff" * 100, b"Dear reader,\n"])
def test_an_unknown_file_is_told(data, tmp_path):
    trace = read(tmp_path / "letter.txt", data)
    assert trace.events == ()
    assert len(trace.problems) == 1
    assert "unknown format: expected a CAN log" in trace.problems[0]


@pytest.mark.parametrize("ending", ["asc", "blf", "log", "csv", "trc", "mf4", "pcap", "pcapng", "jsonl"])
def test_an_empty_file_is_told(ending, tmp_path):
    trace = read(tmp_path / f"empty.{ending}", b"")
    assert trace.events == ()
    assert trace.problems


@pytest.mark.parametrize("ending", ["csv", "trc", "mf4"])
def test_what_to_install_is_told(ending, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "can", None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    header = "timestamp,arbitration_id,extended,remote,error,dlc,data\n"
    with pytest.raises(MissingExtra, match=r"rootward\[can\]"):
        read(tmp_path / f"log.{ending}", header)
