"""The model ``iso14229``: what ISO 14229-1 requires of any ECU, whatever its services are.

It judges an ECU without knowing its data, sessions or keys, and leaves open everything that the standard leaves to the
manufacturer. It requires:

- A request to one ECU is answered within P2; NRC 78 extends this to P2*. If the ECU announces longer times in its
  answer to DiagnosticSessionControl, only the longest time that it could announce is judged.
- A positive response repeats the sub-function, the identifier or the sequence counter, and has no data where the
  standard defines none. A request with the suppress bit gets no positive response, unless NRC 78 announced one.
- A negative response has a code that ISO 14229-1 defines and that can apply to the service. Requests to all ECUs may
  remain without a response, and are not answered with NRC 11, 12, 31, 7E or 7F.
- No response comes without a request, except after ResponseOnEvent or ReadDataByPeriodicIdentifier was accepted.

GMLAN and KWP 2000 share numbers of services with UDS, but not the form of messages. An ECU does not speak UDS if it
answers positively to a service which only these have, repeats no sub-function of TesterPresent, or opens a session of
KWP 2000, whose numbers would suppress the response in UDS. Such a recording is not judged (`Model.foreign`).

A tester that does not keep to the rules proves nothing about the ECU. So a request that is too short may be answered in
any way, and what follows an overlap (a second request before the answer), a broken message or a reset is not judged
until the next clean request. The same holds for what was asked before the recording began, and for the times of a
session whose response was suppressed. What the recording does not show is not reported either (`Model.cautious`).

Each service is a component, like those that `service` generates. The component ``conversation`` knows whether the ECU
can be expected to answer the next request.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rootward.errors import InputError
from rootward.formats.recordings.uds import SERVICES
from rootward.traces.languages.expressions import Scope, span
from rootward.traces.languages.messages import ANY_ECU_BUT_EVERYONE, BYTES, PENDING, WITH_DID, WITH_SUB, LongerTimes
from rootward.traces.languages.nodes import from_python, suggest
from rootward.traces.languages.service import SILENT
from rootward.traces.model.event import EVERYONE
from rootward.traces.model.guard import TRUE, Bound, Const, Guard, Param, Term, Test, Var, format_duration
from rootward.traces.model.model import Component, Edge, Location, Model
from rootward.traces.model.pattern import Derived, Pattern

NAME = "iso14229"
DEFAULTS = {"P2": "50ms", "P2x": "5s"}
"""The maximum response time, and the one after NRC 78, in the default session (ISO 14229-2)."""
MAX_ANNOUNCED = 655_350_000
"""The longest time that an ECU can announce, in microseconds."""

# Negative response codes (ISO 14229-1, Annex A)

GENERAL = frozenset(
    {
        0x10,
        0x11,
        0x13,
        0x14,
        0x21,
        0x22,
        0x24,
        0x25,
        0x26,
        0x31,
        0x33,
        0x34,
        0x38,
        0x7F,
        *range(0x81, 0x95),
        *range(0xF0, 0xFF),
    }
)
"""Codes that any service may use. Those from 81 on name conditions of the vehicle or are left to the manufacturer."""
ABOUT_SUB = frozenset({0x12, 0x7E})
ABOUT_KEYS = frozenset({0x35, 0x36, 0x37})
ABOUT_SECURED_DATA = frozenset(range(0x39, 0x50))
ABOUT_CERTIFICATES = frozenset(range(0x50, 0x5E))
ABOUT_TRANSFER = frozenset({0x70, 0x71, 0x72, 0x73})
PROGRAMMING_FAILED = frozenset({0x72})
SPECIFIC: Mapping[int, frozenset[int]] = {
    0x27: ABOUT_KEYS,
    0x29: ABOUT_KEYS | ABOUT_CERTIFICATES,
    0x84: ABOUT_SECURED_DATA,
    0x14: PROGRAMMING_FAILED,
    0x2E: PROGRAMMING_FAILED,
    0x3D: PROGRAMMING_FAILED,
    **dict.fromkeys((0x31, 0x34, 0x35, 0x36, 0x37, 0x38), ABOUT_TRANSFER),
}
"""Codes about something that only these services have."""

# The form of requests and responses

ECHO_DIGITS: Mapping[int, int] = {0x2F: 6, 0x31: 6, 0x36: 2, 0x38: 2}
"""Hexadecimal digits that a positive response repeats, where these are not just the sub-function or identifier."""
WITHOUT_DATA = frozenset({0x14, 0x28, 0x2A, 0x2E, 0x3E, 0x85})
"""Services whose positive response has nothing but what it repeats."""
STARTS_UNASKED = frozenset({0x2A, 0x86})
"""Services after which the ECU may send responses that nobody asked for."""
REPORTS_EVENTS = frozenset({0x19, 0x22, 0x2F, 0x31})
"""Services whose responses the ECU may send when an event occurs, so that a response may belong to no request."""
LEAVES = frozenset({0x10, 0x11, 0x87})
"""Services after which the ECU may be away for a while: it restarts, loads another program or changes the bus speed."""
OTHER_PROTOCOLS = frozenset({0x12, 0x17, 0x18, 0x1A, 0x20, 0x21, 0x30, 0x32, 0x33, 0x3B, 0x81, 0x82})
"""Services of GMLAN (GMW3110) and KWP 2000 (ISO 14230-3) that ISO 14229-1 reserves."""
OPEN, IDLE, OWED, LATER, SLOW = "open", "idle", "owed", "owed pending", "owed with longer times"
ODD, ODD_LATER = "malformed", "malformed pending"
QUIET, ANNOUNCED, ALL = "suppressed", "announced", "asked of all"
READY, UNASKED, TIMING = "ready", "unasked", "timing"
"""Variables: the ECU is expected to answer; it may send what nobody asked for; its response times."""
BROKEN = Pattern("err * ...")
ONE_ECU = f"<ecu={ANY_ECU_BUT_EVERYONE}>"


def iso14229(**params: object) -> Model:
    """Return the model of any ECU that follows ISO 14229-1. ``params``: ``P2`` and ``P2x``, such as ``P2="100ms"``."""
    for name in params:
        if name not in DEFAULTS:
            raise InputError(f"model {NAME}: unknown parameter {name!r}: {suggest(name, DEFAULTS)}")
    given = {name: params.get(name, value) for name, value in DEFAULTS.items()}
    p2, pending = (span(from_python(value, f"the parameter {name}"), Scope()) for name, value in given.items())
    services = [_Service(sid, name, p2, pending) for sid, name in SERVICES.items()]
    return Model(
        "ISO 14229-1 (any ECU)",
        (*(one.component() for one in services), _others(p2, pending), _conversation(p2, pending)),
        {
            READY: 1,
            UNASKED: 0,
            TIMING: "default",
            **{one.memory: "none" for one in services},
            "other services.asked": "none",
        },
        {**{one.clock: 0 for one in services}, "other services.wait": 0},
        params={name: format_duration(value) for name, value in (("P2", p2), ("P2x", pending))},
        each=True,
        foreign=(
            (Pattern(rf"/res \S+ (?:{'|'.join(f'0x{one:02X}' for one in sorted(OTHER_PROTOCOLS))})(?! NRC).*/"),),
            (Pattern("req * TesterPresent"), Pattern("res * TesterPresent")),
            (Pattern("req * TesterPresent 01"), Pattern("res * TesterPresent")),
            (Pattern(r"/res \S+ DiagnosticSessionControl (?:8[4-9A-F]|9[0-9A-F]).*/"),),
        ),
        causal=False,
        cautious=True,
    )


def _is(*pairs: int | str) -> Guard:
    """Return the condition that variables have values: ``_is(name, value, name, value)``."""
    return (
        tuple(Test(Var(str(name)), "=", Const(value)) for name, value in zip(pairs[::2], pairs[1::2], strict=True)),
    )


def _within(clock: str, limit: int) -> Guard:
    return ((Bound(clock, "<=", limit),),)


def _codes(codes: frozenset[int]) -> str:
    return "|".join(f"{one:02X}" for one in sorted(codes))


class _Service:
    """The component of one service."""

    def __init__(self, sid: int, name: str, p2: int, pending: int) -> None:
        self.sid, self.name, self.p2, self.pending = sid, name, p2, pending
        self.clock, self.memory = f"{name}.wait", f"{name}.asked"
        self.digits = ECHO_DIGITS.get(sid, 2 if sid in WITH_SUB else 4 if sid in WITH_DID else 0)
        self.codes = GENERAL | SPECIFIC.get(sid, frozenset()) | (ABOUT_SUB if sid in WITH_SUB else frozenset())

    def component(self) -> Component:
        name = self.name
        waits = [
            Location(
                place,
                stay=_within(self.clock, limit),
                requirement=f"{name} is answered within {format_duration(limit)}{after}",
            )
            for place, limit, after in (
                (OWED, self.p2, ""),
                (LATER, self.pending, " after NRC 78"),
                (SLOW, MAX_ANNOUNCED, ", the longest time that an ECU can announce"),
                (ODD, self.p2, ""),
                (ODD_LATER, self.pending, " after NRC 78"),
                (ANNOUNCED, self.pending, " after NRC 78"),
            )
        ]
        edges = [*self._requests(), *self._interruptions(), *self._answers()]
        names = {OPEN}
        while more := {edge.target for edge in edges if edge.source in names} - names:
            names |= more
        used = [one for one in (*map(Location, (IDLE, QUIET, ALL)), *waits) if one.name in names]
        return Component(name, (Location(OPEN), *used), (OPEN,), tuple(edge for edge in edges if edge.source in names))

    # Requests

    def _requests(self) -> Iterator[Edge]:
        said, restart = f"{self.name} is answered as ISO 14229-1 says", frozenset({self.clock})
        for source in (OPEN, IDLE, QUIET, ALL):
            for on, target, values in self._clean_requests():
                if source == ALL:  # the next response may still belong to the request to all ECUs
                    yield Edge(source, OPEN, on, requirement=said)
                    continue
                for timing, place in (("default", target), ("longer", SLOW if target == OWED else OPEN)):
                    ready = _is(READY, 1, TIMING, timing, *((UNASKED, 0) if self.sid in REPORTS_EVENTS else ()))
                    yield Edge(source, place, on, ready, values, restart, said)
                yield Edge(source, OPEN, on, _is(READY, 0), requirement=said)
                if self.sid in REPORTS_EVENTS:
                    yield Edge(source, OPEN, on, _is(READY, 1, UNASKED, 1), requirement=said)
            if self.sid in WITH_SUB:
                yield Edge(source, QUIET, self._request("[89A-F][0-9A-F]"), requirement=said)
            yield Edge(source, ALL, Pattern(f"req {EVERYONE} {self.name} ..."), requirement=said)

    def _clean_requests(self) -> Iterator[tuple[Pattern, str, dict[str, Term]]]:
        """Yield the requests that must be answered, each with what is owed then and what is remembered."""
        if not self.digits:
            yield Pattern(f"req {ONE_ECU} {self.name} ..."), OWED, {}
            return
        first = "[0-7][0-9A-F]" if self.sid in WITH_SUB else "[0-9A-F]{2}"
        echo = f"(?P<echo>{first}[0-9A-F]{{{self.digits - 2}}})"
        several = self.sid == 0x22
        yield self._request(echo, "" if several else BYTES), OWED, {self.memory: Param("echo")}
        if several:
            yield self._request("[0-9A-F]{4}", "(?:[0-9A-F]{2})+"), ODD, {}
        cut = "|".join(f"{first}[0-9A-F]{{{2 * more}}}" for more in range(self.digits // 2 - 1))
        yield Pattern(f"/req {ANY_ECU_BUT_EVERYONE} {self.name}{f'(?: (?:{cut}))?' if cut else ''}/"), ODD, {}

    def _request(self, first: str, data: str = BYTES) -> Pattern:
        return Pattern(f"/req {ANY_ECU_BUT_EVERYONE} {self.name} {first}{data}/")

    def _interruptions(self) -> Iterator[Edge]:
        """Yield the edges after which this service is not judged until the next clean request."""
        other = Pattern(
            rf"/req (?:{ANY_ECU_BUT_EVERYONE} (?!{self.name}\b).*|{EVERYONE} (?!{self.name}\b|TesterPresent 80$).*)/"
        )
        waits = {OWED, LATER, SLOW, ODD, ODD_LATER, ANNOUNCED}
        for source in (OPEN, IDLE, QUIET, ALL, *sorted(waits)):
            yield Edge(source, OPEN if source in waits else source, other, label="req * ...")
            if source in waits:
                yield Edge(source, OPEN, Pattern(f"req * {self.name} ..."))
            yield Edge(source, OPEN, BROKEN, label="req * ...")  # never what is expected

    # Answers

    def _answers(self) -> Iterator[Edge]:
        name, restart = self.name, frozenset({self.clock})
        allowed = f"A response of {name} repeats what was asked, or is negative with a code that ISO 14229-1 allows"
        pending = f"{name} may answer NRC {PENDING:02X} and take more time"
        anything, refused, later = (
            Pattern(f"res * {name} ..."),
            self._refusal(self.codes),
            Pattern(f"res * {name} NRC {PENDING:02X}"),
        )
        same = ((Test(Param("echo"), "=", Var(self.memory)),),) if self.digits else TRUE
        for source, more in ((OWED, LATER), (LATER, LATER), (SLOW, SLOW)):
            yield from self._accept(source, self._positive(), same, allowed)
            yield Edge(source, IDLE, refused, requirement=allowed, label=f"res * {name} NRC <code>")
            yield Edge(source, more, later, reset=restart, requirement=pending)
        final = Pattern(f"/res \\S+ {name}(?! NRC {PENDING:02X}).*/")
        for source, more in ((ODD, ODD_LATER), (ODD_LATER, ODD_LATER), (ANNOUNCED, ANNOUNCED)):
            yield Edge(source, IDLE, final, requirement=f"{name} is answered", label=f"res * {name} ...")
            yield Edge(source, more, later, reset=restart, requirement=pending)
        suppressed = f"{name} is not answered positively if the request says so"
        yield Edge(QUIET, QUIET, refused, requirement=suppressed, label=f"res * {name} NRC <code>")
        yield Edge(QUIET, ANNOUNCED, later, _is(TIMING, "default"), reset=restart, requirement=pending)
        yield Edge(QUIET, OPEN, later, _is(TIMING, "longer"), requirement=pending)
        certain = _is(UNASKED, 0)
        yield from self._accept(ALL, self._positive(), certain, allowed)
        yield Edge(ALL, IDLE, self._refusal(self.codes - SILENT), certain, requirement=f"{allowed}, asked of all ECUs")
        yield Edge(ALL, OPEN, later, requirement=pending)
        yield Edge(OPEN, OPEN, anything, requirement=f"{name} was asked before, or unclearly")
        only = f"{name} is answered only when asked"
        yield Edge(ALL, OPEN, anything, _is(UNASKED, 1), requirement=only)
        yield Edge(QUIET, QUIET, Pattern(f"/res \\S+ {name}(?! NRC).*/"), _is(UNASKED, 1), requirement=only)
        yield Edge(IDLE, IDLE, anything, _is(UNASKED, 1), requirement=only)

    def _accept(self, source: str, on: Pattern, when: Guard, requirement: str) -> Iterator[Edge]:
        label = f"res * {self.name} {'<echo>' if self.digits else ''}...".replace(">...", "> ...")
        yield Edge(source, IDLE, on, when, requirement=requirement, label=label)

    def _positive(self) -> Pattern:
        data = "" if self.sid in WITHOUT_DATA else BYTES
        if self.sid == 0x22:
            data = "(?:[0-9A-F]{2})+"
        if not self.digits:
            return Pattern(rf"/res \S+ {self.name}(?: (?P<data>{data}))?/" if data else f"/res \\S+ {self.name}/")
        return Pattern(f"res * {self.name} <payload=(?P<echo>[0-9A-F]{{{self.digits}}})(?P<data>{data})>")

    def _refusal(self, codes: frozenset[int]) -> Pattern:
        return Pattern(f"res * {self.name} NRC <nrc=(?:{_codes(codes)})>")


def _others(p2: int, pending: int) -> Component:
    """Return the component for services that ISO 14229-1 does not define; most ECUs refuse them.

    Numbers that cannot begin a request, and those of OBD, are not judged.
    """
    clock, memory = "other services.wait", "other services.asked"
    service = r"<service=0x[1238-9AB][0-9A-F]>"
    asked = Pattern(f"req {ONE_ECU} {service} ...")
    same = ((Test(Param("service"), "=", Var(memory)),),)
    said, restart = "A request is answered, also if the service is not known", frozenset({clock})
    codes = f"NRC (?:{_codes(GENERAL | ABOUT_SUB)})$"
    final = Pattern(rf"/res \S+ (?P<service>0x[0-9A-F]{{2}})(?: {codes}| (?!NRC).*)?/")
    later = Pattern(f"res * {service} NRC {PENDING:02X}")
    interrupted = Pattern(rf"/req (?:{ANY_ECU_BUT_EVERYONE} .*|{EVERYONE} (?!TesterPresent 80$).*)/")
    locations = [Location(OPEN)]
    edges = [
        Edge(
            OPEN,
            OPEN,
            Pattern(rf"/req (?:{ANY_ECU_BUT_EVERYONE} (?!0x[1238-9AB]).*|{EVERYONE} (?!TesterPresent 80$).*)/"),
        ),
        Edge(OPEN, OPEN, BROKEN),
        Edge(OPEN, OPEN, Pattern("res * <service=0x[0-9A-F]{2}> ..."), requirement=said),
        Edge(OPEN, OWED, asked, _is(READY, 1, TIMING, "default"), {memory: Param("service")}, restart, said),
        Edge(OPEN, OPEN, asked, _is(READY, 1, TIMING, "longer"), requirement=said),
        Edge(OPEN, OPEN, asked, _is(READY, 0), requirement=said),
    ]
    for place, limit, after in ((OWED, p2, ""), (LATER, pending, " after NRC 78")):
        within = f"Every request is answered within {format_duration(limit)}{after}"
        locations.append(Location(place, stay=_within(clock, limit), requirement=within))
        edges += [
            Edge(place, OPEN, final, same, requirement=said, label="res * <service> ..."),
            Edge(place, LATER, later, same, reset=restart, requirement=said),
            Edge(place, OPEN, interrupted, label="req * ..."),
            Edge(place, OPEN, BROKEN, label="req * ..."),
        ]
    return Component("other services", tuple(locations), (OPEN,), tuple(edges))


def _conversation(p2: int, pending: int) -> Component:
    """Return the component that knows whether the next request can be expected to be answered, how fast, and whether
    the ECU may send what nobody asked for."""
    said = "An ECU that is answering, or away after a reset, need not answer the next request"
    session = SERVICES[0x10]
    leaving = "|".join(SERVICES[sid] for sid in sorted(LEAVES - {0x10}))
    starting = "|".join(SERVICES[sid] for sid in sorted(STARTS_UNASKED))
    quiet = "|".join(SERVICES[sid] for sid in sorted(WITH_SUB))
    busy, free, unasked = {READY: Const(0)}, {READY: Const(1)}, {UNASKED: Const(1)}
    announced = Pattern(
        rf"/res \S+ {session} (?:[0-9A-F]{{2}}(?P<data>{BYTES}))/",
        (Derived(TIMING, LongerTimes(p2, pending), ("data",)),),
    )
    updates: list[tuple[Pattern, dict[str, Term]]] = [
        (Pattern(rf"/req \S+ (?!(?:{quiet}) [89A-F]).*/"), {**busy}),
        # What a session announces in a response that is suppressed is not known.
        (Pattern(rf"/req \S+ {session} [89A-F].*/"), {**busy, TIMING: Const("longer")}),
        (Pattern(rf"/req \S+ (?:{leaving}) [89A-F].*/"), {**busy}),
        (Pattern(rf"/req \S+ {SERVICES[0x86]} [89A-F].*/"), {**unasked}),
        (announced, {**busy, TIMING: Param(TIMING)}),
        (Pattern(rf"/res \S+ (?:{leaving})(?! NRC)(?: .*)?/"), {**busy}),
        (Pattern(rf"/res \S+ (?:{starting})(?! NRC)(?: .*)?/"), {**free, **unasked}),
        (
            Pattern(rf"/res \S+ (?!(?:{session}|{leaving}|{starting})(?: (?!NRC)|$))(?!\S+ NRC {PENDING:02X}).*/"),
            {**free},
        ),
    ]
    edges = tuple(Edge("any", "any", on, set=values, requirement=said) for on, values in updates)
    return Component("conversation", (Location("any"),), ("any",), edges)
