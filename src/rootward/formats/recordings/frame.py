"""A CAN frame as every kind of log has it, the message that several carry, and when they were seen: in microseconds."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import can


LATEST = 2**53
"""A log that counts from 1970 stays below it until the year 2255; what is above is no time."""
SIZE = 64
"""Bytes that a frame can carry (CAN FD)."""


class Frame(NamedTuple):
    time: int
    """Microseconds since whenever the log counts from."""
    id: int
    extended: bool
    """Whether the id has 29 bits."""
    data: bytes
    channel: str
    number: int
    """Its line in a text, else its place among the frames; from 1."""


class Message(NamedTuple):
    """A message that a transport protocol (ISO-TP, DoIP) carried in pieces, or what is left of one."""

    data: bytes
    first: int
    """The instant of its first piece, in microseconds."""
    last: int
    first_number: int
    """The place of its first piece in the file."""
    last_number: int
    error: str = ""
    """What went wrong, in a word; ``data`` is what was there then."""


def microseconds(seconds: float) -> int:
    """ValueError if it is no instant."""
    if not math.isfinite(seconds) or not 0 <= seconds * 1e6 < LATEST:
        raise ValueError(f"{seconds} seconds is no time")
    return round(seconds * 1e6)


def instant(whole: str, fraction: str) -> int:
    """The time that is written ``whole.fraction`` in seconds, exact. ValueError if it is no instant."""
    time = int(whole) * 1_000_000 + int((fraction + "000000")[:6])
    if time >= LATEST:
        raise ValueError(f"{whole} seconds is no time")
    return time


def from_message(message: can.Message, number: int) -> Frame | None:
    """What python-can read; None if it carries no data. ValueError if it cannot be."""
    if message.is_error_frame or message.is_remote_frame:
        return None
    data = bytes(message.data)
    if len(data) > SIZE or not 0 <= message.arbitration_id < 1 << 29:
        raise ValueError("this is no CAN frame")
    channel = "" if message.channel is None else str(message.channel)
    return Frame(microseconds(message.timestamp), message.arbitration_id, message.is_extended_id, data, channel, number)
