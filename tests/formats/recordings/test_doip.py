"""Diagnostic messages in network recordings that are made here, byte by byte."""

import itertools
import random
import struct

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from rootward.formats.recordings.doip import PORT, Diagnostic, DoipListener, select_delivered
from rootward.formats.recordings.pcap import packets
from rootward.formats.recordings.problems import Problems, RecordingSpan
from tests.properties import examples

TESTER, ECU = 0x0E00, 0x1001
CLIENT = 50000
START = 1_700_000_000_000_000


def doip(data, source=TESTER, target=ECU, kind=0x8001):
    return struct.pack(">BBHLHH", 2, 0xFD, kind, 4 + len(data), source, target) + data


def tcp(data, sequence, *, asks=True, flags=0x18):
    ports = (CLIENT, PORT) if asks else (PORT, CLIENT)
    return struct.pack(">HHLLBBHHH", *ports, sequence % 2**32, 0, 0x50, flags, 1000, 0, 0) + data


def ip4(segment):
    return struct.pack(">BBHHHBBH8s", 0x45, 0, 20 + len(segment), 0, 0, 64, 6, 0, b"\x0a\0\0\1\x0a\0\0\2") + segment


def ip6(segment):
    hop = struct.pack(">BB6x", 6, 0)
    return struct.pack(">LHBB", 6 << 28, len(hop + segment), 0, 64) + b"\xfe" * 32 + hop + segment


def ethernet(packet, tag=b""):
    kind = b"\x08\x00" if packet[0] >> 4 == 4 else b"\x86\xdd"
    return (bytes(12) + tag + kind + packet).ljust(64, b"\0")  # padded, as short ones are


LINKS = {
    "ethernet": (1, ethernet),
    "vlan": (1, lambda packet: ethernet(packet, b"\x81\x00\x00\x05")),
    "cooked": (113, lambda packet: bytes(14) + (b"\x08\x00" if packet[0] >> 4 == 4 else b"\x86\xdd") + packet),
    "cooked 2": (276, lambda packet: (b"\x08\x00" if packet[0] >> 4 == 4 else b"\x86\xdd") + bytes(18) + packet),
    "raw": (101, lambda packet: packet),
    "loopback": (0, lambda packet: b"\2\0\0\0" + packet),
}


