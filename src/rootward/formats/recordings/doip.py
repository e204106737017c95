"""DoIP (ISO 13400-2): diagnostic messages between a tester and ECUs, each with a logical address, over TCP port 13400.

The TCP segments of each direction are joined in the order of their bytes: repeated bytes are dropped, segments that
arrive too early wait. A gap that is never filled is reported, and reading continues at the next segment that
begins a message.

The gateway acknowledges each request, or refuses it. A request that it did not acknowledge never reached an ECU, so no
ECU owes an answer.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rootward.formats.recordings.frame import TransportMessage
from rootward.formats.recordings.pcap import Packet, TcpSegment, decode_segment
from rootward.formats.recordings.problems import Problems

PORT = 13400
_DIAGNOSTIC, _ACCEPTED, _REFUSED = 0x8001, 0x8002, 0x8003
_HEADER = struct.Struct(">BBHL")
_ADDRESSES = struct.Struct(">HH")
_MAX_SIZE = 1 << 24
"""Maximum size of a message in bytes; a larger one is a broken length."""
_MAX_WAITING = 256
"""Maximum number of segments that wait for an earlier one before it counts as lost."""


class Diagnostic(NamedTuple):
    source: int
    target: int
    is_request: bool
    """True for a message to the side that listens on the port: from the tester to the ECU."""
    message: TransportMessage
    client: tuple[bytes, int]
    """The address and port of the side that opened the connection."""


class Acknowledgement(NamedTuple):
    """The gateway's answer to a request from ``target``, the tester, to ``source``."""

    source: int
    target: int
    is_accepted: bool
    message: TransportMessage
    client: tuple[bytes, int]


