"""ISO-TP (ISO 15765-2) for a listener: join the frames of one sender into messages, without losing any data.

A node on the bus answers, waits and gives up; a listener only joins the frames it sees. So there is one reassembler for
each CAN id (and each address byte, where one is used), which ignores the other direction: flow control does not change
the contents. Frames that cannot be joined become a message with an ``error``:

- ``truncated``: the recording ends before the message does, or no frame came for longer than receivers wait;
- ``overlap``: the sender began another message before the end of this one;
- ``sequence``: a consecutive frame has the wrong number; the frames after it belong to the same broken message;
- ``unexpected``: consecutive frames without a first frame;
- ``malformed``: a frame that is not valid ISO-TP.
"""

from __future__ import annotations

from collections.abc import Iterator

from rootward.formats.recordings.frame import Frame, TransportMessage

PATIENCE = 1_000_000
"""Microseconds between two frames of a message after which a receiver gives up (N_Cr)."""
_SINGLE, _FIRST, _CONSECUTIVE, _FLOW = range(4)
_CLASSIC = 8


class Reassembler:
    """Joins the frames of one sender to messages.

    ``skip`` is 1 if each frame begins with an address byte (extended and mixed addressing).
    """

    def __init__(self, skip: int = 0) -> None:
        self._skip = skip
        self._data = bytearray()
        self._frames: list[tuple[int, int]] = []
        """Time and number of the first and the last frame of the current message; empty between messages."""
        self._length = 0
        self._next = 0
        self._error = ""

    def add(self, frame: Frame) -> Iterator[TransportMessage]:
        """Add a frame. Yield the messages that end with this frame or before it, in order.

        The messages may be complete or broken.
        """
        data = frame.data[self._skip :]
        kind = data[0] >> 4 if data else -1
        if kind == _CONSECUTIVE:
            yield from self._consecutive(frame, data)
        elif kind == _SINGLE and (body := _single(data, self._skip)):
            yield from self._interrupt(frame)
            yield _make_message(frame, body)
        elif kind == _FIRST and (start := _first(data, self._skip)):
            yield from self._interrupt(frame)
            self._begin(frame, *start)
        elif kind != _FLOW:
            yield _make_message(frame, data, "malformed")

    def end(self) -> Iterator[TransportMessage]:
        """Yield the incomplete message, if any, at the end of the recording."""
        if self._frames:
            yield self._finish(self._error or "truncated")

    def _consecutive(self, frame: Frame, data: bytes) -> Iterator[TransportMessage]:
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

    def _interrupt(self, frame: Frame) -> Iterator[TransportMessage]:
        """End the current message, because another one begins."""
        if self._frames:
            late = frame.time - self._frames[-1][0] > PATIENCE
            yield self._finish(self._error or ("truncated" if late else "overlap"))

    def _begin(self, frame: Frame, data: bytes, length: int, *, error: str = "") -> None:
        self._data, self._length, self._next, self._error = bytearray(data), length, 1, error
        self._frames = [(frame.time, frame.number)]

    def _finish(self, error: str) -> TransportMessage:
        (first, first_number), (last, last_number) = self._frames[0], self._frames[-1]
        self._frames = []
        return TransportMessage(bytes(self._data), first, last, first_number, last_number, error)


def _single(data: bytes, skip: int) -> bytes:
    """Return the data of a single frame. Empty if the frame is not valid."""
    length, start = data[0] & 15, 1
    if length == 0 and len(data) + skip > _CLASSIC:
        length, start = data[1], 2
    body = data[start : start + length]
    return body if len(body) == length else b""


def _first(data: bytes, skip: int) -> tuple[bytes, int] | None:
    """Return the data of a first frame and the length of the message. Returns None if the frame is not valid."""
    if len(data) + skip < _CLASSIC:
        return None
    length, start = (data[0] & 15) << 8 | data[1], 2
    if length == 0:
        length, start = int.from_bytes(data[2:6], "big"), 6
    body = data[start:]
    return (body, length) if length > len(body) else None


def _make_message(frame: Frame, data: bytes, error: str = "") -> TransportMessage:
    return TransportMessage(data, frame.time, frame.time, frame.number, frame.number, error)
