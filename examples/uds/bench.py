"""The bench: a control unit and a tester on one CAN bus, both with ISO-TP, and a recorder of all frames.

Everything happens in one thread, with one clock. With a `Real` clock, waiting takes time. With a `Simulated` clock it
takes none, a frame has the duration it has at 500 kbit/s, and a test gives the same recording on every machine.
"""

from __future__ import annotations

import heapq
import time
from pathlib import Path

import can
import isotp
from can.interfaces.virtual import VirtualBus
from ecu import Ecu

REQUEST, RESPONSE, CYCLIC = 0x7E0, 0x7E8, 0x123
"""The identifiers of requests, of responses, and of the frame that the unit sends to other units periodically."""
PERIOD = 0.100
FRAME = 0.000230
"""The duration of a frame of eight bytes, in seconds."""


class Real:
    def now(self) -> float:
        return time.time()

    def wait(self, until: float) -> None:
        time.sleep(max(0.0, until - time.time()))

    stamp = now


class Simulated:
    def __init__(self) -> None:
        self.time = 1_700_000_000.0

    def now(self) -> float:
        return self.time

    def wait(self, until: float) -> None:
        self.time = max(self.time, until)

    def stamp(self) -> float:
        """Return the time stamp of a frame that is sent now, and advance the time by the duration of the frame."""
        self.time += FRAME
        return self.time


class Node(VirtualBus):
    """A node of the bus. Its frames get time stamps of the clock of the bench."""

    def __init__(self, channel: str, clock: Real | Simulated) -> None:
        super().__init__(channel, preserve_timestamps=True)
        self.clock = clock
        self.began = 0.0
        """The time at which its last message began."""

    def send(self, msg: can.Message, timeout: float | None = None) -> None:
        msg.timestamp = self.clock.stamp()
        if msg.data[0] >> 4 in (0, 1):
            self.began = msg.timestamp
        super().send(msg, timeout)


class Bench:
    """The unit, the tester and the recorder. ``frames`` are the recorded frames, ``due`` the answers to come."""

    def __init__(self, ecu: Ecu, clock: Real | Simulated, channel: str) -> None:
        self.ecu, self.clock = ecu, clock
        self.unit, self.tester, self.recorder = (Node(channel, clock) for _ in range(3))
        self.unit_link = _link(self.unit, RESPONSE, REQUEST, 0xAA)
        self.tester_link = _link(self.tester, REQUEST, RESPONSE, 0xCC)
        self.cyclic = clock.now() + PERIOD
        self.due: list[tuple[float, bytes]] = []
        self.frames: list[can.Message] = []

    def send(self, request: bytes) -> None:
        self.tester_link.send(request)
        self._exchange()

    def listen(self, seconds: float) -> bytes:
        """Return the next message to the tester; empty if none comes within this time."""
        end = self.clock.now() + seconds
        while not self.tester_link.available() and self.clock.now() < end:
            self.clock.wait(min([end, self.cyclic, *(at for at, _ in self.due[:1])]))
            self._act()
            self._exchange()
        return bytes(self.tester_link.recv() or b"")

    def close(self) -> None:
        for node in (self.unit, self.tester, self.recorder):
            node.shutdown()

    def record(self, path: Path) -> None:
        """Write the recorded frames to two files: a text file (ASC) and a binary file (BLF)."""
        for writer in (can.ASCWriter(path.with_suffix(".asc")), can.BLFWriter(path.with_suffix(".blf"))):
            with writer:
                for frame in self.frames:
                    writer.on_message_received(frame)

    def _act(self) -> None:
        """Let the unit send the messages that are due."""
        now = self.clock.now()
        while self.due and self.due[0][0] <= now:
            self.unit_link.send(heapq.heappop(self.due)[1])
        if self.cyclic <= now:
            self.cyclic += PERIOD
            if self.ecu.talks:
                self.unit.send(can.Message(arbitration_id=CYCLIC, data=b"\x80\x00", is_extended_id=False))

    def _exchange(self) -> None:
        """Transfer frames in both directions until there are no more to send."""
        while any(link.process().sent for link in (self.unit_link, self.tester_link)):
            pass
        while request := self.unit_link.recv():
            for answer in self.ecu.receive(bytes(request), self.clock.now()):
                heapq.heappush(self.due, answer)
        while frame := self.recorder.recv(0):
            frame.channel = 0
            self.frames.append(frame)


def _link(node: Node, sends: int, receives: int, padding: int) -> isotp.CanStack:
    address = isotp.Address(isotp.AddressingMode.Normal_11bits, txid=sends, rxid=receives)
    params = {
        "tx_padding": padding,
        "stmin": 0,
        "wait_func": lambda seconds: node.clock.wait(node.clock.now() + seconds),
    }
    return isotp.CanStack(node, address=address, params=params)
