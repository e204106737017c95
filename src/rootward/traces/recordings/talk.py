"""Diagnostic messages become events: who asked whom for what, and when.

A request counts when its last piece is there, a response when its first one is: that is how response times are defined.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from rootward.formats.doip import read_doip
from rootward.formats.frame import Frame
from rootward.formats.isotp import Reassembler
from rootward.formats.problems import Problems
from rootward.formats.span import Span
from rootward.formats.transport import Message
from rootward.formats.uds import decode_request, decode_response
from rootward.traces.event import Event
from rootward.traces.recordings.ecus import REQUEST, Ecus, Lane, lanes_of, logical, name


class Said(NamedTuple):
    lane: Lane
    channel: str
    message: Message


def can_events(frames: Iterable[Frame], ecus: Ecus | None, problems: Problems, span: Span) -> list[Event]:
    """The UDS events among CAN frames. ``span`` sees every frame."""
    count = 0

    def watched() -> Iterator[Frame]:
        nonlocal count
        for frame in frames:
            count += 1
            span.see(frame.time, frame.number)
            yield frame

    said = list(said_on_can(watched(), ecus))
    if not said:
        hint = "none is on a known id: name those of the ECUs" if count else "there is none"
        problems.add("", f"no diagnostic messages among {count:,} frames: {hint}")
    return uds_events(said, span.first or 0)


def doip_events(path: Path, ecus: Ecus | None, problems: Problems, span: Span) -> list[Event]:
    """The UDS events of a network recording, likewise."""
    found = list(read_doip(path, problems, span))
    lanes = [logical(one.source, one.target, one.asks, ecus) for one in found]
    said = [Said(lane, "", one.message) for lane, one in zip(lanes, found, strict=True) if lane]
    if not said:
        hint = "none is of a named ECU" if found else "there is no DoIP on TCP port 13400"
        problems.add("", f"no diagnostic messages: {hint}")
    return uds_events(said, span.first or 0)


def said_on_can(frames: Iterable[Frame], ecus: Ecus | None = None) -> Iterator[Said]:
    """The messages of all ECUs, whole or broken, in the order of their ends."""
    known: dict[tuple[int, bool], tuple[Lane, ...]] = {}
    joining: dict[tuple[Lane, str], Reassembler] = {}
    for frame in frames:
        key = frame.id, frame.extended
        if (found := known.get(key)) is None:
            found = known[key] = lanes_of(*key, ecus)
        for lane in found:
            if lane.byte is None or frame.data[:1] == bytes([lane.byte]):
                if (joiner := joining.get((lane, frame.channel))) is None:
                    joiner = joining[lane, frame.channel] = Reassembler(skip=lane.byte is not None)
                for message in joiner.add(frame):
                    yield Said(lane, frame.channel, message)
    for (lane, channel), joiner in joining.items():
        for message in joiner.end():
            yield Said(lane, channel, message)


def uds_events(said: Sequence[Said], start: int = 0) -> list[Event]:
    """What was said, in words, in the order of time, which counts from ``start``."""
    talkers = {(one.lane.ecu, one.channel) for one in said}
    unnamed = [(ecu, channel) for ecu, channel in talkers if isinstance(ecu, int)]
    alone, channels = len(unnamed) == 1, len({channel for _, channel in unnamed}) > 1
    names = {(ecu, channel): name(ecu, channel, alone=alone, channels=channels) for ecu, channel in talkers}
    events = [_event(one, names[one.lane.ecu, one.channel], start) for one in said]
    return sorted(events, key=attrgetter("time", "line"))


def _event(one: Said, ecu: str, start: int) -> Event:
    kind, message = one.lane.kind, one.message
    if kind == REQUEST:
        time, number, decode = message.last, message.last_number, decode_request
    else:
        time, number, decode = message.first, message.first_number, decode_response
    if message.error:
        return Event(time - start, "err", ecu, message.error, message.data.hex().upper(), number)
    operation, payload, _ = decode(message.data)
    return Event(time - start, kind, ecu, operation, payload, number)
