"""Recordings of simulated units as files: ISO-TP frames in ASC or BLF."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from peers.uds_tester import Line

ALL, ASK, ANSWER = 0x7DF, 0x7E0, 0x7E8
FRAME_GAP = 400
"""Microseconds between two frames of a message."""
Frame = tuple[int, int, bytes]
"""Time, identifier, data."""


def write(path: Path, said: Sequence[Line]) -> None:
    """Write the messages to a file, in the format of its ending."""
    import can

    frames = sorted(frame for line in said for frame in _frames(*line))
    writer = {".asc": can.ASCWriter, ".blf": can.BLFWriter}[path.suffix](str(path))
    for time, identifier, data in frames:
        message = can.Message(
            timestamp=1_700_000_000 + time / 1e6,
            arbitration_id=identifier,
            data=data,
            is_extended_id=False,
            is_rx=identifier == ANSWER,
            channel=0,
        )
        writer.on_message_received(message)
    writer.stop()


def _frames(time: int, kind: str, sid: int, payload: str) -> Iterator[Frame]:
    data = _bytes(kind, sid, payload)
    identifier = {"req": ASK, "all": ALL, "res": ANSWER}[kind]
    if len(data) <= 7:
        yield time, identifier, _padded([len(data), *data])
        return
    yield time, identifier, bytes([0x10 | len(data) >> 8, len(data) & 0xFF, *data[:6]])
    yield time + FRAME_GAP, ASK if identifier == ANSWER else ANSWER, _padded([0x30, 0, 0])
    for number, start in enumerate(range(6, len(data), 7), 1):
        yield time + FRAME_GAP * (number + 1), identifier, _padded([0x20 | number & 15, *data[start : start + 7]])


def _bytes(kind: str, sid: int, payload: str) -> bytes:
    if kind != "res":
        return bytes([sid]) + bytes.fromhex(payload)
    if payload.startswith("NRC "):
        return bytes([0x7F, sid]) + bytes.fromhex(payload[4:])
    return bytes([sid + 0x40]) + bytes.fromhex(payload)


def _padded(data: Iterable[int]) -> bytes:
    return bytes(data).ljust(8, b"\xcc")
