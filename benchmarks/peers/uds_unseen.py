"""Bugs of control units of kinds that the changes of the model were not written for.

Most concern more than one service, or depend on the state of the unit: a rule that is wrong everywhere, a session that
is taken for another one, a variable that something else clears. Each kind says which words a cause must contain that
names it rightly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from peers.uds_bugs import OPENING, RESETTING, Bug, OfCase, OfService, OfValue, Place
from peers.uds_specs import Need, Spec, Test, Timer, operation
from peers.uds_unit import Answer, Call


class Unseen(Bug):
    """A bug that says how a right cause names it."""

    @classmethod
    def words(cls, spec: Spec, *place: Any) -> tuple[str, ...]:
        """Return the words that a right cause contains."""
        raise NotImplementedError


# Rules that are wrong in all services


class SwappedEverywhere(Unseen):
    """Checks two kinds of requirements in the wrong order, in all services."""

    @classmethod
    def places(cls, spec: Spec) -> Iterator[Place]:
        pairs = {
            (one.nrc, other.nrc)
            for service, case in spec.calls()
            for one, other in pairwise((*service.needs, *case.needs))
            if one.nrc != other.nrc and not one.key and not other.key
        }
        yield from sorted(
            pair for pair in pairs if sum(_has_both(spec, service.sid, pair) for service in spec.services) > 1
        )

    @classmethod
    def words(cls, spec: Spec, *place: Any) -> tuple[str, ...]:
        return (f"NRC {place[0]:02X}", f"NRC {place[1]:02X}")

    def needs(self, call: Call) -> Sequence[Need]:
        needs, (first, second) = list(super().needs(call)), self.place
        for i, (one, other) in enumerate(pairwise(needs)):
            if (one.nrc, other.nrc) == (first, second) and not one.key and not other.key:
                needs[i : i + 2] = other, one
                break
        return needs


def _has_both(spec: Spec, sid: int, codes: tuple[int, int]) -> bool:
    return any(
        (one.nrc, other.nrc) == codes and not one.key and not other.key
        for service, case in spec.calls()
        if service.sid == sid
        for one, other in pairwise((*service.needs, *case.needs))
    )


class SessionAlias(Unseen):
    """Takes one session for another wherever a session is required."""

    @classmethod
    def places(cls, spec: Spec) -> Iterator[Place]:
        opening = spec.service(OPENING)
        known = [f"{case.value:02X}" for case in opening.cases] if opening else []
        yield from ((one, other) for one in known for other in known if one != other)

    @classmethod
    def words(cls, spec: Spec, *place: Any) -> tuple[str, ...]:
        return ("session", str(place[1]))

    def holds(self, test: Test, call: Call | None) -> bool:
        if call is not None and test.subject == "session" and self.values["session"] == self.place[1]:
            return (self.place[0] in test.values) != test.negated
        return super().holds(test, call)


class CodeEverywhere(Unseen):
    """Refuses with a wrong code wherever a certain code is due."""

    @classmethod
    def places(cls, spec: Spec) -> Iterator[Place]:
        codes = {need.nrc for one, case in spec.calls() for need in (*one.needs, *case.needs)}
        yield from ((code, 0x22 if code != 0x22 else 0x31) for code in sorted(codes))

    @classmethod
    def words(cls, spec: Spec, *place: Any) -> tuple[str, ...]:
        return (f"NRC {place[0]:02X}", f"NRC {place[1]:02X}")

    def code(self, call: Call, code: int) -> int:
        return int(self.place[1]) if code == self.place[0] else code


class LateEverywhere(Unseen):
    """Needs too long for every answer."""

    @classmethod
    def words(cls, spec: Spec, *place: Any) -> tuple[str, ...]:
        return ("longer than", "every component")

    def delay(self, call: Call, code: int | None) -> int:
        return super().delay(call, code) + self.spec.p2

    def later(self) -> int:
        return super().later() + self.spec.p2


class QuietIgnored(Unseen):
    """Answers although no response is wanted, in all services."""

    @classmethod
    def words(cls, spec: Spec, *place: Any) -> tuple[str, ...]:
        return ("every component", "owes no answer")

    def silent(self, call: Call) -> bool:
        return False


class NeverLocked(Unseen):
    """Nothing clears the security level."""

    @classmethod
    def places(cls, spec: Spec) -> Iterator[Place]:
        if spec.service(0x27):
            yield ()

    @classmethod
    def words(cls, spec: Spec, *place: Any) -> tuple[str, ...]:
        return ("sec", "00")

    def set(self, call: Call, name: str, value: str) -> None:
        if (name, value) != ("sec", "00"):
            super().set(call, name, value)

    def expire(self, timer: Timer) -> None:
        kept = self.values["sec"]
        super().expire(timer)
        self.values["sec"] = kept


# Bugs that depend on the state of the unit


class SlowInSession(Unseen):
    """Needs too long for every answer in one session."""

    @classmethod
    def places(cls, spec: Spec) -> Iterator[Place]:
        opening = spec.service(OPENING)
        yield from ((f"{case.value:02X}",) for case in (opening.cases if opening else ()))

    @classmethod
    def words(cls, spec: Spec, *place: Any) -> tuple[str, ...]:
        return ("longer than", "session", str(place[0]))

    def delay(self, call: Call, code: int | None) -> int:
        usual = super().delay(call, code)
        return usual + self.spec.p2 if self.values["session"] == self.place[0] else usual


class SilentInSession(OfService, Unseen):
    """Does not answer one service in one session."""

    @classmethod
    def places(cls, spec: Spec) -> Iterator[Place]:
        opening = spec.service(OPENING)
        for service in spec.services:
            yield from ((service.sid, f"{case.value:02X}") for case in (opening.cases if opening else ()))

    @classmethod
    def words(cls, spec: Spec, *place: Any) -> tuple[str, ...]:
        return (operation(place[0]), "answer", "session", str(place[1]))

    def sent(self, call: Call, payload: str) -> Iterator[Answer]:
        if call.service.sid != self.place[0] or self.values["session"] != self.place[1]:
            yield from super().sent(call, payload)


class UncheckedInSession(Unseen):
    """One service does not check the security level in one session."""

    @classmethod
    def places(cls, spec: Spec) -> Iterator[Place]:
        opening = spec.service(OPENING)
        known = [f"{case.value:02X}" for case in opening.cases] if opening else []
        for service in spec.services:
            needs = (*service.needs, *(need for case in service.cases for need in case.needs))
            if any(test.subject == "sec" for need in needs for test in need.tests):
                yield from ((service.sid, one) for one in known)

    @classmethod
    def words(cls, spec: Spec, *place: Any) -> tuple[str, ...]:
        return (operation(place[0]), "check", "sec")

    def holds(self, test: Test, call: Call | None) -> bool:
        if call is not None and test.subject == "sec" and call.service.sid == self.place[0]:
            return self.values["session"] == self.place[1] or super().holds(test, call)
        return super().holds(test, call)


# Data


class ReadsOther(OfValue, Unseen):
    """Answers with the value of another variable."""

    @classmethod
    def places(cls, spec: Spec) -> Iterator[Place]:
        read = [(s.sid, case.value, case.data) for s, case in spec.calls() if case.data and case.data[0] != '"']
        for (sid, value, own), (_, _, other) in pairwise(read):
            if own != other:
                yield (sid, value, other)

    @classmethod
    def words(cls, spec: Spec, *place: Any) -> tuple[str, ...]:
        return (operation(place[0]), str(place[2]))

    def data(self, call: Call) -> str:
        usual = super().data(call)
        return self.read(self.place[2]) if self.here(call) else usual


class AlsoCleared(Unseen):
    """A reset or a change of the session also clears a variable that should survive."""

    @classmethod
    def places(cls, spec: Spec) -> Iterator[Place]:
        for sid in (OPENING, RESETTING):
            service = spec.service(sid)
            cleared = {name for case in service.cases for name in case.sets} if service else set()
            yield from ((sid, one) for one in spec.variables if service and one not in cleared and one != "block")

    @classmethod
    def words(cls, spec: Spec, *place: Any) -> tuple[str, ...]:
        return (operation(place[0]), str(place[1]))

    def act(self, call: Call, data: str) -> None:
        super().act(call, data)
        if call.service.sid == self.place[0]:
            self.values[self.place[1]] = self.spec.variables[self.place[1]]


class ExpiryAlsoClears(Unseen):
    """The end of a session also clears a variable that should survive."""

    @classmethod
    def places(cls, spec: Spec) -> Iterator[Place]:
        yield from ((one,) for one in spec.variables if one not in spec.timers[0].do and one != "block")

    @classmethod
    def words(cls, spec: Spec, *place: Any) -> tuple[str, ...]:
        return ("timer S3", str(place[0]))

    def expire(self, timer: Timer) -> None:
        super().expire(timer)
        if timer.talk:
            self.values[self.place[0]] = self.spec.variables[self.place[0]]


class OldValue(OfCase, Unseen):
    """Stores a value only when the next one is written."""

    def __init__(self, spec: Spec, seed: object, *place: Any) -> None:
        super().__init__(spec, seed, *place)
        self.kept: dict[str, str] = {}

    @classmethod
    def places(cls, spec: Spec) -> Iterator[Place]:
        yield from (
            (service.sid, case.value)
            for service, case in spec.calls()
            if "$asked" in case.sets.values() and service.sid not in (OPENING, RESETTING)
        )

    @classmethod
    def words(cls, spec: Spec, *place: Any) -> tuple[str, ...]:
        case = spec.service(place[0]).case(place[1])  # type: ignore[union-attr]
        return (operation(place[0]), *(name for name, value in case.sets.items() if value == "$asked"))  # type: ignore[union-attr]

    def set(self, call: Call, name: str, value: str) -> None:
        if self.here(call) and value == call.data:
            value, self.kept[name] = self.kept.get(name, self.values[name]), value
        super().set(call, name, value)


class Emptied(OfCase, Unseen):
    """A refused request clears the variable that it would have set."""

    @classmethod
    def places(cls, spec: Spec) -> Iterator[Place]:
        yield from (
            (service.sid, case.value)
            for service, case in spec.calls()
            if "$asked" in case.sets.values() and (service.needs or case.needs)
        )

    @classmethod
    def words(cls, spec: Spec, *place: Any) -> tuple[str, ...]:
        return OldValue.words(spec, *place)

    def refused(self, call: Call) -> None:
        super().refused(call)
        if self.here(call) and call.case is not None:
            for name in call.case.sets:
                self.values[name] = self.spec.variables[name]


KINDS: tuple[type[Unseen], ...] = (
    SwappedEverywhere, SessionAlias, CodeEverywhere, LateEverywhere, QuietIgnored, NeverLocked, SlowInSession,
    SilentInSession, UncheckedInSession, ReadsOther, AlsoCleared, ExpiryAlsoClears, OldValue, Emptied,
)  # fmt: skip
