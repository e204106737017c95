"""A control unit that speaks UDS (ISO 14229-1): it takes requests and returns answers with the times to send them.

It knows nothing about buses and clocks: the caller passes the time. Its times are those of a real unit, shortened where
the standard has seconds, so that the whole suite takes only seconds. It can be built with faults.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from random import Random

P2 = 0.050
"""Maximum time until an answer begins, in seconds."""
P2_STAR = 0.500
"""Maximum time after the answer "pending", in seconds."""
S3 = 0.500
"""Seconds of silence after which a session ends; the unit checks this every `S3_CHECK` seconds."""
S3_CHECK = 0.100
DELAY = 1.0
"""Seconds without new seeds after too many wrong keys."""
ATTEMPTS = 3
DEFAULT, PROGRAMMING, EXTENDED = 1, 2, 3
VIN = b"WRTWRD00000000042"
PARTS = b"RW-0815"
TROUBLE = bytes.fromhex("C12345")
"""The one trouble code that this unit can store: no signal from its sensor."""

FAULTS = {
    "late_response": "in an extended session, reads are answered 80 ms after the request",
    "pending_missing": 'the slow routine sends no "pending" before its answer',
    "pending_too_late": 'the slow routine answers 800 ms after "pending"',
    "pending_forever": 'the slow routine sends "pending" and never answers',
    "kept_over_reset": "the value of 0100 survives a reset",
    "answer_suppressed": "TesterPresent is answered even if the answer is suppressed",
    "wrong_nrc": "a locked unit rejects a write with conditionsNotCorrect",
    "lost_write": "a new value of 0110 is acknowledged but not stored",
    "session_timeout_ignored": "sessions never time out",
    "session_timeout_early": "sessions time out after half of the time",
    "keep_alive_ignored": "a TesterPresent with suppressed answer does not keep the session alive",
    "security_kept": "the unit stays unlocked when the session changes",
    "wrong_key_accepted": "only the first byte of the key is compared",
    "seed_kept": "after a wrong key, the same seed can be tried again",
    "attempts_not_counted": "wrong keys are rejected, but not counted",
    "attempts_forgotten": "a reset clears the count of wrong keys",
    "delay_ignored": "after too many wrong keys, a new seed is given at once",
    "counter_not_reset": "ClearDiagnosticInformation clears the trouble code, but not its counter",
    "trouble_not_blocked": "trouble codes are stored although storing is switched off",
    "wrong_value": "0110 is read with its bytes swapped",
    "missing_response": "if there is no trouble code to report, no answer is sent",
    "wrong_order": "a write checks the lock before the session",
    "session_not_checked": "the sensor check is allowed in any session",
}
"""The faults that can be built in; each is implemented by a line of code below."""


class Refused(Exception):
    """A negative response."""

    def __init__(self, code: int) -> None:
        self.code = code


def require(condition: bool, code: int) -> None:
    if not condition:
        raise Refused(code)


def key_for(seed: bytes) -> bytes:
    return bytes(byte ^ 0xA5 for byte in seed)


@dataclass
class Ecu:
    """The unit and its memory. A method in `SERVICES` takes the data of a request and returns those of the answer."""

    faults: Collection[str] = ()
    random: Random = field(default_factory=Random)
    """Source of the seeds and of the response times."""
    now: float = 0.0
    alive: float = 0.0
    """The time of the last request or answer."""

    def __post_init__(self) -> None:
        self.adaptation = bytes.fromhex("1122")
        self.occurrences = 0
        self.trouble = False
        self.attempts = 0
        self.locked_until = 0.0
        self.setting = bytes(2)
        self.start()

    def start(self) -> None:
        """Reset everything that is not in permanent memory."""
        if "kept_over_reset" not in self.faults:
            self.setting = bytes(2)
        if "attempts_forgotten" in self.faults:
            self.attempts = 0
        self.results: dict[int, int] = {}
        self.unlocked = False
        self.enter(DEFAULT)

    def enter(self, session: int) -> None:
        self.session = session
        self.unlocked = self.unlocked and "security_kept" in self.faults
        self.seed = b""
        self.talks = True  # sends its periodic frame to other units
        self.stores = True  # stores trouble codes

    def receive(self, request: bytes, now: float) -> Iterator[tuple[float, bytes]]:
        """Return the answers to a request that came now, with the times to send them."""
        self.now = now
        self.expire()
        service = request[0]
        quiet = service in WITH_SUB and len(request) > 1 and request[1] >= 0x80
        try:
            require(service in SERVICES, 0x11)
            require(len(request) > 1, 0x13)
            data = bytes([request[1] & 0x7F]) + request[2:] if quiet else request[1:]
            answer = SERVICES[service](self, data)
            quiet = quiet and not (service == 0x3E and "answer_suppressed" in self.faults)
            response = b"" if quiet else bytes([service + 0x40]) + answer
        except Refused as refused:
            response = bytes([0x7F, service, refused.code])
        return self.answers(request, response)

    def expire(self) -> None:
        limit = S3 / 2 if "session_timeout_early" in self.faults else S3 + S3_CHECK
        silent = self.now - self.alive > limit and "session_timeout_ignored" not in self.faults
        if self.session != DEFAULT and silent:
            self.enter(DEFAULT)

    def answers(self, request: bytes, response: bytes) -> Iterator[tuple[float, bytes]]:
        """Return the response and the "pending" answers before it, with the times to send them."""
        at = self.now + self.random.uniform(0.002, 0.008)
        if request[0] == 0x22 and self.session == EXTENDED and "late_response" in self.faults:
            at = self.now + 0.080
        if response == bytes.fromhex("59 02 FF") and "missing_response" in self.faults:
            response = b""
        if response.startswith(bytes.fromhex("71 01 02 01")):
            for wait in (0.030, 0.300):
                at += wait
                if "pending_missing" not in self.faults:
                    yield at, bytes.fromhex("7F 31 78")
            at += 0.800 if "pending_too_late" in self.faults else 0.300
            if "pending_forever" in self.faults:
                response = b""
        if response:
            self.alive = at
            yield at, response
        elif not (request[0] == 0x3E and "keep_alive_ignored" in self.faults):
            self.alive = self.now

    def session_control(self, data: bytes) -> bytes:
        require(data[0] in (DEFAULT, PROGRAMMING, EXTENDED), 0x12)
        require(data[0] != PROGRAMMING or self.session != DEFAULT, 0x7E)
        self.enter(data[0])
        return data + int(P2 * 1000).to_bytes(2, "big") + int(P2_STAR * 100).to_bytes(2, "big")

    def reset(self, data: bytes) -> bytes:
        require(data[0] in (1, 3), 0x12)
        self.start()
        return data

    def security_access(self, data: bytes) -> bytes:
        require(self.session != DEFAULT, 0x7F)
        require(data[0] in (1, 2), 0x12)
        return data[:1] + (self.give_seed() if data[0] == 1 else self.take_key(data[1:]))

    def give_seed(self) -> bytes:
        require(self.now >= self.locked_until or "delay_ignored" in self.faults, 0x37)
        if self.unlocked:
            return bytes(4)
        self.seed = bytes(self.random.randint(1, 255) for _ in range(4))
        return self.seed

    def take_key(self, key: bytes) -> bytes:
        require(self.seed != b"", 0x24)
        length = 1 if "wrong_key_accepted" in self.faults else 4
        if key[:length] != key_for(self.seed)[:length]:
            self.refuse_key()
        self.unlocked, self.seed, self.attempts = True, b"", 0
        return b""

    def refuse_key(self) -> None:
        if "seed_kept" not in self.faults:
            self.seed = b""
        if "attempts_not_counted" not in self.faults:
            self.attempts += 1
        if self.attempts == ATTEMPTS:
            self.attempts, self.locked_until = 0, self.now + DELAY
            raise Refused(0x36)
        raise Refused(0x35)

    def communication_control(self, data: bytes) -> bytes:
        require(self.session == EXTENDED, 0x7F)
        require(data[0] in (0, 3), 0x12)
        require(data[1:] == b"\x01", 0x31)
        self.talks = data[0] == 0
        return data[:1]

    def tester_present(self, data: bytes) -> bytes:
        require(data[0] == 0, 0x12)
        return data

    def control_trouble(self, data: bytes) -> bytes:
        require(self.session == EXTENDED, 0x7F)
        require(data[0] in (1, 2), 0x12)
        self.stores = data[0] == 1
        return data

    def read(self, data: bytes) -> bytes:
        require(len(data) == 2, 0x13)
        swapped = self.adaptation[::-1] if "wrong_value" in self.faults else self.adaptation
        values = {0xF190: VIN, 0xF187: PARTS, 0xF186: bytes([self.session]), 0x0100: self.setting, 0x0110: swapped}
        identifier = int.from_bytes(data, "big")
        if identifier == 0x0120:
            require(self.unlocked, 0x33)
            return data + b"\xca\xfe"
        require(identifier in values, 0x31)
        return data + values[identifier]

    def write(self, data: bytes) -> bytes:
        if "wrong_order" in self.faults:
            require(self.unlocked, 0x33)
        require(self.session == EXTENDED, 0x7F)
        require(self.unlocked, 0x22 if "wrong_nrc" in self.faults else 0x33)
        require(data[:2] in (b"\x01\x00", b"\x01\x10"), 0x31)
        require(len(data) == 4, 0x13)
        if data[1] == 0x00:
            self.setting = data[2:]
        elif "lost_write" not in self.faults:
            self.adaptation = data[2:]
        return data[:2]

    def clear_trouble(self, data: bytes) -> bytes:
        require(data == b"\xff\xff\xff", 0x31)
        self.trouble = False
        if "counter_not_reset" not in self.faults:
            self.occurrences = 0
        return b""

    def read_trouble(self, data: bytes) -> bytes:
        require(data[0] in (1, 2, 6), 0x12)
        if data[0] == 1:
            return b"\x01\xff\x01" + int(self.trouble).to_bytes(2, "big")
        if data[0] == 2:
            return b"\x02\xff" + (TROUBLE + b"\x2f" if self.trouble else b"")
        require(data[1:4] == TROUBLE, 0x31)
        return data[:4] + (b"\x2f" if self.trouble else b"\x00") + bytes([0x01, self.occurrences])

    def routine(self, data: bytes) -> bytes:
        require(self.session == EXTENDED or "session_not_checked" in self.faults, 0x7F)
        require(data[0] in (1, 3), 0x12)
        identifier = int.from_bytes(data[1:3], "big")
        require(identifier in (0x0201, 0x0203), 0x31)
        require(identifier == 0x0203 or self.unlocked, 0x33)
        if data[0] == 1:
            self.results[identifier] = 0 if identifier == 0x0201 else self.check_sensor(data[3:])
        require(identifier in self.results, 0x24)
        return data[:3] + bytes([self.results[identifier]])

    def check_sensor(self, signal: bytes) -> int:
        """Return 0 if there is a signal; otherwise store the trouble code and return 1."""
        require(signal in (b"\x00", b"\x01"), 0x31)
        if signal == b"\x01" and (self.stores or "trouble_not_blocked" in self.faults):
            self.trouble = True
            self.occurrences = min(self.occurrences + 1, 3)
        return signal[0]


SERVICES: dict[int, Callable[[Ecu, bytes], bytes]] = {
    0x10: Ecu.session_control,
    0x11: Ecu.reset,
    0x14: Ecu.clear_trouble,
    0x19: Ecu.read_trouble,
    0x22: Ecu.read,
    0x27: Ecu.security_access,
    0x28: Ecu.communication_control,
    0x2E: Ecu.write,
    0x31: Ecu.routine,
    0x3E: Ecu.tester_present,
    0x85: Ecu.control_trouble,
}
WITH_SUB = {0x10, 0x11, 0x19, 0x27, 0x28, 0x31, 0x3E, 0x85}
"""The services with a sub-function, whose highest bit suppresses the positive response."""
