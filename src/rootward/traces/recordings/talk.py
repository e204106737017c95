"""Turn diagnostic messages into events: which ECU was asked for what, what it answered, and when.

The CAN id or logical address of a message determines its ECU and its direction. If the ECUs are not named, the
addresses of ISO 15765-4 apply: requests on 7E0 to 7E7 and responses on 7E8 to 7EF, the 29-bit pairs 18DAxxF1 and
18DAF1xx, and functional requests (to every ECU) on 7DF and 18DBxxF1.

The time of a request is that of its last frame, the time of a response that of its first: that is how response times
are defined.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from rootward.errors import InputError
from rootward.formats.recordings.doip import Diagnostic, DoipListener, select_delivered
from rootward.formats.recordings.frame import Frame, TransportMessage
from rootward.formats.recordings.isotp import Reassembler
from rootward.formats.recordings.pcap import packets
from rootward.formats.recordings.problems import Problems, RecordingSpan
from rootward.formats.recordings.socketcan import SocketCanDecoder, carries_can
from rootward.formats.recordings.uds import decode_request, decode_response
from rootward.traces.model.event import ERROR, EVERYONE, REQUEST, RESPONSE, Event

Address = int | tuple[int, int]
"""A CAN id, or a CAN id and the address byte that comes first in its frames (extended and mixed addressing)."""
Ecus = Mapping[str, int | tuple[Address, Address]]
"""For each ECU, by name, the addresses of its requests and responses; over DoIP its one logical address."""
_MAX_STANDARD_ID = 0x7FF
_MAX_ID = 0x1FFFFFFF


class TalkDirection(NamedTuple):
    """One direction of the communication with one ECU."""

    kind: str
    ecu: str | int
    """Its name, or the address of its requests if it has no name."""
    byte: int | None = None
    """The address byte of its frames, if there is one."""


class DirectedMessage(NamedTuple):
    lane: TalkDirection
    channel: str
    message: TransportMessage


def can_events(frames: Iterable[Frame], ecus: Ecus | None, problems: Problems, span: RecordingSpan) -> list[Event]:
    """Return the UDS events among CAN frames.

    ``span`` records the time of every frame, even of those without an event.
    """
    listener, said, count = CanListener(ecus), list[DirectedMessage](), 0
    for frame in frames:
        count += 1
        span.add(frame.time, frame.number)
        said += listener.add(frame)
    said += listener.end()
    if not said:
        problems.add("", f"no diagnostic messages: {_explain_silence(count)}")
    return _to_events(said, span.first or 0)


def network_events(path: Path, ecus: Ecus | None, problems: Problems, span: RecordingSpan) -> list[Event]:
    """Return the UDS events of a network recording: those of its CAN frames, and those of its DoIP connections.

    ``span`` records the time of every packet, even if it has no event.
    """
    can, doip, decoder = CanListener(ecus), DoipListener(problems), SocketCanDecoder(problems)
    said: list[DirectedMessage] = []
    found: list[Diagnostic] = []
    count = 0
    for packet in packets(path, problems):
        span.add(packet.time, packet.number)
        if carries_can(packet):
            count += 1
            for frame in decoder.add(packet):
                said += can.add(frame)
        else:
            found += doip.add(packet)
    for frame in decoder.end():
        said += can.add(frame)
    found += doip.end()
    said += can.end()
    for one in select_delivered(found, doip.acknowledgements, problems):
        lane = _doip_direction(one.source, one.target, one.is_request, ecus)
        if lane is not None:
            said.append(DirectedMessage(lane, "", one.message))
    if not said:
        if count:
            hint = _explain_silence(count)
        elif found:
            hint = "none belongs to a named ECU"
        elif doip.has_streams:
            hint = "there is DoIP, but only to connect, acknowledge or keep alive"
        else:
            hint = "no packet is a CAN frame, or DoIP on TCP port 13400"
        problems.add("", f"no diagnostic messages: {hint}")
    return _to_events(said, span.first or 0)


class CanListener:
    """Joins CAN frames to the messages of all ECUs. Messages, complete or broken, come out in the order of their
    ends."""

    def __init__(self, ecus: Ecus | None = None) -> None:
        self._ecus = ecus
        self._known: dict[tuple[int, bool], tuple[TalkDirection, ...]] = {}
        self._joining: dict[tuple[TalkDirection, str], Reassembler] = {}

    def add(self, frame: Frame) -> Iterator[DirectedMessage]:
        """Add a frame. Yield the messages that end with it."""
        key = frame.id, frame.extended
        if (found := self._known.get(key)) is None:
            found = self._known[key] = _directions_of(*key, self._ecus)
        for lane in found:
            if lane.byte is None or frame.data[:1] == bytes([lane.byte]):
                if (joiner := self._joining.get((lane, frame.channel))) is None:
                    joiner = self._joining[lane, frame.channel] = Reassembler(skip=lane.byte is not None)
                for message in joiner.add(frame):
                    yield DirectedMessage(lane, frame.channel, message)

    def end(self) -> Iterator[DirectedMessage]:
        """Yield the incomplete messages at the end of the recording."""
        for (lane, channel), joiner in self._joining.items():
            for message in joiner.end():
                yield DirectedMessage(lane, channel, message)


def _explain_silence(count: int) -> str:
    """Return why a number of CAN frames contain no diagnostic message."""
    if not count:
        return "there are no CAN frames"
    return f"none of {count:,} CAN frames has the id of a known ECU: name the CAN ids of the ECUs"


def _to_events(said: Sequence[DirectedMessage], start: int = 0) -> list[Event]:
    """Return the messages as events, sorted by time. Times count from ``start``."""
    talkers = {(one.lane.ecu, one.channel) for one in said}
    unnamed = [(ecu, channel) for ecu, channel in talkers if isinstance(ecu, int)]
    alone, channels = len(unnamed) == 1, len({channel for _, channel in unnamed}) > 1
    names = {(ecu, channel): _ecu_name(ecu, channel, alone=alone, channels=channels) for ecu, channel in talkers}
    events = [_event(one, names[one.lane.ecu, one.channel], start) for one in said]
    return sorted(events, key=attrgetter("time", "line"))


def _event(one: DirectedMessage, ecu: str, start: int) -> Event:
    kind, message = one.lane.kind, one.message
    if kind == REQUEST:
        time, number, decode = message.last, message.last_number, decode_request
    else:
        time, number, decode = message.first, message.first_number, decode_response
    if message.error:
        return Event(time - start, ERROR, ecu, message.error, message.data.hex().upper(), number)
    operation, payload, _ = decode(message.data)
    return Event(time - start, kind, ecu, operation, payload, number)


# The ECU and the direction that an address stands for


def _directions_of(identifier: int, extended: bool, ecus: Ecus | None) -> tuple[TalkDirection, ...]:
    """Return the directions that use a CAN id. The result is empty if the id is not used for diagnosis."""
    if identifier == 0x7DF if not extended else identifier & 0x1FFF00FF == 0x18DB00F1:
        return (TalkDirection(REQUEST, EVERYONE),)
    if ecus is not None:
        return tuple(_named_lanes(identifier, extended, ecus))
    if not extended:
        if identifier & 0x7F0 != 0x7E0:
            return ()
        return (TalkDirection(RESPONSE if identifier & 8 else REQUEST, identifier & ~8),)
    if identifier & 0x1FFF00FF == 0x18DA00F1:
        return (TalkDirection(REQUEST, identifier),)
    if identifier & 0x1FFFFF00 == 0x18DAF100:
        return (TalkDirection(RESPONSE, 0x18DA00F1 | (identifier & 0xFF) << 8),)
    return ()


def _doip_direction(source: int, target: int, asks: bool, ecus: Ecus | None) -> TalkDirection | None:
    """Return the direction of a DoIP message; None if it belongs to none of the named ECUs."""
    if asks and target >> 12 == 0xE:
        return TalkDirection(REQUEST, EVERYONE)
    kind, address = (REQUEST, target) if asks else (RESPONSE, source)
    if ecus is None:
        return TalkDirection(kind, address)
    return next((TalkDirection(kind, name) for name, own in ecus.items() if own == address), None)


def parse_addresses(said: Mapping[str, str]) -> dict[str, int | tuple[int, int]]:
    """Parse the address of each ECU.

    It is a text such as ``7E0/7E8`` (the CAN ids of requests and responses) or ``1001`` (a logical address).
    """
    found: dict[str, int | tuple[int, int]] = {}
    for ecu, text in said.items():
        match = re.fullmatch(r"(?:0x)?([0-9A-Fa-f]{1,8})(?:/(?:0x)?([0-9A-Fa-f]{1,8}))?", text)
        if match is None:
            raise InputError(
                f"{ecu}={text}: expected a name and two CAN ids, such as Body=7E0/7E8, or a name and a DoIP address, "
                "such as Gateway=1001"
            )
        found[ecu] = (int(match[1], 16), int(match[2], 16)) if match[2] else int(match[1], 16)
    return found


def check_ecus(ecus: Ecus | None) -> Ecus | None:
    """Return ``ecus`` unchanged. Raises InputError if a name or an address is not valid."""
    for name, addresses in (ecus or {}).items():
        pair: Sequence[object] = addresses if isinstance(addresses, tuple | list) else (addresses, addresses)
        if not name or name.split() != [name]:
            raise InputError(f"the name of an ECU must be one word, got {name!r}")
        if len(pair) != 2 or not all(map(_is_address, pair)):
            raise InputError(
                f"the ECU {name} needs the CAN ids of its requests and its responses, such as (0x7E0, 0x7E8), "
                f"got {addresses!r}"
            )
    return ecus


def _ecu_name(ecu: str | int, channel: str, *, alone: bool, channels: bool) -> str:
    """Return the name to show for an ECU.

    An ECU with a name keeps it. An ECU without a name is called ``ECU`` if ``alone``. Otherwise it is called by its
    address, preceded by the channel if ``channels``.
    """
    if isinstance(ecu, str):
        return ecu
    return "ECU" if alone else f"{channel}:{ecu:X}" if channels else f"{ecu:X}"


def _named_lanes(identifier: int, extended: bool, ecus: Ecus) -> list[TalkDirection]:
    found = []
    for ecu, addresses in ecus.items():
        for kind, address in zip(
            (REQUEST, RESPONSE), addresses if not isinstance(addresses, int) else (), strict=False
        ):
            number, byte = address if not isinstance(address, int) else (address, None)
            if number == identifier and (number > _MAX_STANDARD_ID) == extended:
                found.append(TalkDirection(kind, ecu, byte))
    return found


def _is_address(address: object) -> bool:
    if isinstance(address, tuple | list):
        return len(address) == 2 and _is_address(address[0]) and isinstance(address[1], int) and 0 <= address[1] < 256
    return isinstance(address, int) and not isinstance(address, bool) and 0 <= address <= _MAX_ID
