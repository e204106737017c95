"""Network recordings: the packets of a pcap or pcapng file, and the TCP segments in them."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from rootward.formats.recordings.frame import MAX_TIME
from rootward.formats.recordings.problems import Problems
from rootward.formats.recordings.source import open_recording

_CLASSIC = {
    b"\xd4\xc3\xb2\xa1": ("<", 1_000_000),
    b"\xa1\xb2\xc3\xd4": (">", 1_000_000),
    b"\x4d\x3c\xb2\xa1": ("<", 1_000_000_000),
    b"\xa1\xb2\x3c\x4d": (">", 1_000_000_000),
}
"""The first bytes of a pcap file, with its byte order and the units per second of its clock."""
_SECTION = b"\x0a\x0d\x0d\x0a"
MAGICS = (*_CLASSIC, _SECTION)
_NAME, _RESOLUTION = 2, 9
"""The options of a pcapng interface that hold its name and the resolution of its clock."""
_MAX_SIZE = 1 << 24
"""Maximum size of a packet or block in bytes; a larger one is a broken length."""
_ETHERNET, _NULL = 1, (0, 108)
COOKED, COOKED_2 = 113, 276
"""The link types of "cooked" Linux captures, as of all interfaces together."""
_RAW = (12, 14, 101, 228, 229)
_TAGS = (b"\x81\x00", b"\x88\xa8", b"\x91\x00")
_IP = (b"\x08\x00", b"\x86\xdd")
_TCP = 6
_EXTENSIONS = (0, 43, 60)
"""IPv6 extension headers that may precede TCP: hop by hop, routing, destination."""
_SYN = 2


class Packet(NamedTuple):
    time: int
    """Microseconds, usually since 1970."""
    link: int
    """The link type: the kind of network it was recorded on."""
    data: bytes
    number: int
    """Its number among the packets, from 1."""
    interface: str = "1"
    """The name of the network interface; its number, from 1, if the file does not name it."""


class TcpSegment(NamedTuple):
    sender: tuple[bytes, int]
    """Address and port."""
    receiver: tuple[bytes, int]
    sequence: int
    opens: bool
    """True if it begins a connection."""
    data: bytes
    time: int
    number: int


def packets(path: Path, problems: Problems) -> Iterator[Packet]:
    """Yield the packets of a pcap or pcapng file, up to the first broken place."""
    with open_recording(path, problems) as file:
        magic = file.read(4)
        found = _blocks(file) if magic == _SECTION else _records(file, *_CLASSIC.get(magic, ("", 0)))
        number = 0
        try:
            for number, (time, network, data) in enumerate(found, 1):
                if 0 <= time < MAX_TIME:
                    yield Packet(time, network.link, data, number, network.interface)
                else:
                    problems.add(f"packet {number}", f"{time} microseconds is not a valid time")
        except ValueError as error:
            problems.add(f"after packet {number}" if number else "", error)


class _Interface(NamedTuple):
    """An interface on which packets were recorded."""

    link: int
    interface: str
    unit: int
    """The units per second of its clock."""


def _records(file: BinaryIO, order: str, unit: int) -> Iterator[tuple[int, _Interface, bytes]]:
    """Yield time, network and bytes of each packet in the rest of a pcap file."""
    if not order:
        raise ValueError("not a network recording: it begins like neither pcap nor pcapng")
    (link,) = struct.unpack_from(order + "L", _read_exactly(file, 20), 16)
    network = _Interface(link & 0xFFFF, "1", unit)
    while start := file.read(1):
        seconds, fraction, size, _ = struct.unpack(order + "4L", start + _read_exactly(file, 15))
        yield seconds * 1_000_000 + fraction * 1_000_000 // unit, network, _read_exactly(file, size)


def _blocks(file: BinaryIO) -> Iterator[tuple[int, _Interface, bytes]]:
    """Yield time, network and bytes of each packet in the rest of a pcapng file."""
    order, time, kind = "", 0, _SECTION
    networks: list[_Interface] = []
    while kind:
        if kind == _SECTION:
            size, mark = _read_exactly(file, 4), _read_exactly(file, 4)
            order, networks = _byte_order(mark), []
            body = mark + _read_exactly(file, struct.unpack(order + "L", size)[0] - 16)
        else:
            body = _read_exactly(file, struct.unpack(order + "L", _read_exactly(file, 4))[0] - 12)
        _read_exactly(file, 4)  # the size again
        number = struct.unpack(order + "L", kind)[0]
        if number == 1:
            networks.append(_describe_network(body, order, len(networks) + 1))
        elif number == 6:
            which, high, low, size_of = _unpack_block(order + "4L", body)
            network = _network(networks, which)
            time = (high << 32 | low) * 1_000_000 // network.unit
            yield time, network, body[20 : 20 + size_of]
        elif number == 3:
            yield time, _network(networks, 0), body[4:]
        kind = (start := file.read(1)) and start + _read_exactly(file, 3)


def _byte_order(mark: bytes) -> str:
    found = {b"\x4d\x3c\x2b\x1a": "<", b"\x1a\x2b\x3c\x4d": ">"}.get(mark)
    if found is None:
        raise ValueError("a section header has no valid byte-order mark")
    return found


def _network(networks: list[_Interface], which: int) -> _Interface:
    if which >= len(networks):
        raise ValueError(f"a packet refers to interface {which}, which the file does not describe")
    return networks[which]


def _describe_network(body: bytes, order: str, number: int) -> _Interface:
    """Return the interface that a pcapng block describes, the ``number``-th of its section."""
    (link,) = _unpack_block(order + "H", body)
    name, unit = "", 1_000_000
    for code, value in _options(body[8:], order):
        if code == _NAME:
            name = value.rstrip(b"\0").decode("utf-8", "replace")
        elif code == _RESOLUTION and len(value) == 1:
            unit = int(2 ** (value[0] & 127) if value[0] & 128 else 10 ** min(value[0], 127))
    return _Interface(link, name or str(number), unit)


def _options(data: bytes, order: str) -> Iterator[tuple[int, bytes]]:
    """Yield the code and the value of each option at the end of a pcapng block."""
    at = 0
    while at + 4 <= len(data):
        code, size = struct.unpack_from(order + "HH", data, at)
        yield code, data[at + 4 : at + 4 + size]
        at += 4 + -(-size // 4) * 4


def _unpack_block(layout: str, body: bytes) -> tuple[int, ...]:
    """Return the numbers at the beginning of a block. Raises ValueError if the block is too short for them."""
    if len(body) < struct.calcsize(layout):
        raise ValueError(f"a block has {len(body)} bytes; at least {struct.calcsize(layout)} are expected")
    return struct.unpack_from(layout, body)


def _read_exactly(file: BinaryIO, size: int) -> bytes:
    if not 0 <= size <= _MAX_SIZE:
        raise ValueError(f"a packet or block claims {size:,} bytes; 0 to {_MAX_SIZE:,} are possible")
    data = file.read(size)
    if len(data) < size:
        raise ValueError("the file ends in the middle of a packet or block")
    return data


def decode_segment(packet: Packet) -> TcpSegment | None:
    """Decode a TCP segment. Returns None for any other packet. Raises ValueError if the segment is broken."""
    try:
        return _decode_segment(packet)
    except (struct.error, IndexError):
        raise ValueError(f"the headers of IP and TCP do not fit into its {len(packet.data)} bytes") from None


def _decode_segment(packet: Packet) -> TcpSegment | None:
    data = _ip_packet(packet)
    if not data:
        return None
    if data[0] >> 4 == 4:
        sender, receiver, protocol, body = _decode_ipv4(data)
    elif data[0] >> 4 == 6:
        sender, receiver, protocol, body = _decode_ipv6(data)
    else:
        return None
    if protocol != _TCP:
        return None
    source, target, sequence, _, offset, flags = struct.unpack_from(">HHLLBB", body)
    return TcpSegment(
        (sender, source),
        (receiver, target),
        sequence,
        bool(flags & _SYN),
        body[max(20, (offset >> 4) * 4) :],
        packet.time,
        packet.number,
    )


def _ip_packet(packet: Packet) -> bytes:
    """Return the IP packet inside ``packet``. Empty if there is none."""
    data, link = packet.data, packet.link
    if link == _ETHERNET:
        at = 12
        while data[at : at + 2] in _TAGS:
            at += 4
        return data[at + 2 :] if data[at : at + 2] in _IP else b""
    if link == COOKED:
        return data[16:] if data[14:16] in _IP else b""
    if link == COOKED_2:
        return data[20:] if data[:2] in _IP else b""
    if link in _NULL:
        return data[4:]
    return data if link in _RAW else b""


def _decode_ipv4(data: bytes) -> tuple[bytes, bytes, int, bytes]:
    size, fragment = struct.unpack_from(">HxxH", data, 2)
    if data[9] == _TCP and fragment & 0x3FFF:
        raise ValueError("a fragmented IP packet, which is not supported")
    # A size of 0 means that the network card would have filled it in later.
    return data[12:16], data[16:20], data[9], data[(data[0] & 15) * 4 : size or len(data)]


def _decode_ipv6(data: bytes) -> tuple[bytes, bytes, int, bytes]:
    size, protocol = struct.unpack_from(">HB", data, 4)
    body = data[40 : 40 + size if size else len(data)]
    while protocol in _EXTENSIONS:
        protocol, body = body[0], body[(body[1] + 1) * 8 :]
    return data[8:24], data[24:40], protocol, body
