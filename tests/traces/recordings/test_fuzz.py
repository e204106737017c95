"""Broken files of every format: a trace comes of each, with what could be read; nothing is raised, nothing hangs."""

import gzip
import json
import random
import re
import struct

import can
import pytest

from tests.properties import few
from tests.waiting import cpu_seconds

from .helpers import DATA, read, read_trace

ROUNDS = 100
FORMATS = ["asc", "blf", "log", "csv", "trc", "pcap", "can.pcap", "pcapng", "jsonl", "events.csv", "txt", "asc.gz"]
WORDS = [
    *(
        b"",
        b"nan",
        b"-1",
        b"1e400",
        b"9" * 5000,
        b"[[[[",
        b"\xff\xfe",
        b"\n",
        b'"',
        b"#",
        b"\0\0\0\0",
        b"\xff\xff\xff\xff",
    ),
    *(b"\xff\xff\xff\x7f", b"\1\0\0\0", b"LOBJ", b"infinity", b"99999999999999999999", b"{", b"(1e5)", b"\r", b"\x0b"),
]


FOREIGN = re.compile(
    r"unpack(?!ed)|literal|must be in range|out of range|Error|Exception|NoneType|codec|base64|padding|could not "
    r"convert|Expecting|Extra data|Unterminated|fromhex|non-hexadecimal|digits|decompressing|buffer|Mdf|"
    r"column information"
)
"""Words of Python's and others' messages, which say nothing to the owner of a recording."""


def whole(kind, folder):
    """A good file."""
    if kind in ("asc", "blf", "log"):
        return (DATA / f"good.{kind}").read_bytes()
    events = read_trace(DATA / "good.asc").events
    if kind == "txt":
        return "".join(f"[{event.time}us] {event.text}\n" for event in events).encode()
    if kind == "events.csv":
        rows = [f"{one.time / 1e6},{one.kind},{one.ecu},{one.operation},{one.payload}\n" for one in events]
        return ("time,kind,ecu,operation,payload\n" + "".join(rows)).encode()
    if kind == "jsonl":
        told = [{"time_us": one.time, "kind": one.kind, "ecu": one.ecu, "operation": one.operation} for one in events]
        return "".join(json.dumps(one) + "\n" for one in told).encode()
    if kind in ("pcap", "pcapng"):
        return network(kind)
    if kind == "can.pcap":
        return can_network()
    if kind == "asc.gz":
        return gzip.compress((DATA / "good.asc").read_bytes())
    with can.Logger(str(folder / f"good.{kind}")) as logger:
        for message in can.LogReader(DATA / "good.blf"):
            logger(message)
    return (folder / f"good.{kind}").read_bytes()


def network(kind):
    """Twenty requests over DoIP."""
    result = struct.pack("<LHHLLLL", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 101)
    if kind == "pcapng":
        result = struct.pack("<LLLHHqL", 0x0A0D0D0A, 28, 0x1A2B3C4D, 1, 0, -1, 28)
        result += struct.pack("<LLHHLL", 1, 20, 101, 0, 0, 20)
    for number in range(20):
        body = struct.pack(">BBHLHH4s", 2, 0xFD, 0x8001, 8, 0xE00, 0x1001, b"\x22\xf1\x90\x00")
        tcp = struct.pack(">HHLLBBHHH", 5, 13400, number * 16, 0, 0x50, 0x18, 0, 0, 0) + body
        ip = struct.pack(">BBHHHBBH8s", 0x45, 0, 20 + len(tcp), 0, 0, 64, 6, 0, bytes(8)) + tcp
        if kind == "pcap":
            result += struct.pack("<4L", 1_700_000_000, number, len(ip), len(ip)) + ip
        else:
            size = 32 + len(ip)
            result += struct.pack("<7L", 6, size, 0, 0, number, len(ip), len(ip)) + ip + struct.pack("<L", size)
    return result


def can_network():
    """Twenty requests and responses on CAN."""
    result = struct.pack("<LHHLLLL", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 227)
    for number in range(40):
        frame = struct.pack(">LB3x8s", 0x7E8 if number % 2 else 0x7E0, 4, b"\x03\x62\xf1\x90")
        result += struct.pack("<4L", 1_700_000_000, number, len(frame), len(frame)) + frame
    return result