def pcap(packets, link=1, order="<", nanoseconds=False):
    """``packets`` are pairs of a time in microseconds and bytes."""
    magic, unit = (0xA1B23C4D, 1000) if nanoseconds else (0xA1B2C3D4, 1)
    result = struct.pack(order + "LHHLLLL", magic, 2, 4, 0, 0, 65535, link)
    for time, data in packets:
        time += START
        result += struct.pack(order + "4L", time // 10**6, time % 10**6 * unit, len(data), len(data)) + data
    return result


def pcapng(packets, link=1, order="<", resolution=None):
    def block(kind, body):
        body += bytes(-len(body) % 4)
        size = struct.pack(order + "L", len(body) + 12)
        return struct.pack(order + "L", kind) + size + body + size

    options = b"" if resolution is None else struct.pack(order + "HHB3xHH", 9, 1, resolution, 0, 0)
    result = block(0x0A0D0D0A, struct.pack(order + "LHHq", 0x1A2B3C4D, 1, 0, -1))
    result += block(1, struct.pack(order + "HHL", link, 0, 0) + options) + block(0x0BAD, b"something else")
    for time, data in packets:
        time = (time + START) * (1000 if resolution == 9 else 1)
        result += block(6, struct.pack(order + "5L", 0, time >> 32, time & 0xFFFFFFFF, len(data), len(data)) + data)
    return result


def read(path, data):
    path.write_bytes(data)
    problems, span = Problems("it"), RecordingSpan()
    listener, found = DoipListener(problems), list[Diagnostic]()
    for packet in packets(path, problems):
        span.add(packet.time, packet.number)
        found += listener.add(packet)
    return [*found, *listener.end()], list(problems.texts), span


def talk(pieces, *, wrap=lambda segment: ethernet(ip4(segment)), first=1000):
    """Packets of one direction, a millisecond apart, each with the next bytes."""
    places = itertools.accumulate(map(len, pieces), initial=first)
    return [(place * 1000, wrap(tcp(data, at))) for place, (data, at) in enumerate(zip(pieces, places, strict=False))]


def said(found):
    return [(one.source, one.target, one.message.data, one.message.error) for one in found]


WHOLE = [(TESTER, ECU, b"\x10\x03", ""), (TESTER, ECU, b"\x3e\x80", "")]


@pytest.mark.parametrize("version", [ip4, ip6])
@pytest.mark.parametrize("name", LINKS)
def test_every_kind_of_network(name, version, tmp_path):
    link, wrap = LINKS[name]
    packets = talk([doip(b"\x10\x03"), doip(b"\x3e\x80")], wrap=lambda segment: wrap(version(segment)))
    for data in (pcap(packets, link), pcapng(packets, link)):
        found, problems, _ = read(tmp_path / "log.pcap", data)
        assert problems == []
        assert said(found) == WHOLE


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize(
    "write",
    [
        pcap,
        pcapng,
        lambda packets, order: pcap(packets, order=order, nanoseconds=True),
        lambda packets, order: pcapng(packets, order=order, resolution=9),
    ],
)
def test_times_in_every_kind_of_file(write, order, tmp_path):
    found, problems, span = read(
        tmp_path / "log.pcap", write(talk([doip(b"\x10\x03"), doip(b"\x3e\x80")]), order=order)
    )
    assert problems == []
    assert [one.message.first - START for one in found] == [0, 1000]
    assert (span.first, span.last) == (START, START + 1000)


@examples(60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    messages=st.lists(st.binary(min_size=1, max_size=60), max_size=8),
    first=st.sampled_from([0, 1000, 2**32 - 20]),
    seed=st.integers(0, 10**6),
)
def test_messages_come_back_however_they_were_cut_repeated_and_mixed_up(messages, first, seed, tmp_path):
    chance = random.Random(seed)
    stream = b"".join(doip(message) for message in messages)
    cuts = sorted(chance.sample(range(len(stream) + 1), min(len(stream), 6))) if stream else []
    spans = list(itertools.pairwise(dict.fromkeys([0, *cuts, len(stream)])))
    # Sent again, with other borders; then in another order, within a few places.
    spans += [(max(0, start - 5), end) for start, end in spans if chance.random() < 0.3]
    spans.sort(key=lambda span: span[0] + chance.randrange(40))
    segments = [tcp(b"", first - 1, flags=2)] + [tcp(stream[start:end], first + start) for start, end in spans]
    packets = [(place, ethernet(ip4(one))) for place, one in enumerate(segments)]
    found, problems, _ = read(tmp_path / "log.pcap", pcap(packets))
    assert problems == []
    assert said(found) == [(TESTER, ECU, message, "") for message in messages]


def test_a_message_in_several_packets_knows_the_first_and_the_last(tmp_path):
    whole = doip(bytes(range(1, 50)))
    found, _, _ = read(tmp_path / "log.pcap", pcap(talk([whole[:10], whole[10:30], whole[30:] + doip(b"\x3e")])))
    first, second = (one.message for one in found)
    assert (first.first - START, first.last - START, first.first_number, first.last_number) == (0, 2000, 1, 3)
    assert (second.first - START, second.first_number) == (2000, 3)


def test_both_directions(tmp_path):
    packets = [
        (0, ethernet(ip4(tcp(doip(b"\x10\x03"), 5)))),
        (1, ethernet(ip4(tcp(doip(b"\x00", ECU, TESTER, kind=0x8002), 9, asks=False)))),
        (2, ethernet(ip4(tcp(doip(b"\x50\x03", ECU, TESTER), 22, asks=False)))),
        (3, ethernet(b"\x45" + bytes(8) + b"\x11" + bytes(30))),
    ]
    found, problems, span = read(tmp_path / "log.pcap", pcap(packets))
    assert problems == []
    assert [(one.source, one.is_request, one.message.data) for one in found] == [
        (TESTER, True, b"\x10\x03"),
        (ECU, False, b"\x50\x03"),
    ]
    assert span.last == START + 3


def test_a_gap_is_told_and_what_follows_is_read(tmp_path):
    pieces = [doip(b"\x10\x03")[:9], doip(b"\x10\x03")[9:], doip(b"\x3e\x80")]
    packets = talk(pieces)
    found, problems, _ = read(tmp_path / "log.pcap", pcap([packets[0], packets[2]]))
    assert said(found) == WHOLE[1:]
    assert any("were not recorded" in problem for problem in problems)


def test_a_recording_that_ends_in_the_middle_of_a_message(tmp_path):
    found, _, _ = read(tmp_path / "log.pcap", pcap(talk([doip(bytes(20))[:-5]])))
    assert said(found) == [(TESTER, ECU, bytes(15), "truncated")]


@pytest.mark.parametrize("data", [b"HTTP/1.1 200 OK", doip(b"")[:4] + b"\xff\xff\xff\xff" + b"xxxx"])
def test_what_is_no_doip(data, tmp_path):
    found, problems, _ = read(tmp_path / "log.pcap", pcap(talk([data, doip(b"\x3e\x80")])))
    assert said(found) == WHOLE[1:]
    assert problems == [
        "it: packet 1: not a DoIP message: expected a version, its complement, a type and a possible length"
    ]


@pytest.mark.parametrize("data", [b"", b"\xd4\xc3", b"noise" * 50, b"\x0a\x0d\x0d\x0a" + b"\xff" * 40])
def test_what_is_no_network_recording(data, tmp_path):
    found, problems, _ = read(tmp_path / "log.pcap", data)
    assert found == []
    assert len(problems) == 1


@pytest.mark.parametrize("write", [pcap, pcapng])
def test_a_file_that_was_cut_off_keeps_its_beginning(write, tmp_path):
    data = write(talk([doip(b"\x10\x03"), doip(b"\x3e\x80")]))
    found, problems, _ = read(tmp_path / "log.pcap", data[:-10])
    assert said(found) == WHOLE[:1]
    assert problems == ["it: after packet 1: the file ends in the middle of a packet or block"]


def test_a_fragment_is_told(tmp_path):
    packet = bytearray(ip4(tcp(doip(b"\x10\x03"), 5)))
    packet[6] = 0x20
    found, problems, _ = read(tmp_path / "log.pcap", pcap([(0, ethernet(bytes(packet)))]))
    assert found == []
    assert problems == ["it: packet 1: a fragmented IP packet, which is not supported"]


# Requests that the gateway did not pass on


def acknowledgement(of_source=TESTER, of_target=ECU, kind=0x8002):
    return doip(b"\0", source=of_target, target=of_source, kind=kind)


def delivered(tmp_path, *pieces, lost=b""):
    """What is left of pieces of data, each from the tester (True) or from the gateway. ``lost``: the data of an earlier
    connection, in the first packet."""
    sent, made = {True: 1000, False: 5000}, list[tuple[int, bytes]]()
    if lost:
        segment = tcp(lost, 7000)
        made.append((0, ethernet(ip4((CLIENT - 1).to_bytes(2, "big") + segment[2:]))))
    for asks, data in pieces:
        packet = ip4(tcp(data, sent[asks], asks=asks))
        one, other = packet[12:16], packet[16:20]
        made.append((len(made), ethernet(packet if asks else packet[:12] + other + one + packet[20:])))
        sent[asks] += len(data)
    path, problems = tmp_path / "talk.pcap", Problems("it")
    path.write_bytes(pcap(made))
    listener, found = DoipListener(problems), list[Diagnostic]()
    for packet in packets(path, problems):
        found += listener.add(packet)
    found += listener.end()
    left = select_delivered(found, listener.acknowledgements, problems)
    return sorted((one.message.last_number, one.message.data.hex()) for one in left), list(problems.texts)


ASK, ANSWER = doip(b"\x3e\0"), doip(b"\x7e\0", source=ECU, target=TESTER)


def test_requests_that_the_gateway_refused_or_never_got_are_left_out(tmp_path):
    refused = acknowledgement(kind=0x8003)
    accepted = (True, ASK), (False, acknowledgement()), (False, ANSWER)
    assert delivered(tmp_path, (True, ASK), (False, refused), *accepted) == ([(3, "3e00"), (5, "7e00")], [])
    left, problems = delivered(
        tmp_path, (True, ASK), (False, acknowledgement()), (False, ANSWER), (True, ASK), (True, doip(b"\x10\x03"))
    )
    assert left == [(1, "3e00"), (3, "7e00"), (5, "1003")]
    assert len(problems) == 1
    assert "packet 4: a request that the gateway did not acknowledge is left out" in problems[0]


def test_without_acknowledgements_every_request_counts(tmp_path):
    left, problems = delivered(tmp_path, (True, ASK), (True, ASK), (False, ANSWER))
    assert (left, problems) == ([(1, "3e00"), (2, "3e00"), (3, "7e00")], [])


def test_an_answer_shows_that_its_request_was_delivered(tmp_path):
    other = doip(b"\x22\xf1\x90")
    left, problems = delivered(
        tmp_path, (True, ASK), (False, acknowledgement()), (False, ANSWER), (True, other), (False, ANSWER), (True, ASK)
    )
    assert [number for number, _ in left] == [1, 3, 4, 5, 6]
    assert problems == []


def test_a_request_of_a_connection_that_was_lost_is_left_out(tmp_path):
    left, problems = delivered(tmp_path, (True, ASK), (False, acknowledgement()), (False, ANSWER), lost=ASK)
    assert left == [(2, "3e00"), (4, "7e00")]
    assert "packet 1: a request that the gateway did not acknowledge is left out" in problems[0]
