"""CAN frames in network recordings that are made here, byte by byte."""

import struct

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from rootward.formats.recordings.problems import Problems
from rootward.formats.recordings.socketcan import MAX_VOTERS, read_can_packets
from rootward.traces.recordings import read_trace
from tests.properties import examples

from .test_doip import START, doip, ethernet, ip4, pcap, pcapng, tcp

EXTENDED, REMOTE, ERROR = 1 << 31, 1 << 30, 1 << 29
PLAIN, COOKED, COOKED_2 = 227, 113, 276
HEADERS = {
    PLAIN: lambda protocol: b"",
    COOKED: lambda protocol: bytes(14) + protocol,
    COOKED_2: lambda protocol: protocol + bytes(18),
}


def packet(word, data, *, order=">", link=PLAIN, size=None, flags=0):
    """A CAN frame as Linux keeps it, padded as the kernel does."""
    protocol = b"\x00\x0c" if len(data) <= 8 else b"\x00\x0d"
    body = struct.pack(order + "LBBxx", word, len(data) if size is None else size, flags)
    return HEADERS[link](protocol) + body + data.ljust(8 if len(data) <= 8 else 64, b"\0")


def read(path, data):
    path.write_bytes(data)
    problems = Problems("it")
    return list(read_can_packets(path, problems)), list(problems.texts)


TALK = [(0x7E0, b"\x02\x10\x03"), (0x7E8, b"\x06\x50\x03\x00\x32\x01\xf4")]
LONG_TALK = [(EXTENDED | 0x18DA10F1, b"\x03\x22\xf1\x90"), (EXTENDED | 0x18DAF110, b"\x00\x0c\x62\xf1\x90" + bytes(9))]


@pytest.mark.parametrize("write", [pcap, pcapng])
@pytest.mark.parametrize("file_order", "<>")
@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("link", [PLAIN, COOKED, COOKED_2])
@pytest.mark.parametrize("said", [TALK, LONG_TALK])
def test_every_byte_order_of_file_and_id(said, link, order, file_order, write, tmp_path):
    packets = [(place * 1000, packet(word, data, order=order, link=link)) for place, (word, data) in enumerate(said)]
    frames, problems = read(tmp_path / "log.pcap", write(packets, link, order=file_order))
    assert problems == []
    assert frames == [
        (START + place * 1000, word & ~EXTENDED, bool(word & EXTENDED), data, "1", place + 1)
        for place, (word, data) in enumerate(said)
    ]


def test_events_and_their_packets(tmp_path):
    request = [b"\x10\x0a\x2e\x01\x00\x01\x02\x03", b"\x30", b"\x21\x04\x05\x06\x07"]
    ids = [0x7E0, 0x7E8, 0x7E0, 0x7E8]
    data = [*request, b"\x03\x6e\x01\x00"]
    packets = [(place * 1000, packet(*one)) for place, one in enumerate(zip(ids, data, strict=True))]
    (tmp_path / "log.pcapng").write_bytes(pcapng(packets, PLAIN))
    trace = read_trace(tmp_path / "log.pcapng")
    assert trace.problems == ()
    assert [(event.time, event.line, event.text) for event in trace.events] == [
        (2000, 3, "req ECU WriteDataByIdentifier 010001020304050607"),
        (3000, 4, "res ECU WriteDataByIdentifier 0100"),
    ]
    named = read_trace(tmp_path / "log.pcapng", ecus={"Door": (0x7E0, 0x7E8)})
    assert {event.ecu for event in named.events} == {"Door"}
    other = read_trace(tmp_path / "log.pcapng", ecus={"Door": (0x123, 0x124)})
    assert other.events == ()
    assert "none of 4 CAN frames has the id of a known ECU" in other.problems[0]


