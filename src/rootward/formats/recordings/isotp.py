"""ISO-TP (ISO 15765-2) as a listener sees it: frames of one sender become messages, and nothing is lost.

A node on the bus would answer, wait and give up; a listener only joins what it sees. So there is one reassembler for
each CAN id (and each address byte, where one is used), and it does not look at the other direction: flow control says
nothing about the contents. What cannot be joined becomes a message with an ``error``:

- ``truncated``: the recording ends before the message does, or nothing came for so long that everyone has given up;
- ``overlap``: the sender began another message before the end of this one;
- ``sequence``: a consecutive frame has the wrong number; what follows it belongs to the same broken message;
- ``unexpected``: consecutive frames without a first one;
- ``malformed``: a frame that is none of ISO-TP.
"""

from __future__ import annotations

from collections.abc import Iterator

from rootward.formats.recordings.frame import Frame, Message

PATIENCE = 1_000_000
"""Microseconds between two frames of a message after which a receiver gives up (N_Cr)."""
_SINGLE, _FIRST, _CONSECUTIVE, _FLOW = range(4)
_CLASSIC = 8


class Reassembler:
    """Joins the frames of one sender. ``skip`` is 1 if an address byte comes first (extended and mixed addressing)."""

    def __init__(self, skip: int = 0) -> None:
        self._skip = skip
        self._data = bytearray()
        self._frames: list[tuple[int, int]] = []
        """Instant and number of the first and the last frame of the message that is being joined; empty if none is."""
        self._length = 0
        self._next = 0
        self._error = ""

    def add(self, frame: Frame) -> Iterator[Message]:
        """The messages, whole or broken, that end with or before this frame, in the order of their frames."""
        data = frame.data[self._skip :]
        kind = data[0] >> 4 if data else -1
        if kind == _CONSECUTIVE:
            yield from self._consecutive(frame, data)
        elif kind == _SINGLE and (body := _single(data, self._skip)):
            yield from self._interrupted(frame)
            yield _alone(frame, body)
        elif kind == _FIRST and (start := _first(data, self._skip)):
            yield from self._interrupted(frame)
            self._begin(frame, *start)
        elif kind != _FLOW:
            yield _alone(frame, data, "malformed")

    def end(self) -> Iterator[Message]:
        """What is left when the recording ends."""
        if self._frames:
            yield self._finish(self._error or "truncated")

    def _consecutive(self, frame: Frame, data: bytes) -> Iterator[Message]:
        if not self._frames:
            self._begin(frame, b"", 0, error="unexpected")
        elif not self._error and data[0] & 15 != self._next:
            self._error = "sequence"
        self._next = (data[0] + 1) & 15
        self._data += data[1:]
        self._frames[1:] = [(frame.time, frame.number)]
        if not self._error and len(self._data) >= self._length:
            del self._data[self._length :]
            yield self._finish("")

    def _interrupted(self, frame: Frame) -> Iterator[Message]:
        """Another message begins."""
        if self._frames:
            late = frame.time - self._frames[-1][0] > PATIENCE
            yield self._finish(self._error or ("truncated" if late else "overlap"))

    def _begin(self, frame: Frame, data: bytes, length: int, *, error: str = "") -> None:
        self._data, self._length, self._next, self._error = bytearray(data), length, 1, error
        self._frames = [(frame.time, frame.number)]

    def _finish(self, error: str) -> Message:
        (first, first_number), (last, last_number) = self._frames[0], self._frames[-1]
        self._frames = []
        return Message(bytes(self._data), first, last, first_number, last_number, error)


def _single(data: bytes, skip: int) -> bytes:
    """What a single frame carries; nothing if it cannot be one."""
    length, start = data[0] & 15, 1
    if length == 0 and len(data) + skip > _CLASSIC:
        length, start = data[1], 2
    body = data[start : start + length]
    return body if len(body) == length else b""


def _first(data: bytes, skip: int) -> tuple[bytes, int] | None:
    """What a first frame carries, and the length of the message; None if it cannot be one."""
    if len(data) + skip < _CLASSIC:
        return None
    length, start = (data[0] & 15) << 8 | data[1], 2
    if length == 0:
        length, start = int.from_bytes(data[2:6], "big"), 6
    body = data[start:]
    return (body, length) if length > len(body) else None


def _alone(frame: Frame, data: bytes, error: str = "") -> Message:
    return Message(data, frame.time, frame.time, frame.number, frame.number, error)