def spoilt(data, chance):
    """Cut off, with flipped bits, with something hostile in it, with a part gone or twice, or noise."""
    kind, at = chance.randrange(7), chance.randrange(len(data))
    end = at + chance.randrange(200)
    if kind == 0:
        return data[:at]
    if kind == 1:
        return data[: min(at, 200)] + chance.randbytes(chance.randrange(1000))
    if kind == 2:
        return data[:at] + data[end:]
    if kind == 3:
        return data[:end] + data[at:]
    if kind == 4:
        parts = data.split(b" ")
        parts[chance.randrange(len(parts))] = chance.choice(WORDS)
        return b" ".join(parts)
    changed = bytearray(data)
    for _ in range(chance.choice([1, 1, 3, 20])):
        at = chance.randrange(len(changed))
        word = chance.choice(WORDS)
        changed[at : at + 1] = bytes([changed[at] ^ 1 << chance.randrange(8)]) if kind == 5 else b""
        if kind == 6:
            changed[at : at + len(word) - 1] = word
    return bytes(changed)


def checked(path, data):
    """The trace, which keeps what every trace promises."""
    trace = read(path, data)
    times = [event.time for event in trace.events]
    assert times == sorted(times)
    assert all(0 <= time <= trace.end for time in times)
    assert all(event.kind and event.ecu and event.operation for event in trace.events)
    assert trace.events or trace.problems
    for text in trace.problems:
        said, _, _ = text.removeprefix(f"{path}: ").partition(", got ")  # what follows is from the file
        assert text.startswith(f"{path}: ")
        assert not FOREIGN.search(said), text
    return trace


@pytest.mark.parametrize("seed", few(1, range(3)))
@pytest.mark.parametrize("kind", FORMATS)
def test_spoilt_files(kind, seed, tmp_path):
    good, chance = whole(kind, tmp_path), random.Random(f"{kind} {seed}")
    assert checked(tmp_path / f"it.{kind}", good).problems == ()
    traces = [checked(tmp_path / f"it.{kind}", spoilt(good, chance)) for _ in range(ROUNDS)]
    assert sum(bool(trace.events) for trace in traces) > ROUNDS / 4
    assert sum(bool(trace.problems) for trace in traces) > ROUNDS / 4


def test_spoilt_files_that_are_read_by_another_process(tmp_path):
    good, chance = whole("mf4", tmp_path), random.Random("mf4")
    assert checked(tmp_path / "it.mf4", good).problems == ()
    traces = [checked(tmp_path / "it.mf4", spoilt(good, chance)) for _ in range(40)]
    assert any(trace.problems for trace in traces)


@pytest.mark.parametrize("kind", [*FORMATS, "mf4", ""])
def test_noise(kind, tmp_path):
    chance = random.Random(kind)
    for size in (1, 10, 100, 1000, 5000):
        trace = checked(tmp_path / f"it.{kind}", chance.randbytes(size))
        assert trace.events == ()


LONG = 900_000


@pytest.mark.parametrize(
    ("ending", "line"),
    [
        ("asc", "0.1 1 7E0 Rx d 8" + " " * LONG + "x"),
        ("asc", "0.1 CANFD 1 Rx 7E0 " + "0" * LONG),
        ("asc", "0.1 CANFD 1 Rx 7E0 " + "a" * LONG),
        ("asc", "0.1 1 " + "G" * LONG + "x"),
        ("asc", "0.1 " + "A" * LONG),
        ("asc", " " * LONG + "0"),
        ("log", "(1.0) " + "c" * LONG),
        ("log", "(1.0) can0" + " " * LONG + "7E0"),
        ("log", "(1.0) can0 7E0#" + "00" * (LONG // 2) + "x"),
        ("log", "(1.0) can0 7E0#" + " " * LONG + "x"),
        ("txt", "[1ms] a b c\n[1ms" + " " * LONG + "x"),
        ("txt", "[1ms] a b c\n1ms" + " " * LONG),
        ("txt", "[1ms] a b c\n1ms a" + " " * LONG),
        ("txt", "[1ms] a b c\n1ms " + "a " * (LONG // 2)),
        ("trc", ";$FILEVERSION=1.1\n1) 1 Rx 7E0 " + "9" * 4000 + " 00" * (LONG // 4)),
        ("csv", "time,kind,ecu,operation\n" + '"' * LONG),
        ("jsonl", '{"time":' * (LONG // 10)),
    ],
)
def test_long_lines_take_no_long_time(ending, line, tmp_path):
    assert cpu_seconds(lambda: checked(tmp_path / f"it.{ending}", line + "\n")) < 60