class DoipListener:
    """Collects the diagnostic messages of a network recording. They come out in the order in which they end."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems
        self.acknowledgements: list[Acknowledgement] = []
        self._streams: dict[tuple[tuple[bytes, int], tuple[bytes, int]], _Stream] = {}

    @property
    def has_streams(self) -> bool:
        """True if anything was sent on the port of DoIP."""
        return bool(self._streams)

    def add(self, packet: Packet) -> Iterator[Diagnostic]:
        """Add a packet. Yield the messages that end with it."""
        try:
            segment = decode_segment(packet)
        except ValueError as error:
            self._problems.add(f"packet {packet.number}", error)
            return
        if segment is None or PORT not in (segment.sender[1], segment.receiver[1]):
            return
        key, streams = (segment.sender, segment.receiver), self._streams
        if segment.opens or key not in streams:
            if key in streams:
                yield from streams[key].end()
            streams[key] = _Stream(segment, self._problems, self.acknowledgements)
        yield from streams[key].add(segment)

    def end(self) -> Iterator[Diagnostic]:
        """Yield the remaining messages at the end of the recording."""
        for stream in self._streams.values():
            yield from stream.end()


class _Stream:
    """One direction of one TCP connection."""

    def __init__(self, first: TcpSegment, problems: Problems, acknowledgements: list[Acknowledgement]) -> None:
        self._asks = first.receiver[1] == PORT
        self._client = first.sender if self._asks else first.receiver
        self._next = (first.sequence + first.opens) % 2**32
        self._waiting: dict[int, TcpSegment] = {}
        self._data = bytearray()
        self._marks: list[tuple[int, int, int]] = []
        """For each segment, its offset in the data, its time and its number."""
        self._problems, self._acknowledgements = problems, acknowledgements

    def add(self, segment: TcpSegment) -> Iterator[Diagnostic]:
        if not segment.data:
            return
        sequence = (segment.sequence + segment.opens) % 2**32
        known = self._waiting.get(sequence)
        if known is None or len(known.data) < len(segment.data):
            self._waiting[sequence] = segment
        yield from self._advance()
        while len(self._waiting) > _MAX_WAITING:
            yield from self._skip_gap()

    def end(self) -> Iterator[Diagnostic]:
        """Yield the remaining messages at the end of the recording."""
        while self._waiting:
            yield from self._skip_gap()
        yield from self._take_rest()

    def _advance(self) -> Iterator[Diagnostic]:
        """Append the waiting bytes that follow the bytes read so far, and yield complete messages.

        Bytes that were sent again are dropped.
        """
        while found := self._next_segment():
            ahead, segment = found
            new_bytes = segment.data[ahead:]
            self._marks.append((len(self._data), segment.time, segment.number))
            self._data += new_bytes
            self._next = (self._next + len(new_bytes)) % 2**32
            yield from self._messages()

    def _next_segment(self) -> tuple[int, TcpSegment] | None:
        """Find a waiting segment that contains the next byte of the stream.

        Returns the number of bytes in the segment that are known already, and the segment.
        """
        if (exact := self._waiting.pop(self._next, None)) is not None:
            return 0, exact
        for sequence, segment in list(self._waiting.items()):
            ahead = (self._next - sequence) % 2**32
            if ahead < 2**31:
                del self._waiting[sequence]
                if ahead < len(segment.data):
                    return ahead, segment
        return None

    def _skip_gap(self) -> Iterator[Diagnostic]:
        """Continue after bytes that were not recorded."""
        yield from self._take_rest()
        nearest = min(self._waiting, key=lambda sequence: (sequence - self._next) % 2**32)
        self._problems.add(f"packet {self._waiting[nearest].number}", "bytes before this packet were not recorded")
        self._next = nearest
        yield from self._advance()

    def _messages(self) -> Iterator[Diagnostic]:
        """Yield the messages that are complete."""
        while len(self._data) >= _HEADER.size:
            version, inverse, kind, size = _HEADER.unpack_from(self._data)
            if version ^ inverse != 0xFF or size > _MAX_SIZE:
                self._problems.add(
                    f"packet {self._marks[-1][2]}",
                    "not a DoIP message: expected a version, its complement, a type and a possible length",
                )
                self._take(len(self._data))
            elif len(self._data) < _HEADER.size + size:
                return
            else:
                yield from self._decode(kind, self._take(_HEADER.size + size))

    def _take_rest(self) -> Iterator[Diagnostic]:
        """Yield the remaining bytes, if any, as a truncated message."""
        if self._data:
            kind = _HEADER.unpack_from(self._data)[2] if len(self._data) >= _HEADER.size else 0
            yield from self._decode(kind, self._take(len(self._data)), "truncated")

    def _take(self, size: int) -> TransportMessage:
        """Remove the next bytes and return them as a message that still has its header."""
        used = [mark for mark in self._marks if mark[0] < size]
        rest = [mark for mark in self._marks if mark[0] >= size]
        # The last segment may continue after these bytes.
        self._marks = [(max(0, at - size), time, number) for at, time, number in used[-1:] + rest]
        data = bytes(self._data[:size])
        del self._data[:size]
        if not self._data:
            self._marks = []
        return TransportMessage(data, used[0][1], used[-1][1], used[0][2], used[-1][2])

    def _decode(self, kind: int, message: TransportMessage, error: str = "") -> Iterator[Diagnostic]:
        start = _HEADER.size + _ADDRESSES.size
        if kind in (_ACCEPTED, _REFUSED) and len(message.data) >= start:
            source, target = _ADDRESSES.unpack_from(message.data, _HEADER.size)
            self._acknowledgements.append(Acknowledgement(source, target, kind == _ACCEPTED, message, self._client))
        elif kind != _DIAGNOSTIC:
            if error:
                self._problems.add(f"packet {message.last_number}", "a DoIP message is cut off")
        elif len(message.data) < start:
            self._problems.add(f"packet {message.last_number}", "a diagnostic message has no addresses")
        else:
            source, target = _ADDRESSES.unpack_from(message.data, _HEADER.size)
            body = message.data[start:]
            whole = message._replace(data=body, error=error or ("" if body else "malformed"))
            yield Diagnostic(source, target, self._asks, whole, self._client)


def select_delivered(
    found: Sequence[Diagnostic], acknowledgements: Sequence[Acknowledgement], problems: Problems
) -> Iterator[Diagnostic]:
    """Yield the messages without the requests that the gateway refused, or neither acknowledged nor had answered.

    If it acknowledged nothing in the recording, acknowledgements were not recorded, and all messages count.
    """
    if not acknowledgements:
        yield from found
        return
    asked: list[Diagnostic] = []
    every: list[Diagnostic | Acknowledgement] = [*found, *acknowledgements]
    for one in sorted(every, key=lambda each: (each.message.last, each.message.last_number)):
        if isinstance(one, Diagnostic) and one.is_request:
            asked.append(one)
            continue
        said = [each for each in asked if (each.client, each.source) == (one.client, one.target)]
        own = [each for each in said if each.target == one.source]
        if isinstance(one, Acknowledgement):
            own = own[:1]
            asked = [each for each in asked if each not in own]
            yield from own if one.is_accepted else ()
        else:  # an answer shows that its request was delivered, or a request to all ECUs
            own = own or said
            asked = [each for each in asked if each not in own]
            yield from (*own, one)
    last = max((one.message.last for one in found), default=0)
    for one in asked:
        if one.message.last == last:  # the recording may have ended before the acknowledgement
            yield one
        else:
            problems.add(
                f"packet {one.message.last_number}", "a request that the gateway did not acknowledge is left out"
            )