def test_frames_without_data_are_left_out_silently(tmp_path):
    said = [*TALK, (REMOTE | 0x7E0, b""), (ERROR | 0x20, bytes(8)), (EXTENDED | REMOTE | 0x18DA10F1, b"")]
    for order in "<>":
        packets = [(place, packet(*one, order=order)) for place, one in enumerate(said)]
        frames, problems = read(tmp_path / "log.pcap", pcap(packets, PLAIN))
        assert (len(frames), problems) == (2, [])


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        (packet(0x7E0, b"\x01", size=9), "8 of 9 data bytes are present"),
        (packet(0x7E0, bytes(64), size=65), "64 of 65 data bytes are present"),
        (packet(0x7E0, b"")[:7], "a CAN frame has at least 8 bytes, this one has 7"),
        (b"", "a CAN frame has at least 8 bytes, this one has 0"),
        (packet(0x7E0, b"\x01", size=0x81), "a CAN XL frame, which is not supported"),
        (packet(0x800, b"\x01"), "800 is not a CAN id: without the flag for 29 bits, it has at most 11"),
    ],
)
def test_a_broken_frame_is_told_and_the_others_are_kept(broken, reason, tmp_path):
    packets = [(0, packet(*TALK[0])), (1, broken), (2, packet(*TALK[1]))]
    frames, (problem,) = read(tmp_path / "log.pcap", pcap(packets, PLAIN))
    assert [frame.number for frame in frames] == [1, 3]
    assert problem.startswith(f"it: packet 2: {reason}")


def test_a_few_broken_ids_do_not_turn_the_byte_order(tmp_path):
    packets = [(0, packet(0x100, b"", order="<"))] + [
        (place, packet(*TALK[place % 2])) for place in range(1, MAX_VOTERS + 10)
    ]
    frames, problems = read(tmp_path / "log.pcap", pcap(packets, PLAIN))
    assert {frame.id for frame in frames} == {0x7E0, 0x7E8}
    assert [frame.number for frame in frames] == [*range(2, MAX_VOTERS + 11)]
    assert len(problems) == 1


def test_ids_that_are_possible_in_both_orders_are_read_as_the_link_type_demands(tmp_path):
    frames, _ = read(tmp_path / "log.pcap", pcap([(0, packet(EXTENDED | 0x10000080, b"\x01"))], PLAIN))
    assert frames[0].id == 0x10000080
    assert frames[0].extended


def test_each_interface_has_its_own_byte_order_and_name(tmp_path):
    def block(kind, body):
        body += bytes(-len(body) % 4)
        size = struct.pack("<L", len(body) + 12)
        return struct.pack("<L", kind) + size + body + size

    data = block(0x0A0D0D0A, struct.pack("<LHHq", 0x1A2B3C4D, 1, 0, -1))
    for name in (b"can0", b"vcan1"):
        data += block(1, struct.pack("<HHLHH", PLAIN, 0, 0, 2, len(name)) + name)
    data += block(1, struct.pack("<HHL", 1, 0, 0))
    network = ethernet(ip4(tcp(doip(b"\x3e\x00"), 0)))
    for time, (which, one) in enumerate(
        [(0, packet(*TALK[0])), (1, packet(0x7E1, b"\x02\x3e\x00", order="<")), (2, network), (0, packet(*TALK[1]))]
    ):
        data += block(6, struct.pack("<5L", which, 0, time, len(one), len(one)) + one)
    (tmp_path / "log.pcapng").write_bytes(data)
    trace = read_trace(tmp_path / "log.pcapng")
    assert trace.problems == ()
    assert [(event.line, event.text) for event in trace.events] == [
        (1, "req can0:7E0 DiagnosticSessionControl 03"),
        (2, "req vcan1:7E1 TesterPresent 00"),
        (3, "req :1001 TesterPresent 00"),
        (4, "res can0:7E0 DiagnosticSessionControl 03003201F4"),
    ]


words = st.one_of(st.integers(0, 0x7FF), st.integers(0, 0x1FFFFFFF).map(lambda one: one | EXTENDED))


@examples(60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    said=st.lists(st.tuples(words, st.binary(max_size=64)), max_size=8),
    order=st.sampled_from("<>"),
    link=st.sampled_from(list(HEADERS)),
)
def test_frames_come_back_whatever_they_contain(said, order, link, tmp_path):
    said = [(0x123, b""), (0x123, b""), *said] + [(0x123, b"")] * len(said)  # most ids tell the order
    packets = [(place, packet(*one, order=order, link=link)) for place, one in enumerate(said)]
    frames, problems = read(tmp_path / "log.pcap", pcap(packets, link))
    assert problems == []
    assert [(one.id | EXTENDED * one.extended, one.data) for one in frames] == said
