"""A control unit that does what its specification says. Bugs override its small methods.

It is written like firmware and knows nothing of models: a request is handled when it arrives, timers expire in between,
and the effects of a request happen when it is answered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from peers.uds_specs import NONE, Case, Need, Service, Spec, Test, Timer

UNKNOWN = 0x11
SEED = 4
"""Number of bytes of a seed."""


@dataclass(frozen=True)
class Request:
    sid: int
    payload: str
    functional: bool = False


@dataclass(frozen=True)
class Call:
    """A parsed request."""

    request: Request
    service: Service
    case: Case | None
    first: str
    """The sub-function or the identifier, without the bit that asks for no response."""
    data: str
    quiet: bool


@dataclass(frozen=True)
class Answer:
    time: int
    sid: int
    payload: str
    """``NRC 31`` if it is negative."""


class Unit:
    def __init__(self, spec: Spec, seed: object) -> None:
        self.spec, self.seed = spec, seed
        self.values = dict(spec.variables)
        self.started = {one.name: 0 for one in spec.timers}
        self.now = self.asked = 0
        self.rng = Random(0)

    def ask(self, now: int, request: Request) -> list[Answer]:
        """Return the answers, in the order of time."""
        self.rng = Random(f"{self.seed} {self.asked}")  # independent of bugs and of earlier messages
        self.asked += 1
        self.advance(now)
        service = self.spec.service(request.sid)
        if service is None:
            return [] if request.functional else [Answer(self.later(), request.sid, f"NRC {UNKNOWN:02X}")]
        if self.spec.hears:
            self.talked(self.understood(request, service))
        return self.answered(self.understood(request, service))

    def understood(self, request: Request, service: Service) -> Call:
        digits = {"sub": 2, "did": 4, "data": 0}[service.form]
        first, data = request.payload[:digits], request.payload[digits:]
        value = int(first, 16) if first else None
        quiet = service.form == "sub" and value is not None and value >= 0x80
        if quiet and value is not None:
            value -= 0x80
        return Call(request, service, service.case(value), f"{value:02X}" if quiet else first, data, quiet)

    def answered(self, call: Call) -> list[Answer]:
        code = self.refusal(call)
        if code is None and self.silent(call):
            self.talked(call)
            self.act(call, "")
            return []
        found = list(self.answers(call, code))
        return found if not call.request.functional or code not in (0x12, 0x31, 0x7E, 0x7F) else []

    def answers(self, call: Call, code: int | None) -> Iterator[Answer]:
        begin = self.now
        if call.case is not None and call.case.slow and code is None:
            yield from self.pending(call)
        time = max(self.now, begin + self.delay(call, code) if self.now == begin else self.now + self.work(call))
        self.advance(time)
        if code is None:
            data = self.data(call)
            yield from self.sent(call, self.echo(call) + data)
            self.talked(call)
            self.act(call, data)
            self.react(call, self.echo(call) + data)
        else:
            yield from self.sent(call, f"NRC {self.code(call, code):02X}")
            self.talked(call)
            self.refused(call)
            self.react(call, f"NRC {code:02X}")

    # Methods that bugs override

    def later(self) -> int:
        return self.now + int(self.spec.p2 * self.rng.uniform(0.05, 0.6))

    def delay(self, call: Call, code: int | None) -> int:
        """Return the time until the answer."""
        return int(self.spec.p2 * self.rng.uniform(0.05, 0.6))

    def work(self, call: Call) -> int:
        """Return the time for the answer after NRC 78."""
        return int(self.spec.pending * self.rng.uniform(0.1, 0.7))

    def pending(self, call: Call) -> Iterator[Answer]:
        for _ in range(self.rng.choice([1, 1, 2])):
            self.advance(self.now + int(self.spec.p2 * self.rng.uniform(0.6, 0.9)))
            self.talked(call)
            yield Answer(self.now, call.service.sid, "NRC 78")

    def silent(self, call: Call) -> bool:
        return call.quiet

    def refusal(self, call: Call) -> int | None:
        """Return the code of the first requirement that is not met."""
        for need in self.needs(call):
            if not self.met(need, call):
                return need.nrc
        return self.unlisted(call) if call.case is None else None

    def unlisted(self, call: Call) -> int | None:
        return call.service.other

    def needs(self, call: Call) -> Sequence[Need]:
        return (*call.service.needs, *(call.case.needs if call.case else ()))

    def met(self, need: Need, call: Call) -> bool:
        return (bool(need.key) and self.fits(need.key, call)) or any(self.holds(one, call) for one in need.tests)

    def holds(self, test: Test, call: Call | None) -> bool:
        value = call.data if test.subject == "$data" and call is not None else self.values[test.subject]
        return (value in test.values) != test.negated

    def fits(self, seed: str, call: Call) -> bool:
        if self.values[seed] == NONE or call.case is None or call.case.xor is None:
            return False
        return key(self.values[seed], call.case.xor) == call.data

    def code(self, call: Call, code: int) -> int:
        return code

    def echo(self, call: Call) -> str:
        return call.first

    def data(self, call: Call) -> str:
        case = call.case
        if case is None:
            return ""
        if "$answered" in case.sets.values():
            return "".join(f"{self.rng.randrange(1, 256):02X}" for _ in range(SEED))
        return case.data.strip('"') if not case.data or case.data[0] == '"' else self.read(case.data)

    def read(self, name: str) -> str:
        value = self.values[name]
        return value if value != NONE else ""

    def sent(self, call: Call, payload: str) -> Iterator[Answer]:
        yield Answer(self.now, call.service.sid, payload)

    def act(self, call: Call, data: str) -> None:
        """Apply the effects of an accepted request."""
        if call.case is not None:
            for name, value in call.case.sets.items():
                self.set(call, name, {"$asked": call.data, "$answered": data}.get(value, value))

    def set(self, call: Call, name: str, value: str) -> None:
        self.values[name] = value

    def refused(self, call: Call) -> None:
        """Apply the effects of a refused request besides those that its code counts."""

    def react(self, call: Call, payload: str) -> None:
        for one in self.spec.reactions:
            if (one.sid, one.payload) == (call.service.sid, payload) and (not one.when or self.holds(one.when, None)):
                self.values.update(one.sets)
                if one.starts:
                    self.started[one.starts] = self.now
                return

    def talked(self, call: Call) -> None:
        for one in self.spec.timers:
            if one.talk:
                self.started[one.name] = self.now

    def due(self, timer: Timer) -> int:
        """Return the time when a timer expires."""
        return self.started[timer.name] + timer.after + timer.slack // 2

    def expire(self, timer: Timer) -> None:
        self.values.update(timer.do)

    def advance(self, now: int) -> None:
        """Let time pass."""
        while running := [one for one in self.spec.timers if self.due(one) <= now and self.holds(one.runs, None)]:
            first = min(running, key=self.due)
            self.now = max(self.now, self.due(first))
            self.expire(first)
        self.now = now


def key(seed: str, xor: int) -> str:
    return bytes(one ^ xor for one in bytes.fromhex(seed)).hex().upper()
