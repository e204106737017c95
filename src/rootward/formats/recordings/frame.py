"""The CAN frame that all log formats share, and the message that several frames carry. Times are in microseconds."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import can


MAX_TIME = 2**53
"""Upper limit of valid times: a log that counts from 1970 stays below it until the year 2255."""
MAX_DATA_BYTES = 64
"""Maximum number of bytes in a frame (CAN FD)."""


class Frame(NamedTuple):
    time: int
    """Microseconds since the start time of the log's clock."""
    id: int
    extended: bool
    """True if the id has 29 bits."""
    data: bytes
    channel: str
    number: int
    """Its line in a text file, else its number among the frames; from 1."""


class Comment(NamedTuple):
    """A text between the frames, as a person or a test environment writes it into a log."""

    time: int
    """Its own time, or that of the line before it, in microseconds."""
    text: str
    number: int
    """Its line in a text file, else the number of the frame before it."""
    is_mark: bool = False
    """True if it marks an error, whatever its words are."""


class TransportMessage(NamedTuple):
    """A message that a transport protocol (ISO-TP, DoIP) carried in pieces, possibly incomplete."""

    data: bytes
    first: int
    """The time of its first piece, in microseconds."""
    last: int
    """The time of its last piece."""
    first_number: int
    """The number of its first piece in the file."""
    last_number: int
    error: str = ""
    """The kind of error, in one word, or empty; ``data`` then holds the bytes up to the error."""


def to_microseconds(seconds: float) -> int:
    """Convert seconds to microseconds. Raises ValueError if ``seconds`` is not a valid time."""
    if not math.isfinite(seconds) or not 0 <= seconds * 1e6 < MAX_TIME:
        raise ValueError(f"{seconds} seconds is not a valid time")
    return round(seconds * 1e6)


def parse_seconds(whole: str, fraction: str) -> int:
    """Convert ``whole.fraction`` seconds to microseconds, exactly. Raises ValueError if the time is not valid."""
    time = int(whole) * 1_000_000 + int((fraction + "000000")[:6])
    if time >= MAX_TIME:
        raise ValueError(f"{whole} seconds is not a valid time")
    return time


def from_message(message: can.Message, number: int) -> Frame | None:
    """Convert a message of python-can to a frame. Returns None if it is not a data frame.

    Raises ValueError if the message is not valid.
    """
    if message.is_error_frame or message.is_remote_frame:
        return None
    data = bytes(message.data)
    if len(data) > MAX_DATA_BYTES or not 0 <= message.arbitration_id < 1 << 29:
        raise ValueError("not a valid CAN frame: its id or its data is too long")
    channel = "" if message.channel is None else str(message.channel)
    return Frame(
        to_microseconds(message.timestamp), message.arbitration_id, message.is_extended_id, data, channel, number
    )
