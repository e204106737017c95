"""Exchanges: each request of a recording with its answer. Everything that is learned is learned from them.

What follows is an interpretation, not yet a model: which part of the request is its sub-function or identifier, whether
it asked for silence, and what the final answer was. Requests whose answer tells nothing are marked ``unclear``: the
recording ends too early, the request is too short, or it went to all ECUs and was not answered.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from string import hexdigits

from rootward.errors import InputError
from rootward.formats.recordings.uds import SERVICES
from rootward.traces.languages.messages import PENDING, SUPPRESSED, WITH_DID, WITH_SUB
from rootward.traces.model.event import EVERYONE, REQUEST, RESPONSE, Event, Trace, check_trace

POSITIVE, UNCLEAR, NOTHING = "positive", "unclear", "nothing"
"""Answers that are not a negative response code: positive, not known, and none although one was due."""
DIGITS = {"sub": 2, "did": 4, "data": 0}
"""For each form of requests, the number of hexadecimal digits of its first part."""
WITH_DATA = frozenset({0x14, 0x23, 0x34, 0x35, 0x36, 0x37, 0x38, 0x3D})
"""Services whose requests have neither a sub-function nor an identifier."""
_NUMBERS = {name: number for number, name in SERVICES.items()}
Answer = int | str


@dataclass
class Exchange:
    """A request and its answer."""

    recording: int
    """The number of the recording, from 0."""
    message: int
    """The number of the request in the recording, from 1."""
    time: int
    operation: str
    payload: str
    functional: bool
    first: int | None = None
    """The sub-function (without the suppress bit) or the identifier."""
    data: str = ""
    quiet: bool = False
    """True if the request asked for no positive response."""
    answer: Answer = UNCLEAR
    """``positive``, a negative response code, ``unclear`` or ``nothing``."""
    answer_data: str = ""
    """The data of a positive response, without what it repeats of the request."""
    answered: int = 0
    """The time of the final answer."""
    times: list[int] = field(default_factory=list)
    """The times of all responses, those with NRC 78 included."""
    raw_answer: str | None = None
    state: dict[str, object] = field(default_factory=dict)
    """The values of the variables when the request came; a variable whose value is not known has none."""

    @property
    def case(self) -> tuple[str, int | None]:
        return self.operation, self.first

    @property
    def ends(self) -> int:
        """The time of the last message of the exchange."""
        return self.times[-1] if self.times else self.time


@dataclass(frozen=True)
class RecordedExchanges:
    """The exchanges of all recordings."""

    names: tuple[str, ...]
    exchanges: tuple[tuple[Exchange, ...], ...]
    """The exchanges of each recording, in the order of the requests."""
    forms: dict[str, str]
    """``sub``, ``did`` or ``data`` for each service, by name: what its requests begin with."""
    echoes: dict[str, bool]
    """True if the positive responses of a service repeat the first part of the request."""
    messages: int
    unasked: int
    """Responses that no request explains."""

    def case_of(self, request: Event) -> tuple[str, int | None]:
        """Return the service of a request, with its sub-function or identifier."""
        form = self.forms.get(request.operation, "data")
        first = parse_hex(request.payload[: DIGITS[form]])
        if first is None:
            return request.operation, None
        return request.operation, first & (~SUPPRESSED if form == "sub" else ~0)

    def all(self) -> Iterable[Exchange]:
        return (one for some in self.exchanges for one in some)


def number_of(operation: str) -> int:
    """Return the number of a service."""
    try:
        return _NUMBERS[operation] if operation in _NUMBERS else int(operation, 16)
    except ValueError:
        raise InputError(f"learning needs UDS messages, and {operation!r} is not a UDS service") from None


def parse_hex(digits: str) -> int | None:
    """Return the number that these digits stand for; None if they are none, as in a damaged recording."""
    return int(digits, 16) if digits and not set(digits) - set(hexdigits) else None


def read_exchanges(traces: Iterable[Trace]) -> RecordedExchanges:
    """Pair the requests and responses of all recordings. Raises InputError if there is nothing to learn from."""
    names, paired, messages, unasked = list[str](), list[list[Exchange]](), 0, 0
    ecus: dict[str, str] = {}
    for trace in traces:
        check_trace(trace)
        for event in trace.events:
            if event.kind in (REQUEST, RESPONSE) and event.ecu != EVERYONE:
                ecus.setdefault(event.ecu, trace.name)
        exchanges, strays = _pair(len(names), trace)
        if exchanges:
            names.append(trace.name)
            paired.append(exchanges)
            messages += len(trace.events)
            unasked += strays
    if not paired:
        raise InputError("there is nothing to learn from: no recording has a request")
    if len(ecus) > 1:
        raise InputError(
            f"the recordings are about several ECUs ({', '.join(sorted(ecus))}), but a model describes one: learn from "
            "the recordings of one of them"
        )
    forms = _find_forms(paired)
    echoes = {operation: _echoes(form, operation, paired) for operation, form in forms.items()}
    for exchange in (one for some in paired for one in some):
        _interpret(exchange, forms[exchange.operation], echoes[exchange.operation])
    return RecordedExchanges(tuple(names), tuple(map(tuple, paired)), forms, echoes, messages, unasked)


def _pair(recording: int, trace: Trace) -> tuple[list[Exchange], int]:
    """Return the exchanges of a recording, and the number of responses that belong to none."""
    found: list[Exchange] = []
    open_: dict[str, Exchange] = {}
    strays = 0
    for number, event in enumerate(trace.events, 1):
        if event.kind == REQUEST:
            if event.operation in open_ and open_[event.operation].times:
                continue  # after NRC 78 the ECU still works on the one before
            exchange = Exchange(recording, number, event.time, event.operation, event.payload, event.ecu == EVERYONE)
            number_of(event.operation)
            found.append(exchange)
            open_[event.operation] = exchange
        elif event.kind == RESPONSE:
            strays += not _add_response(open_, event)
    for one in found:
        if one.raw_answer is None:
            one.answer = NOTHING if trace.last > one.time else UNCLEAR
    return found, strays


def _add_response(open_: dict[str, Exchange], event: Event) -> bool:
    """Add a response to the exchange that waits for it. Return False if there is none."""
    exchange = open_.get(event.operation)
    if exchange is None:
        return False
    exchange.times.append(event.time)
    if event.payload != f"NRC {PENDING:02X}":
        exchange.raw_answer, exchange.answered = event.payload, event.time
        del open_[event.operation]
    return True


def _find_forms(paired: Sequence[Sequence[Exchange]]) -> dict[str, str]:
    """Return the form of each service: that of the standard. For other services, ``sub`` if all positive responses
    repeat the first byte of the request."""
    by_name: dict[str, list[Exchange]] = defaultdict(list)
    for exchange in (one for some in paired for one in some):
        by_name[exchange.operation].append(exchange)
    found = {}
    for name, exchanges in by_name.items():
        number = number_of(name)
        if number in WITH_SUB | WITH_DID | WITH_DATA:
            found[name] = "sub" if number in WITH_SUB else "did" if number in WITH_DID else "data"
            continue
        answered = [one for one in exchanges if one.raw_answer is not None and not one.raw_answer.startswith("NRC")]
        repeats = answered and all(one.payload and _repeats(one, "sub") for one in answered)
        found[name] = "sub" if repeats else "data"
    return found


def _repeats(exchange: Exchange, form: str) -> bool:
    first = exchange.payload[: DIGITS[form]]
    if form == "sub" and (number := parse_hex(first)) is not None:
        first = f"{number & ~SUPPRESSED:02X}"
    return (exchange.raw_answer or "").startswith(first)


def _echoes(form: str, operation: str, paired: Sequence[Sequence[Exchange]]) -> bool:
    counts = Counter(
        _repeats(one, form)
        for some in paired
        for one in some
        if one.operation == operation and one.raw_answer is not None and not one.raw_answer.startswith("NRC")
    )
    return counts[True] >= counts[False]


def _interpret(exchange: Exchange, form: str, echoes: bool) -> None:
    """Fill in what the request and its answer mean."""
    digits = DIGITS[form]
    first, exchange.data = exchange.payload[:digits], exchange.payload[digits:]
    if len(first) < digits or (first and parse_hex(first) is None):
        exchange.answer = UNCLEAR
        return
    exchange.first = parse_hex(first)
    if exchange.first is not None and form == "sub" and exchange.first & SUPPRESSED:
        exchange.quiet, exchange.first = True, exchange.first & ~SUPPRESSED
    raw = exchange.raw_answer
    if form == "did" and exchange.operation == SERVICES[0x22] and exchange.data:
        exchange.answer, exchange.first = UNCLEAR, None  # several identifiers: the form leaves the answer open
    elif raw is None:
        if exchange.answer == NOTHING and exchange.quiet and not exchange.times:
            exchange.answer = POSITIVE
        if exchange.answer == NOTHING and exchange.functional:
            exchange.answer = UNCLEAR
    elif raw.startswith("NRC "):
        code = parse_hex(raw[4:6])
        exchange.answer = UNCLEAR if code is None or len(raw) < 6 else code
    else:
        exchange.answer = POSITIVE
        exchange.answer_data = raw[digits:] if echoes else raw
