"""Simulated testers: they bring a unit into a state, send requests, and inspect the effect. The messages become a
trace."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from peers.uds_specs import MS, Case, Need, Service, Spec, operation
from peers.uds_unit import Answer, Request, Unit, key
from rootward.traces.model.event import Event, Trace

Line = tuple[int, str, int, str]
"""Time; ``req``, ``all`` or ``res``; the service; the payload."""
MAX_DEPTH = 3


class Tester:
    """One test. ``seed`` decides what it does, regardless of the bugs of the unit."""

    def __init__(self, spec: Spec, unit: Unit, seed: object, *, known: frozenset[int] | None = None) -> None:
        self.spec, self.unit, self.rng = spec, unit, Random(f"test {seed}")
        self.shadow = Unit(spec, unit.seed)  # the tester's expectation: a unit without bugs
        self.lines: list[Line] = []
        self.now = 0
        self.calls = [one for one in spec.calls() if known is None or one[0].sid in known]
        self.focus = self.rng.sample(self.calls, min(4, len(self.calls)))

    def run(self, messages: int) -> list[Line]:
        plans: list[tuple[Callable[[], None], float]] = [
            (self.proper, 5),
            (self.unprepared, 3),
            (self.unknown, 1),
            (self.keys, 1.5),
            (self.reset, 1.5),
            (self.idle, 1.5),
            (self.alive, 1),
            (self.look, 2),
            (self.leave, 1),
        ]
        weights = [weight for _, weight in plans]
        while len(self.lines) < messages:
            self.rng.choices([plan for plan, _ in plans], weights)[0]()
        return self.lines

    # Actions

    def proper(self) -> None:
        """Send a correct request, then read what it changed."""
        service, case = self.pick()
        self.prepare([*service.needs, *case.needs], service)
        self.call(service, case)
        for name in list(case.sets)[:2]:
            self.inspect(name)
        if service.sid == 0x31 and self.rng.random() < 0.7:
            self.pause(self.rng.choice([50, 1200]) * MS)
            self.call(service, service.cases[2])

    def unprepared(self) -> None:
        self.call(*self.pick())

    def unknown(self) -> None:
        service, _ = self.pick()
        if self.rng.random() < 0.2:
            self.say(0xBF, "01")
            return
        if service.form == "data":
            self.say(service.sid, "7777")
            return
        taken = {one.value for one in service.cases}
        value = self.rng.choice([one for one in range(0x50, 0x60) if one not in taken])
        self.say(service.sid, f"{value:02X}" if service.form == "sub" else f"07{value:02X}")

    def keys(self) -> None:
        """Send wrong keys, then a right one."""
        service = self.spec.service(0x27)
        if service is None or all(one is not service for one, _ in self.calls):
            return
        seed, unlock = self.rng.choice([service.cases[i : i + 2] for i in range(0, len(service.cases), 2)])
        self.prepare(service.needs, service)
        for _ in range(self.rng.choice([0, 1, 1, 2, 3])):
            self.call(service, seed)
            self.say(0x27, f"{unlock.value:02X}00000000")
        if self.rng.random() < 0.4:
            self.pause(self.rng.choice([300, 1900]) * MS)
        self.unlock(service, seed, unlock)
        if self.rng.random() < 0.3:
            self.say(0x27, f"{unlock.value:02X}{self.rng.randrange(1 << 32):08X}")

    def reset(self) -> None:
        service = self.spec.service(0x11)
        if service and any(one is service for one, _ in self.calls):
            self.prepare(service.needs, service)
            self.call(service, self.rng.choice(service.cases))
            self.look()

    def leave(self) -> None:
        """Change the session, and look at what is left of the previous one."""
        service = self.spec.service(0x10)
        if service:
            self.call(service, self.rng.choice(service.cases))
            self.look()

    def idle(self) -> None:
        self.pause(self.rng.choice([1000, 1700, 2600, 3500]) * MS)
        self.unprepared() if self.rng.random() < 0.5 else self.look()

    def alive(self) -> None:
        """Keep the session alive beyond its normal duration."""
        said = self.rng.choice(["80", "80", "00", "read"])
        for _ in range(self.rng.randint(2, 4)):
            self.pause(self.rng.randint(900, 1700) * MS)
            if said == "read":
                self.unprepared()
            else:
                self.say(0x3E, said, functional=said == "80" and self.rng.random() < 0.5)
        self.unprepared() if self.rng.random() < 0.5 else self.look()

    def look(self) -> None:
        for name in self.rng.sample(sorted(self.unit.values), 2):
            self.inspect(name)

    # Helpers

    def pick(self) -> tuple[Service, Case]:
        return self.rng.choice(self.focus if self.rng.random() < 0.6 else self.calls)

    def prepare(self, needs: tuple[Need, ...] | list[Need], service: Service, deep: int = 0) -> None:
        """Meet requirements as far as a tester can."""
        ranks = {"session": 0, "sec": 1}
        for need in sorted(needs, key=lambda one: ranks.get(one.tests[0].subject, 2) if one.tests else 3):
            test = need.tests[0] if need.tests and not need.key else None
            if test is None or test.subject == "$data" or self.shadow.holds(test, None):
                continue
            wanted = [
                one
                for one in self.calls
                if any(
                    (value in test.values) != test.negated
                    for name, value in one[1].sets.items()
                    if name == test.subject
                )
            ]
            if wanted and deep < MAX_DEPTH:
                chosen, case = self.rng.choice(wanted)
                self.prepare([*chosen.needs, *case.needs], chosen, deep + 1)
                self.call(chosen, case, quiet=False)

    def inspect(self, name: str) -> None:
        """Request the value of a variable."""
        found = [one for one in self.calls if one[1].data == name]
        if found:
            service, case = self.rng.choice(found)
            if self.rng.random() < 0.7:
                self.prepare([*service.needs, *case.needs], service)
            self.call(service, case)

    def call(self, service: Service, case: Case, quiet: bool = True) -> None:
        if case.xor is not None:
            place = service.cases.index(case)
            self.unlock(service, service.cases[place - 1], case)
            return
        value = case.value
        if quiet and service.form == "sub" and case.quiet and value is not None and self.rng.random() < 0.12:
            value += 0x80
        first = "" if value is None else f"{value:0{ {'sub': 2, 'did': 4}[service.form] }X}"
        self.say(service.sid, first + self.rng.choice(case.example))

    def unlock(self, service: Service, seed: Case, unlock: Case) -> None:
        given = self.say(service.sid, f"{seed.value:02X}")
        digits = given[-1].payload[2:] if given and not given[-1].payload.startswith("NRC") else "00000001"
        digits = digits if len(digits) == 8 else "00000001"
        self.say(service.sid, f"{unlock.value:02X}{key(digits, unlock.xor or 0)}")

    def say(self, sid: int, payload: str, functional: bool = False) -> list[Answer]:
        """Send a request, and wait for the answer or for a timeout."""
        self.now += self.rng.randint(5, 60) * MS
        request = Request(sid, payload, functional)
        self.lines.append((self.now, "all" if functional else "req", sid, payload))
        wanted = self.shadow.ask(self.now, request)
        found = self.unit.ask(self.now, request)
        self.lines += [(one.time, "res", one.sid, one.payload) for one in found]
        ends = [one.time for one in found] or [self.now + (self.spec.pending if wanted else self.spec.p2)]
        self.now = max(self.now, *ends) + self.spec.p2
        return found

    def pause(self, time: int) -> None:
        self.now += time


def lines(spec: Spec, unit: Unit, seed: object, messages: int, known: frozenset[int] | None = None) -> list[Line]:
    return Tester(spec, unit, seed, known=known).run(messages)


def trace(name: str, said: Sequence[Line], wait: int) -> Trace:
    """Return the messages as a trace, which continues for a while after the last message."""
    events = [
        Event(
            time, "res" if kind == "res" else "req", "functional" if kind == "all" else "ECU", operation(sid), payload
        )
        for time, kind, sid, payload in sorted(said, key=lambda one: one[0])
    ]
    return Trace(name, tuple(events), events[-1].time + wait)
