"""A small simulated ECU, and random sessions with it, as recordings to learn from.

Sessions 1 to 3; security access with keys by XOR; 0x0100 can be written in session 3 if the ECU is unlocked, and is
lost with a reset; 0xB0 must come before 0xB1 is accepted. After 2 s of silence, a session ends.
"""

from __future__ import annotations

from random import Random

from rootward.traces.model.event import Event, Trace

MS = 1000
NAMES = {
    0x10: "DiagnosticSessionControl",
    0x11: "ECUReset",
    0x22: "ReadDataByIdentifier",
    0x27: "SecurityAccess",
    0x2E: "WriteDataByIdentifier",
    0x3E: "TesterPresent",
    0xB0: "0xB0",
    0xB1: "0xB1",
}
S3, MASK = 2_000 * MS, 0x5A


class Unit:
    """The ECU. Subclasses have bugs."""

    wrong_keys = 2

    def __init__(self, seed: object) -> None:
        self.rng = Random(f"unit {seed}")
        self.session, self.level, self.seed, self.wrong, self.stored, self.on = 1, 0, "", 0, "0000", False
        self.restarted = self.refused = -(10**9)

    def lock(self, session: int) -> None:
        self.session, self.level, self.seed, self.on = session, 0, "", False

    def answer(self, now: int, sid: int, payload: str) -> str | None:
        """Return the payload of the answer; None if it is suppressed."""
        if self.session != 1 and now - self.restarted >= self.timeout():
            self.lock(1)
        first, data = payload[:2], payload[2:]
        match sid:
            case 0x10 if first in ("01", "02", "03"):
                self.lock(int(first))
                return f"{first}00320032"
            case 0x11 if first == "01":
                self.lock(1)
                self.stored = self.after_reset()
                return first
            case 0x22 if payload in ("F190", "F186", "0100"):
                return payload + {"F190": "AABBCC", "F186": f"{self.session:02X}", "0100": self.stored}[payload]
            case 0x27:
                return self.access(now, first, data)
            case 0x2E:
                return self.write(payload)
            case 0x3E if first in ("00", "80"):
                return None if first == "80" else first
            case 0xB0:
                self.on = True
                return first
            case 0xB1:
                return first if self.on else "NRC 24"
        return "NRC 31" if sid == 0x22 else "NRC 12"

    def access(self, now: int, first: str, data: str) -> str:
        if self.session == 1:
            return "NRC 7F"
        if first == "01":
            if now - self.refused < 1_000 * MS:
                return "NRC 37"
            self.seed = f"{self.rng.randrange(1, 1 << 16):04X}"
            return first + self.seed
        if not self.seed:
            return "NRC 24"
        fits = bytes(one ^ MASK for one in bytes.fromhex(self.seed)) == bytes.fromhex(data)
        self.seed = ""
        if fits:
            self.level, self.wrong = 1, 0
            return first
        self.wrong += 1
        if self.wrong <= self.wrong_keys:
            return "NRC 35"
        self.wrong, self.refused = 0, now
        return "NRC 36"

    def write(self, payload: str) -> str:
        if self.session != 3:
            return "NRC 7F"
        if payload[:4] != "0100":
            return "NRC 31"
        if not self.level:
            return "NRC 33"
        self.stored = payload[4:]
        return payload[:4]

    def after_reset(self) -> str:
        return "0000"

    def timeout(self) -> int:
        return S3

    def delay(self) -> int:
        return self.rng.randrange(4, 20) * MS


class Tester:
    """Sends requests to a unit, and writes down what is said."""

    def __init__(self, name: str, unit: Unit) -> None:
        self.unit, self.rng = unit, Random(f"tester {name}")
        self.events: list[Event] = []
        self.now, self.seed = 0, "0000"

    def say(self, sid: int, payload: str) -> None:
        self.now += self.rng.randrange(10, 40) * MS
        self.events.append(Event(self.now, "req", "ECU", NAMES[sid], payload))
        said = self.unit.answer(self.now, sid, payload)
        if said is not None:
            self.now += self.unit.delay()
            self.events.append(Event(self.now, "res", "ECU", NAMES[sid], said))
            if sid == 0x27 and said.startswith("01"):
                self.seed = said[2:]
        self.unit.restarted = self.now

    def act(self) -> None:
        """Do one of the things that testers do."""
        match self.rng.randrange(12):
            case 0 | 1:
                self.say(0x10, self.rng.choice(["01", "02", "03", "03", "07"]))
            case 2:
                self.unlock()
            case 3:
                self.say(0x10, "03")
                self.unlock()
                self.write()
            case 4:
                self.write()
            case 5:
                self.say(0x11, "01")
                self.say(0x22, "0100")
            case 6:
                self.now += self.rng.choice([1_000, 1_700, 2_300, 3_000]) * MS
            case 7:
                self.say(0xB0, "00")
                self.say(0xB1, "00")
            case 8:
                self.say(0x10, "02")
                for _ in range(self.rng.randrange(1, 5)):
                    self.say(0x27, "01")
                    self.say(0x27, "020000")
                self.now += self.rng.choice([100, 900, 1_100]) * MS
                self.say(0x27, "01")
            case 9:
                self.say(0x3E, self.rng.choice(["00", "80"]))
            case 10:
                self.say(0xB1, "00")
            case _:
                self.say(0x22, self.rng.choice(["F190", "F186", "0100", "0101"]))

    def unlock(self) -> None:
        self.say(0x27, "01")
        self.say(0x27, "02" + bytes(one ^ MASK for one in bytes.fromhex(self.seed)).hex().upper())

    def write(self) -> None:
        self.say(0x2E, self.rng.choice(["01001234", "0100ABCD", "0100FF01", "01991234"]))
        self.say(0x22, "0100")


def record(name: str, unit: Unit, actions: int = 15) -> Trace:
    """Return a random conversation with the unit."""
    tester = Tester(name, unit)
    for _ in range(actions):
        tester.act()
    return Trace(name, tuple(tester.events), tester.now + 6_000 * MS)


def recordings(count: int, kind: type[Unit] = Unit, name: str = "good") -> list[Trace]:
    return [record(f"{name} {i}", kind(f"{name} {i}")) for i in range(count)]
