"""Memory: the variables behind the answers. Some are read by an identifier; others show only in refusals.

A positive answer with data is explained, in this order, by a constant, by the active session, by a cell that another
answer returns already, or by a cell of its own (`cells`). Data that nothing explains are left open.

Refusals that no rule explains, because the same request is refused now and accepted then in the same state, depend on
something that happened before: a transfer that was begun, a routine that was started. What happened is a cell, too: its
observations are the answers themselves.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rootward.formats.recordings.uds import SERVICES
from rootward.traces.learning.cells import INITIAL, Label, MemoryCell, Occurrence, Segment, learn_cell
from rootward.traces.learning.exchanges import POSITIVE, Exchange, RecordedExchanges, number_of
from rootward.traces.learning.rules import LEVEL, MAX_VALUES, SESSION
from rootward.traces.learning.sessions import (
    ACTIVE_SESSION,
    DEFAULT,
    RESET,
    SECURITY,
    SESSION_CONTROL,
    SessionTimeout,
    SessionWalk,
    silences,
)

EXPIRY: Label = ("end of the session",)
READ, READ_TROUBLE, CLEAR_TROUBLE = SERVICES[0x22], SERVICES[0x19], SERVICES[0x14]
BARRIER = None
"""Stands in a timeline where it is not known whether the session ended."""
READING = frozenset({0x19, 0x22, 0x23, 0x24, 0x3E})
"""Services that change nothing but the session timer."""
MAX_DOUBTED = 0.25
"""Maximum share of the answers with some data that may be suspected, if all others are explained. If more are not
explained, the data are a measurement, and no answer is suspicious."""
KEY_CODES = (0x35, 0x36)
"""Refusals of keys, which have effects of their own."""
Case = tuple[str, int | None]
"""A service, and a sub-function or identifier."""
Entry = Exchange | Occurrence | None


def label_group(label: Label) -> Label:
    """Return the kind that a label belongs to: any change of the session is one kind, and any reset is one."""
    return (label[0],) if label[0] in (SESSION_CONTROL, RESET) and label[-1] == POSITIVE else label


@dataclass
class Timeline:
    """The events of each recording: exchanges, each followed by the event that it is, and the ends of sessions."""

    entries: list[list[Entry]] = field(default_factory=list)
    expiries: int = 0

    @classmethod
    def build(cls, recordings: RecordedExchanges, timeout: SessionTimeout | None) -> Timeline:
        """Build the timeline; write session and level into the state of each exchange."""
        made = cls()
        for exchanges in recordings.exchanges:
            walk, found = SessionWalk(), list[Entry]()
            for exchange, silence in silences(exchanges):
                if walk.session != DEFAULT and timeout is not None:
                    alive = timeout.alive(silence)
                    if alive is None:
                        walk.lock(None)
                        found.append(BARRIER)
                    elif not alive:
                        if walk.session is None:
                            found.append(BARRIER)
                        walk.lock(DEFAULT)
                        found.append(Occurrence(EXPIRY))
                        made.expiries += 1
                if walk.session is not None:
                    exchange.state |= {SESSION: walk.session, LEVEL: walk.level}
                found += [exchange, *cls._event(exchange)]
                walk.take(exchange)
            made.entries.append(found)
        return made

    @staticmethod
    def _event(exchange: Exchange) -> Iterator[Occurrence]:
        if exchange.answer == POSITIVE and number_of(exchange.operation) not in READING:
            yield Occurrence((*exchange.case, POSITIVE), exchange.data, exchange.answer_data)
        elif exchange.operation == SECURITY and exchange.answer in KEY_CODES:
            yield Occurrence((SECURITY, None, exchange.answer))

    def segments(self, observe: Callable[[Exchange], object]) -> list[Segment]:
        """Return the segments between the observations of a cell. ``observe`` returns its value, or None."""
        found = []
        for entries in self.entries:
            before: object = INITIAL
            events: list[Occurrence] = []
            for entry in entries:
                if entry is BARRIER:
                    before = BARRIER
                elif isinstance(entry, Occurrence):
                    events.append(entry)
                elif (value := observe(entry)) is not None:
                    if before is not BARRIER:
                        found.append(Segment(before, tuple(events), value, (entry.recording, entry.message)))
                    before, events = value, []
        return found

    def learn_cell(
        self, name: str, operation: str, observe: Callable[[Exchange], object], *, steps: bool = True
    ) -> MemoryCell:
        """Return the cell that a service observes; it is not ``understood`` if there is no simple one."""
        clearing = (CLEAR_TROUBLE,) if operation == READ_TROUBLE else ()
        segments = self.segments(observe)
        return learn_cell(
            name, segments, steps=steps, group=label_group, expected=(operation,), clearing=(EXPIRY[0], *clearing)
        )

    def add_values(self, cell: MemoryCell, observe: Callable[[Exchange], object]) -> None:
        """Write the values of a cell into the states of the exchanges. An observation corrects those after it."""
        for entries in self.entries:
            value: object = cell.initial
            for entry in entries:
                if entry is BARRIER:
                    value = None if EXPIRY in cell.effects else value
                elif isinstance(entry, Occurrence):
                    value = cell.after(value, [entry])
                else:
                    if value is not None:
                        entry.state[cell.name] = value
                    if (seen := observe(entry)) is not None:
                        value = seen


@dataclass
class Reading:
    """The data of the positive answers of one case: where they come from."""

    term: str = ""
    """A variable, or bytes in quotes; empty if the data are left open."""
    count: int = 0
    wrong: tuple[tuple[int, int], ...] = ()
    """The recordings and messages that contradict it. If there are too many, the data are left open."""


def learn_readings(
    recordings: RecordedExchanges, timeline: Timeline
) -> tuple[dict[Case, Reading], dict[str, MemoryCell]]:
    """Explain the data of all positive answers. Return the variables that this needs, too."""
    by_case: dict[Case, list[Exchange]] = defaultdict(list)
    for exchange in recordings.all():
        if exchange.answer == POSITIVE and exchange.raw_answer is not None:
            by_case[exchange.case].append(exchange)
    readings: dict[Case, Reading] = {}
    cells: dict[str, MemoryCell] = {}
    for case, exchanges in by_case.items():
        if not any(one.answer_data for one in exchanges) or case[0] == SECURITY:
            continue
        active = case == (READ, ACTIVE_SESSION) and _find_variable(exchanges, {})
        readings[case] = (
            active
            or _find_constant(exchanges)
            or _find_variable(exchanges, cells)
            or _learn_own_cell(case, exchanges, timeline, cells)
        )
    return readings, cells


def _find_constant(exchanges: Sequence[Exchange]) -> Reading | None:
    (value, _), *others = Counter(one.answer_data for one in exchanges).most_common()
    wrong = tuple((one.recording, one.message) for one in exchanges if one.answer_data != value)
    # a second value that comes back is a second value, and no slip
    if len(wrong) > 1 or (others and len(exchanges) < 500):
        return None
    return Reading(f'"{value}"', len(exchanges), wrong)


def _find_variable(exchanges: Sequence[Exchange], cells: Mapping[str, MemoryCell]) -> Reading | None:
    """Return the variable that has the value of every answer."""
    for name in (SESSION, *cells):
        known = [one for one in exchanges if name in one.state]
        if len(known) >= len(exchanges) / 2 and all(one.state[name] == one.answer_data for one in known):
            return Reading(name, len(exchanges))
    return None


def _learn_own_cell(
    case: Case, exchanges: Sequence[Exchange], timeline: Timeline, cells: dict[str, MemoryCell]
) -> Reading:
    def observe(exchange: Exchange) -> object:
        shown = exchange.case == case and exchange.answer == POSITIVE and exchange.raw_answer is not None
        return exchange.answer_data if shown else None

    cell = timeline.learn_cell(cell_name(case), case[0], observe)
    if not cell.understood:
        few = min((cell.wrong, _find_unusual(exchanges)), key=len)
        return Reading("", len(exchanges), few if len(few) <= MAX_DOUBTED * len(exchanges) else ())
    cells[cell.name] = cell
    timeline.add_values(cell, observe)
    return Reading(cell.name, len(exchanges), cell.wrong)


def _find_unusual(exchanges: Sequence[Exchange]) -> tuple[tuple[int, int], ...]:
    """Return the answers that differ from the most frequent one to the same request."""
    by_request: dict[str, Counter[str]] = defaultdict(Counter)
    for one in exchanges:
        by_request[one.data][one.answer_data] += 1
    usual = {data: counts.most_common(1)[0][0] for data, counts in by_request.items()}
    return tuple((one.recording, one.message) for one in exchanges if one.answer_data != usual[one.data])


def cell_name(case: Case) -> str:
    operation, first = case
    number = number_of(operation)
    if number == 0x22:
        return f"d{first:04X}"
    return f"s{number:02X}" + ("" if first is None else f"_{first:02X}")


def domains(recordings: RecordedExchanges, cells: Mapping[str, MemoryCell]) -> dict[str, list[object]]:
    """Return the values of each variable that conditions may mention."""
    seen: dict[str, set[object]] = {name: set() for name in (SESSION, LEVEL, *cells)}
    for exchange in recordings.all():
        for name, value in exchange.state.items():
            if name in seen:
                seen[name].add(value)
    return {name: sorted(values, key=str) for name, values in seen.items() if 1 < len(values) <= MAX_VALUES}
