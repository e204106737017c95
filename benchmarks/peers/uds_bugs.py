"""Bugs of control units as they occur in firmware: each kind is a unit that does one thing differently.

``places`` yields the places in a specification where it can be: a service, a requirement, a variable. The list was
written from typical mistakes in control units, before the grouping was tried on any of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from random import Random
from typing import Any

from peers.uds_specs import EXPIRED, NONE, OPEN, RESET, Case, Need, Service, Spec, Test, Timer
from peers.uds_unit import Answer, Call, Unit

Place = tuple[Any, ...]
OPENING, RESETTING = 0x10, 0x11


class Bug(Unit):
    """A unit with a bug at one place."""

    def __init__(self, spec: Spec, seed: object, *place: Any) -> None:
        super().__init__(spec, seed)
        self.place = place

    @classmethod
    def places(cls, spec: Spec) -> Iterator[Place]:
        """Yield the places where the bug can be."""
        yield ()

    def here(self, call: Call) -> bool:
        """Return True if a call is of the service, or of the service and case, of this place."""
        own = (call.service.sid, call.case.value if call.case else -1)
        return own[: len(self.place)] == self.place[:2]


class OfService(Bug):
    @classmethod
    def places(cls, spec: Spec) -> Iterator[Place]:
        yield from ((one.sid,) for one in spec.services)


class OfCase(Bug):
    @classmethod
    def places(cls, spec: Spec) -> Iterator[Place]:
        yield from ((service.sid, case.value) for service, case in spec.calls())


class OfSlow(Bug):
    @classmethod
    def places(cls, spec: Spec) -> Iterator[Place]:
        yield from ((service.sid, case.value) for service, case in spec.calls() if case.slow)


class OfSub(Bug):
    @classmethod
    def places(cls, spec: Spec) -> Iterator[Place]:
        yield from ((one.sid,) for one in spec.services if one.form == "sub")


class OfKeys(Bug):
    @classmethod
    def places(cls, spec: Spec) -> Iterator[Place]:
        if spec.service(0x27):
            yield ()


# Time


class Late(OfService):
    def delay(self, call: Call, code: int | None) -> int:
        usual = super().delay(call, code)
        return usual + self.spec.p2 if self.here(call) else usual


class LateCase(OfCase):
    def delay(self, call: Call, code: int | None) -> int:
        usual = super().delay(call, code)
        return usual + int(self.spec.p2 * 1.5) if self.here(call) and code is None else usual


class LateRefusal(OfService):
    def delay(self, call: Call, code: int | None) -> int:
        usual = super().delay(call, code)
        return usual + 2 * self.spec.p2 if self.here(call) and code is not None else usual


class Missing(OfService):
    def sent(self, call: Call, payload: str) -> Iterator[Answer]:
        if not self.here(call):
            yield from super().sent(call, payload)


class MissingCase(OfCase):
    def sent(self, call: Call, payload: str) -> Iterator[Answer]:
        if not self.here(call) or payload.startswith("NRC"):
            yield from super().sent(call, payload)


class Refusal(OfService):
    """Does not send negative responses."""

    def sent(self, call: Call, payload: str) -> Iterator[Answer]:
        if not self.here(call) or not payload.startswith("NRC"):
            yield from super().sent(call, payload)


class NotAnnounced(OfSlow):
    """Answers late without announcing it by NRC 78."""

    def pending(self, call: Call) -> Iterator[Answer]:
        told = super().pending(call)
        yield from (one for one in told if not self.here(call))


class AnnouncedTooLong(OfSlow):
    def work(self, call: Call) -> int:
        usual = super().work(call)
        return usual + self.spec.pending if self.here(call) else usual


class AnnouncedOnly(OfSlow):
    """Announces an answer, but does not send it."""

    def sent(self, call: Call, payload: str) -> Iterator[Answer]:
        if not self.here(call) or payload.startswith("NRC"):
            yield from super().sent(call, payload)


# Memory


class Kept(Bug):
    """A service or the end of the session does not clear a variable."""

    @classmethod
    def places(cls, spec: Spec) -> Iterator[Place]:
        for cause, sid in ((OPEN, OPENING), (RESET, RESETTING)):
            service = spec.service(sid)
            cleared = service.cases[0].sets if service else {}
            yield from ((cause, sid, one) for one in cleared if one != "session" and not one.startswith("seed"))
        yield from ((EXPIRED, 0, one) for one in spec.timers[0].do if one != "session" and not one.startswith("seed"))

    def set(self, call: Call, name: str, value: str) -> None:
        if (call.service.sid, name) != self.place[1:]:
            super().set(call, name, value)

    def expire(self, timer: Timer) -> None:
        kept = self.values.get(self.place[2])
        super().expire(timer)
        if self.place[0] == EXPIRED and timer.talk and kept is not None:
            self.values[self.place[2]] = kept


class Lost(OfCase):
    """Answers positively, but does nothing."""

    @classmethod
    def places(cls, spec: Spec) -> Iterator[Place]:
        yield from ((s.sid, case.value) for s, case in spec.calls() if case.sets and s.sid not in (OPENING, RESETTING))

    def act(self, call: Call, data: str) -> None:
        if not self.here(call):
            super().act(call, data)


class Misplaced(Bug):
    """Writes to another variable."""

    @classmethod
    def places(cls, spec: Spec) -> Iterator[Place]:
        names = [name for _, case in spec.calls() for name, value in case.sets.items() if value == "$asked"]
        yield from ((one, other) for one, other in pairwise(names))

    def set(self, call: Call, name: str, value: str) -> None:
        super().set(call, self.place[1] if name == self.place[0] and value == call.data else name, value)


class CutOff(Bug):
    """Does not store the last byte, and keeps the old one."""

    @classmethod
    def places(cls, spec: Spec) -> Iterator[Place]:
        asked = [name for _, case in spec.calls() for name, value in case.sets.items() if value == "$asked"]
        yield from ((one,) for one in asked)

    def set(self, call: Call, name: str, value: str) -> None:
        cut = name == self.place[0] and value == call.data
        super().set(call, name, value[:-2] + self.values[name][-2:] if cut else value)


class ClearedByOther(Bug):
    """A service clears a variable that it should not change."""

    @classmethod
    def places(cls, spec: Spec) -> Iterator[Place]:
        names = [
            one for one in spec.variables if one not in ("session", "delay", "block") and not one.startswith("seed")
        ]
        others = [one for one in spec.services if one.sid not in (OPENING, RESETTING, 0x27)]
        for service in others:
            own = {name for case in service.cases for name in case.sets}
            yield from ((service.sid, one) for one in names if one not in own)

    def act(self, call: Call, data: str) -> None:
        super().act(call, data)
        if call.service.sid == self.place[0]:
            self.values[self.place[1]] = self.spec.variables[self.place[1]]


class Hasty(OfCase):
    """Acts although it refuses."""

    @classmethod
    def places(cls, spec: Spec) -> Iterator[Place]:
        yield from (
            (service.sid, case.value)
            for service, case in spec.calls()
            if case.sets
            and (service.needs or case.needs)
            and case.xor is None
            and "$answered" not in case.sets.values()
        )

    def refused(self, call: Call) -> None:
        if self.here(call):
            self.act(call, "")


class QuietLost(OfSub):
    """Does nothing if no response is wanted."""

    def answered(self, call: Call) -> list[Answer]:
        if self.here(call) and call.quiet and self.refusal(call) is None:
            self.talked(call)
            return []
        return super().answered(call)


# Requirements


class OfNeed(Bug):
    """The place is a service, a case and the number of a requirement."""

    @classmethod
    def places(cls, spec: Spec) -> Iterator[Place]:
        for service in spec.services:
            yield from ((service.sid, None, i) for i, need in enumerate(service.needs) if not need.key)
            for case in service.cases:
                numbers = range(len(service.needs), len(service.needs) + len(case.needs))
                yield from (
                    (service.sid, (case.value,), i) for i in numbers if not case.needs[i - len(service.needs)].key
                )

    def index(self, call: Call) -> int | None:
        """Return the number of the requirement, if a call is about it."""
        sid, case, index = self.place
        if call.service.sid != sid or (case is not None and (call.case is None or call.case.value != case[0])):
            return None
        return int(index)


class Skipped(OfNeed):
    def needs(self, call: Call) -> Sequence[Need]:
        needs, index = super().needs(call), self.index(call)
        return [one for i, one in enumerate(needs) if i != index]


class Swapped(OfNeed):
    """Checks two requirements in the wrong order."""

    @classmethod
    def places(cls, spec: Spec) -> Iterator[Place]:
        for service, case in spec.calls():
            needs = (*service.needs, *case.needs)
            yield from (
                (service.sid, (case.value,), i)
                for i, (one, other) in enumerate(pairwise(needs))
                if one.nrc != other.nrc and not one.key and not other.key
            )

    def needs(self, call: Call) -> Sequence[Need]:
        needs, index = list(super().needs(call)), self.index(call)
        if index is not None:
            needs[index : index + 2] = needs[index + 1], needs[index]
        return needs


class WrongCode(OfNeed):
    def refusal(self, call: Call) -> int | None:
        self.blamed: Need | None = None
        return super().refusal(call)

    def met(self, need: Need, call: Call) -> bool:
        found = super().met(need, call)
        self.blamed = need if not found else self.blamed
        return found

    def code(self, call: Call, code: int) -> int:
        index, needs = self.index(call), self.needs(call)
        if index is None or index >= len(needs) or self.blamed is not needs[index]:
            return code
        return 0x22 if code != 0x22 else 0x31


class Stricter(OfNeed):
    """Refuses one of the allowed values."""

    @classmethod
    def places(cls, spec: Spec) -> Iterator[Place]:
        for place in super().places(spec):
            service = spec.service(place[0])
            need = _need(service, place) if service else None
            if need and need.tests and len(need.tests[0].values) > 1 and not need.tests[0].negated:
                yield place

    def needs(self, call: Call) -> Sequence[Need]:
        needs, index = list(super().needs(call)), self.index(call)
        if index is not None:
            old = needs[index]
            needs[index] = Need((Test(old.tests[0].subject, old.tests[0].values[:-1]),), old.nrc)
        return needs


class Wider(OfNeed):
    """Allows one more value of the session or of the security level."""

    @classmethod
    def places(cls, spec: Spec) -> Iterator[Place]:
        for place in super().places(spec):
            service = spec.service(place[0])
            need = _need(service, place) if service else None
            for value in _others(spec, need) if need else ():
                yield (*place, value)

    def index(self, call: Call) -> int | None:
        sid, case, index, _ = self.place
        if call.service.sid != sid or (case is not None and (call.case is None or call.case.value != case[0])):
            return None
        return int(index)

    def needs(self, call: Call) -> Sequence[Need]:
        needs, index = list(super().needs(call)), self.index(call)
        if index is not None:
            old = needs[index]
            needs[index] = Need((Test(old.tests[0].subject, (*old.tests[0].values, self.place[3])),), old.nrc)
        return needs


def _need(service: Service, place: Place) -> Need:
    needs = service.needs if place[1] is None else _with(service, service.case(place[1][0]))
    return needs[place[2]]


def _with(service: Service, case: Case | None) -> tuple[Need, ...]:
    return (*service.needs, *(case.needs if case else ()))


def _others(spec: Spec, need: Need) -> list[str]:
    """Return values of the same variable that the requirement does not allow."""
    test = need.tests[0] if need.tests else None
    if test is None or test.negated or test.subject not in ("session", "sec"):
        return []
    known = {value for _, case in spec.calls() for name, value in case.sets.items() if name == test.subject}
    return sorted((known | {spec.variables[test.subject]}) - set(test.values))[1:]


class Unlisted(OfService):
    """Accepts unknown sub-functions or identifiers."""

    @classmethod
    def places(cls, spec: Spec) -> Iterator[Place]:
        yield from ((one.sid,) for one in spec.services if one.form != "data")

    def unlisted(self, call: Call) -> int | None:
        return None if self.here(call) or call.service.sid == self.place[0] else super().unlisted(call)


class UnlistedCode(OfService):
    """Refuses unknown sub-functions or identifiers with another code."""

    @classmethod
    def places(cls, spec: Spec) -> Iterator[Place]:
        yield from ((one.sid,) for one in spec.services if one.form != "data")

    def unlisted(self, call: Call) -> int | None:
        return 0x10 if call.service.sid == self.place[0] else super().unlisted(call)


# The session and other timers


class Endless(Bug):
    """A timer never runs out."""

    @classmethod
    def places(cls, spec: Spec) -> Iterator[Place]:
        yield from ((one.name,) for one in spec.timers)

    def due(self, timer: Timer) -> int:
        return super().due(timer) + (10**12 if timer.name == self.place[0] else 0)


class Early(Endless):
    def due(self, timer: Timer) -> int:
        usual = Bug.due(self, timer)
        return usual - int(timer.after * 0.5) if timer.name == self.place[0] else usual


class Slow(Endless):
    def due(self, timer: Timer) -> int:
        usual = Bug.due(self, timer)
        return usual + timer.after if timer.name == self.place[0] else usual


class NotHeard(OfService):
    """A service does not keep the session alive."""

    def talked(self, call: Call) -> None:
        if call.service.sid != self.place[0]:
            super().talked(call)


class QuietNotHeard(Bug):
    """A request without a response does not keep the session alive."""

    def talked(self, call: Call) -> None:
        if not call.quiet:
            super().talked(call)


class NotStarted(Bug):
    """A timer is not restarted by an event that should restart it."""

    @classmethod
    def places(cls, spec: Spec) -> Iterator[Place]:
        yield from ((one.name,) for one in spec.timers if not one.talk)

    def react(self, call: Call, payload: str) -> None:
        before = self.started[self.place[0]]
        super().react(call, payload)
        self.started[self.place[0]] = before


# Answers


class Talkative(OfSub):
    """Answers although no response is wanted."""

    def silent(self, call: Call) -> bool:
        return super().silent(call) and not self.here(call)


class Mute(OfSub):
    """Does not even refuse if no response is wanted."""

    def sent(self, call: Call, payload: str) -> Iterator[Answer]:
        if not (self.here(call) and call.quiet):
            yield from super().sent(call, payload)


class WrongEcho(OfService):
    @classmethod
    def places(cls, spec: Spec) -> Iterator[Place]:
        yield from ((one.sid,) for one in spec.services if one.form != "data")

    def echo(self, call: Call) -> str:
        usual = super().echo(call)
        return f"{(int(usual, 16) ^ 1):0{len(usual)}X}" if call.service.sid == self.place[0] else usual


class OfValue(Bug):
    """The place is a case that answers with data."""

    @classmethod
    def places(cls, spec: Spec) -> Iterator[Place]:
        yield from ((service.sid, case.value) for service, case in spec.calls() if case.data)


class WrongValue(OfValue):
    """Answers with a wrong last byte."""

    def data(self, call: Call) -> str:
        usual = super().data(call)
        return f"{usual[:-2]}{int(usual[-2:], 16) ^ 0x5A:02X}" if usual and self.here(call) else usual


class TooShort(OfValue):
    def data(self, call: Call) -> str:
        usual = super().data(call)
        return usual[:-2] if self.here(call) else usual


class Stale(OfValue):
    """Always answers with the initial value."""

    @classmethod
    def places(cls, spec: Spec) -> Iterator[Place]:
        named = ((service.sid, case.value) for service, case in spec.calls() if case.data and case.data[0] != '"')
        yield from named

    def data(self, call: Call) -> str:
        usual = super().data(call)
        if not self.here(call) or call.case is None:
            return usual
        first = self.spec.variables[call.case.data]
        return "" if first == NONE else first


class Twice(OfService):
    """Sends its answer twice."""

    def sent(self, call: Call, payload: str) -> Iterator[Answer]:
        yield from super().sent(call, payload)
        if self.here(call):
            yield Answer(self.now + 1500, call.service.sid, payload)


class Stray(OfService):
    """After one service, also sends the answer of another one."""

    @classmethod
    def places(cls, spec: Spec) -> Iterator[Place]:
        sids = [one.sid for one in spec.services]
        yield from ((one, other) for one, other in zip(sids, sids[3:], strict=False))

    def here(self, call: Call) -> bool:
        return bool(call.service.sid == self.place[0])

    def sent(self, call: Call, payload: str) -> Iterator[Answer]:
        yield from super().sent(call, payload)
        if self.here(call) and not payload.startswith("NRC"):
            yield Answer(self.now + 2500, self.place[1], "01")


# Keys and counters


class AnyKey(OfKeys):
    def fits(self, seed: str, call: Call) -> bool:
        return True


class NoKey(OfKeys):
    """Refuses all keys."""

    def fits(self, seed: str, call: Call) -> bool:
        return False


class KeyAgain(OfKeys):
    """A seed stays valid after a right key."""

    def set(self, call: Call, name: str, value: str) -> None:
        if not (call.service.sid == 0x27 and name.startswith("seed") and value == NONE):
            super().set(call, name, value)


class CountKept(OfKeys):
    """A right key does not reset the counter."""

    def set(self, call: Call, name: str, value: str) -> None:
        if not (call.service.sid == 0x27 and name == "attempts"):
            super().set(call, name, value)


class NotCounted(Bug):
    """Does not count an event that it should."""

    @classmethod
    def places(cls, spec: Spec) -> Iterator[Place]:
        yield from ((one,) for one in ("attempts", "trouble", "block") if one in spec.variables)

    def react(self, call: Call, payload: str) -> None:
        before = self.values[self.place[0]]
        super().react(call, payload)
        if self.values[self.place[0]] != self.spec.variables[self.place[0]]:
            self.values[self.place[0]] = before


class CountedTwice(NotCounted):
    def react(self, call: Call, payload: str) -> None:
        before = self.values[self.place[0]]
        super().react(call, payload)
        if self.values[self.place[0]] != before:
            super(NotCounted, self).react(call, payload)


class NoDelay(OfKeys):
    """Gives seeds without a delay after too many wrong keys."""

    def react(self, call: Call, payload: str) -> None:
        super().react(call, payload)
        self.values["delay"] = "00"


class WrongLevel(OfKeys):
    """A right key opens another level."""

    def set(self, call: Call, name: str, value: str) -> None:
        super().set(call, name, {"01": "02", "02": "01"}[value] if name == "sec" and value != "00" else value)


KINDS: tuple[type[Bug], ...] = (
    Late, LateCase, LateRefusal, Missing, MissingCase, Refusal, NotAnnounced, AnnouncedTooLong, AnnouncedOnly,
    Kept, Lost, Misplaced, CutOff, ClearedByOther, Hasty, QuietLost,
    Skipped, Swapped, WrongCode, Stricter, Wider, Unlisted, UnlistedCode,
    Endless, Early, Slow, NotHeard, QuietNotHeard, NotStarted,
    Talkative, Mute, WrongEcho, WrongValue, TooShort, Stale, Twice, Stray,
    AnyKey, NoKey, KeyAgain, CountKept, NotCounted, CountedTwice, NoDelay, WrongLevel,
)  # fmt: skip


def drawn(spec: Spec, rng: Random, kinds: Sequence[type[Bug]] = KINDS) -> Iterator[tuple[type[Bug], Place]]:
    """Yield bugs without end, each kind equally likely."""
    found = {kind: list(kind.places(spec)) for kind in kinds}
    possible = [kind for kind in kinds if found[kind]]
    while True:
        kind = rng.choice(possible)
        yield kind, rng.choice(found[kind])


def named(kind: type[Bug], place: Place) -> str:
    said = [f"{one:02X}" if isinstance(one, int) else str(one) for one in place]
    return f"{kind.__name__} {' '.join(said)}".strip()
