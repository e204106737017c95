"""CAN frames in network recordings, as ``tcpdump -i can0``, Wireshark and dumpcap write them on Linux.

Each packet is a frame as Linux keeps it (``struct can_frame``): a word with the id and three flags, the number of data
bytes, three more bytes, the data. It is recorded as such (link type 227), or behind the header of a "cooked" capture
of all interfaces (link types 113 and 276). CAN XL has another header and is not supported.

The byte order of the first word depends on the writer. The link type demands big-endian; writers that copy the word
from the kernel leave it in the order of their machine, which is little-endian today, and so do older cooked captures.
The file does not say which. But most words are possible in one order only: an 11-bit id leaves 18 bits zero, and an
error frame has no 29-bit id. So the first frames of each interface vote, and the link type decides a tie.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rootward.formats.recordings.frame import MAX_DATA_BYTES, Frame
from rootward.formats.recordings.pcap import COOKED, COOKED_2, Packet, packets
from rootward.formats.recordings.problems import Problems

_SOCKETCAN = 227
_PROTOCOLS = (b"\x00\x0c", b"\x00\x0d", b"\x00\x0e")
"""The protocols of cooked captures that are CAN: classic, FD, XL."""
_EXTENDED, _REMOTE, _ERROR = 1 << 31, 1 << 30, 1 << 29
_NOT_STANDARD = 0x1FFFF800
"""The bits that an id of 11 bits leaves zero."""
_HEADER_BYTES = 8
_XL = 0x80
MAX_VOTERS = 500
"""Frames of an interface that vote on the byte order; ids repeat, so more would say the same again."""


def read_can_packets(path: Path, problems: Problems) -> Iterator[Frame]:
    """Yield the CAN data frames of a network recording. Broken frames are skipped and added to ``problems``."""
    decoder = SocketCanDecoder(problems)
    for packet in packets(path, problems):
        if carries_can(packet):
            yield from decoder.add(packet)
    yield from decoder.end()


def carries_can(packet: Packet) -> bool:
    """Return whether a packet contains a CAN frame."""
    if packet.link == COOKED:
        return packet.data[14:16] in _PROTOCOLS
    if packet.link == COOKED_2:
        return packet.data[:2] in _PROTOCOLS
    return packet.link == _SOCKETCAN


@dataclass
class _Voters:
    """The frames of one interface that vote on its byte order."""

    order: str = ""
    """``big`` or ``little``; empty while frames are voting."""
    balance: int = 0
    """Frames that are possible in big-endian order only, minus those possible in little-endian order only."""
    waiting: list[Packet] = field(default_factory=list)


class SocketCanDecoder:
    """Decodes the packets of one recording into data frames.

    Frames come out in order within each interface, but the first ones of an interface only after the vote.
    """

    def __init__(self, problems: Problems) -> None:
        self._problems = problems
        self._interfaces: dict[str, _Voters] = {}

    def add(self, packet: Packet) -> Iterator[Frame]:
        """Add a packet that contains a CAN frame. Yield the frames that can be decoded now."""
        voters = self._interfaces.setdefault(packet.interface, _Voters())
        if voters.order:
            yield from self._decode(packet, voters.order)
            return
        voters.waiting.append(packet)
        word = _strip_link(packet)[:4]
        voters.balance += _is_possible(word, "big") - _is_possible(word, "little")
        if len(voters.waiting) == MAX_VOTERS:
            yield from self._decide(voters)

    def end(self) -> Iterator[Frame]:
        """Yield the frames that still wait for the vote."""
        for voters in self._interfaces.values():
            yield from self._decide(voters)

    def _decide(self, voters: _Voters) -> Iterator[Frame]:
        voters.order = voters.order or ("little" if voters.balance < 0 else "big")
        waiting, voters.waiting = voters.waiting, []
        for packet in waiting:
            yield from self._decode(packet, voters.order)

    def _decode(self, packet: Packet, order: str) -> Iterator[Frame]:
        try:
            frame = _decode_frame(packet, order)
        except ValueError as error:
            self._problems.add(f"packet {packet.number}", error)
        else:
            if frame is not None:
                yield frame


def _strip_link(packet: Packet) -> bytes:
    """Return the CAN frame without the header of a cooked capture."""
    return packet.data[{COOKED: 16, COOKED_2: 20}.get(packet.link, 0) :]


def _is_possible(word: bytes, order: str) -> bool:
    """Return whether the first word of a frame can be meant in this byte order."""
    value = _to_number(word, order)
    return not value & _ERROR if value & _EXTENDED else not value & _NOT_STANDARD


def _decode_frame(packet: Packet, order: str) -> Frame | None:
    """Decode a data frame. Returns None for error and remote frames. Raises ValueError if the frame is broken."""
    data = _strip_link(packet)
    if len(data) < _HEADER_BYTES:
        raise ValueError(f"a CAN frame has at least {_HEADER_BYTES} bytes, this one has {len(data)}")
    if data[4] & _XL:
        raise ValueError("a CAN XL frame, which is not supported")
    word, size = _to_number(data[:4], order), data[4]
    if word & (_ERROR | _REMOTE):
        return None
    body = data[_HEADER_BYTES : _HEADER_BYTES + size]
    if size > MAX_DATA_BYTES or len(body) < size:
        raise ValueError(f"{len(body)} of {size} data bytes are present; a frame has at most {MAX_DATA_BYTES}")
    extended = bool(word & _EXTENDED)
    if not extended and word & _NOT_STANDARD:
        raise ValueError(f"{word:X} is not a CAN id: without the flag for 29 bits, it has at most 11")
    return Frame(packet.time, word & 0x1FFFFFFF, extended, body, packet.interface, packet.number)


def _to_number(word: bytes, order: str) -> int:
    return int.from_bytes(word, "little" if order == "little" else "big")
