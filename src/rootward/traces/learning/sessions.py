"""Sessions: which session and security level each request met, and after which silence a session ends.

The standard says what opens a session and what unlocks the ECU; the recordings say when a session ends by itself. That
is seen only by its effect: after a silence the ECU answers as in the default session. So a first guess is the silence
for which the answers contradict each other least. Then each silence near it is asked again: do the following answers
fit the open session, or the default session? The longest silence that a session survived and the shortest that it did
not survive are the limits of the timer. Between them, anything is possible.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rootward.formats.recordings.uds import SERVICES
from rootward.traces.learning.exchanges import POSITIVE, UNCLEAR, Exchange, RecordedExchanges
from rootward.traces.learning.time_limits import split_times

SESSION_CONTROL, RESET, SECURITY = SERVICES[0x10], SERVICES[0x11], SERVICES[0x27]
DEFAULT = "01"
ACTIVE_SESSION = 0xF186
LOCKED = 0
GUESSES = 60
"""Silences that are tried as the first guess: quantiles of those that occur."""
MIN_SEEN, MIN_SHARE = 3, 0.95
"""An answer is expected in a state if it was seen there at least so often, and made up this share of the answers."""
Signature = tuple[object, ...]


@dataclass(frozen=True)
class SessionTimeout:
    """The limits of the session timer, in microseconds of silence."""

    survived: int
    """The longest silence that a session survived, as far as the answers show."""
    ended: int | None
    """The shortest silence that it did not survive; None if no session was seen to end."""
    survivals: int
    """Number of silences of at least half of the longest that were survived, and number of those that were not."""
    ends: int
    wrong: tuple[tuple[int, int], ...] = ()
    """The recordings and messages that contradict these limits."""

    def alive(self, silence: int) -> bool | None:
        """Return whether a session survives this silence; None if that is not known."""
        if self.ended is None:
            return True
        low, high = sorted((self.survived, self.ended))
        return True if silence < low or (silence == low == self.survived) else False if silence >= high else None


@dataclass
class SessionWalk:
    """The session and the level on the way through a recording."""

    session: str | None = DEFAULT
    level: int | None = LOCKED

    def lock(self, session: str | None) -> None:
        self.session, self.level = session, None if session is None else LOCKED

    def take(self, exchange: Exchange) -> None:
        """Apply the effect of an exchange."""
        if exchange.answer != POSITIVE or exchange.first is None:
            if exchange.answer == UNCLEAR and exchange.operation in (SESSION_CONTROL, RESET):
                self.lock(None)
        elif exchange.operation == SESSION_CONTROL:
            self.lock(f"{exchange.first:02X}")
        elif exchange.operation == RESET:
            self.lock(DEFAULT)
        elif exchange.operation == SECURITY and exchange.first % 2 == 0:
            self.level = exchange.first


def restart_time(exchange: Exchange) -> int | None:
    """Return the last time at which an exchange restarted the session timer."""
    if exchange.times:
        return exchange.times[-1]
    return exchange.time if exchange.quiet else None


def silences(exchanges: Sequence[Exchange]) -> Iterator[tuple[Exchange, int]]:
    """Yield each exchange with the silence before it."""
    last = 0
    for exchange in exchanges:
        yield exchange, exchange.time - last
        last = restart_time(exchange) or last


def find_timeout(recordings: RecordedExchanges) -> SessionTimeout | None:
    """Return the limits of the session timer; None if no session but the default one was ever open."""
    found = sorted(silence for walk, _, silence in _walk(recordings, None) if walk.session not in (None, DEFAULT))
    if not found:
        return None
    tried = sorted({found[i * (len(found) - 1) // GUESSES] for i in range(GUESSES // 2, GUESSES + 1)})
    tried += [one + 1 for one in found[-3:]]
    tables = [(guess, _expect(recordings, guess)) for guess in sorted(set(tried))]
    costs = [(_contradictions(table), -guess) for guess, table in tables]
    best = -min(costs)[1]
    for _ in range(2):
        limits = _weigh(recordings, best, _expect(recordings, best))
        if limits.ended is None:
            break
        best = (limits.survived + limits.ended) // 2
    return limits


def _walk(recordings: RecordedExchanges, end: int | None) -> Iterator[tuple[SessionWalk, Exchange, int]]:
    """Yield the state before each exchange if sessions end after the silence ``end``."""
    for exchanges in recordings.exchanges:
        walk = SessionWalk()
        for exchange, silence in silences(exchanges):
            if end is not None and silence >= end and walk.session != DEFAULT:
                walk.lock(DEFAULT)
            yield walk, exchange, silence
            walk.take(exchange)


def _signature(exchange: Exchange) -> Signature:
    shown = exchange.answer_data if exchange.first == ACTIVE_SESSION else ""
    return exchange.answer, shown


Table = Mapping[tuple[object, ...], Counter[Signature]]


def _expect(recordings: RecordedExchanges, end: int) -> Table:
    table: dict[tuple[object, ...], Counter[Signature]] = defaultdict(Counter)
    for walk, exchange, _ in _walk(recordings, end):
        if exchange.answer != UNCLEAR:
            table[(*exchange.case, walk.session, walk.level)][_signature(exchange)] += 1
    return table


def _contradictions(table: Table) -> int:
    return sum(sum(one.values()) - max(one.values()) for one in table.values())


def _expect_answer(table: Table, exchange: Exchange, walk: SessionWalk) -> Signature | None:
    seen = table.get((*exchange.case, walk.session, walk.level))
    if not seen:
        return None
    best, count = seen.most_common(1)[0]
    return best if count >= MIN_SEEN and count >= MIN_SHARE * sum(seen.values()) else None


def _weigh(recordings: RecordedExchanges, end: int, table: Table) -> SessionTimeout:
    """Return the limits that the answers after each silence show."""
    alive, dead = [0], list[int]()
    shown: list[tuple[bool, int, tuple[int, int]]] = []
    for exchanges in recordings.exchanges:
        paired = list(silences(exchanges))
        walk = SessionWalk()
        for place, (exchange, silence) in enumerate(paired):
            if walk.session not in (None, DEFAULT) and silence > 0:
                verdict = _survives(paired[place:], walk, end, table)
                if verdict is not None:
                    (alive if verdict else dead).append(silence)
                    shown.append((verdict, silence, (exchange.recording, exchange.message)))
                if verdict is False or (verdict is None and silence >= end):
                    walk.lock(DEFAULT)
            walk.take(exchange)
    longest, shortest = split_times(alive, dead)
    survivals = sum(longest // 2 <= one <= longest for one in alive if one)
    wrong = tuple(
        where
        for survived, silence, where in shown
        if (survived and shortest is not None and silence >= shortest) or (not survived and silence <= longest)
    )
    ends = sum(not survived and where not in wrong for survived, _, where in shown)
    return SessionTimeout(longest, shortest, survivals, ends, wrong)


def _survives(following: Sequence[tuple[Exchange, int]], walk: SessionWalk, end: int, table: Table) -> bool | None:
    """Return whether the next answer that tells both apart fits the open session rather than the default one."""
    open_, closed = SessionWalk(walk.session, walk.level), SessionWalk()
    for place, (exchange, silence) in enumerate(following):
        if place and silence >= end // 2:
            return None
        wanted, otherwise = _expect_answer(table, exchange, open_), _expect_answer(table, exchange, closed)
        if None not in (wanted, otherwise) and wanted != otherwise:
            seen = _signature(exchange)
            if seen in (wanted, otherwise):
                return seen == wanted
        open_.take(exchange)
        closed.take(exchange)
        if open_ == closed:
            return None
    return None
