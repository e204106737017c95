"""Learn a first model from good recordings: from exchanges to a file, and back to the recordings.

Exchanges first (`exchanges`), then the sessions that they met (`sessions`), what the answers return and depend on
(`memory`, `cells`), under which conditions requests are refused (`services`, `rules`), the details of SecurityAccess
(`keys`), and the times (`time_limits`). The result is written as a model file (`writing`). In the end the recordings
are compared with the model. Where many depart from it, it is loosened; where one does, the recording is suspected.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from rootward.errors import InputError
from rootward.traces.languages.document import compile_model
from rootward.traces.languages.nodes import parse_yaml
from rootward.traces.learning.exchanges import RecordedExchanges, read_exchanges
from rootward.traces.learning.keep import check_marks, keep_lines
from rootward.traces.learning.keys import learn_keys
from rootward.traces.learning.memory import Case, Timeline
from rootward.traces.learning.rules import count_exceptions
from rootward.traces.learning.services import ServiceLearner
from rootward.traces.learning.sessions import find_timeout
from rootward.traces.learning.time_limits import TimeLimit, time_limit
from rootward.traces.learning.writing import Facts, write_model
from rootward.traces.model.event import REQUEST, Event, Trace
from rootward.traces.model.model import Model
from rootward.traces.running.engine import Engine
from rootward.traces.running.replay import Witness, find_witnesses

MAX_ROUNDS = 8
"""Maximum number of times that the recordings are compared with the model, which is loosened in between."""
P2, PENDING = 50_000, 5_000_000
"""Limits of the standard, used if too few times were seen."""

_Delay = tuple[int, tuple[int, int]]
"""A response time, with the recording and the request."""


@dataclass(frozen=True)
class LearnedModel:
    """A learned model, its file, and how it judges the recordings that it was learned from."""

    model: Model
    text: str
    """The model file."""
    recordings: int
    requests: int
    departing: tuple[str, ...]
    """The recordings that depart from the model."""
    kept: tuple[int, ...] = ()
    """The numbers of the lines that were kept of an older file."""


def learn_model(traces: Iterable[Trace]) -> Model:
    """Learn a model from good recordings. Nothing is run.

    The command ``rootward model learn`` writes the same model as a file, with the evidence for each line.

    :param traces: recordings of one ECU without any fault, as returned by :func:`~rootward.read_traces`
    """
    return learn_file(traces).model


def learn_file(
    traces: Iterable[Trace], name: str = "learned", *, old: str | None = None, old_name: str = ""
) -> LearnedModel:
    """Learn a model with this name, and compare the recordings with it.

    ``old`` is the text of an older file, called ``old_name``, whose marked lines are kept.
    """
    if old is not None:
        check_marks(old, old_name)
        compile_model(parse_yaml(old, old_name), {})  # reports mistakes with the lines of this file
    known = list(traces)
    recordings = read_exchanges(known)
    facts = _learn_facts(recordings)
    allowed = count_exceptions(len(recordings.names))
    for _ in range(MAX_ROUNDS):
        text = write_model(facts, name)
        model = compile_text(text)
        departures = _find_departures(model, known)
        if not _loosen(facts, departures, allowed):
            break
    kept: tuple[int, ...] = ()
    if old is not None:
        corrected = keep_lines(text, old, old_name)
        text, kept = corrected.text, corrected.lines
        try:
            model = compile_text(text)
        except InputError as error:
            raise InputError(f"the kept lines of {old_name} do not fit what was learned now: {error}") from None
        departures = _find_departures(model, known)
    requests = sum(map(len, recordings.exchanges))
    return LearnedModel(model, text, len(recordings.names), requests, tuple(departures), kept)


_Departures = Mapping[str, tuple[Event, int] | None]
"""The recordings that depart from a model, each with the request whose answer is a fault, and its number; None if that
is not clear."""


def _find_departures(model: Model, traces: Sequence[Trace]) -> _Departures:
    engine = Engine(model)
    found = ((one, next(find_witnesses(engine, one), None)) for one in traces)
    return {one.name: _find_request(one, witness) for one, witness in found if witness is not None}


def _find_request(trace: Trace, witness: Witness) -> tuple[Event, int] | None:
    """Return the request whose answer is a fault, and its number; None if that is not clear."""
    last = witness.steps[-1]
    events = [one for one in reversed(witness.steps) if isinstance(one, Event) and one.kind == REQUEST]
    if isinstance(last, Event):
        events = [one for one in events if one.operation == last.operation]
    return (events[0], trace.events.index(events[0]) + 1) if events else None


def _loosen(facts: Facts, departures: _Departures, allowed: int) -> bool:
    """Leave open the answers that too many recordings contradict. Return False if there are none."""
    blamed: dict[Case, list[tuple[int, int]]] = defaultdict(list)
    for name, request in departures.items():
        if request is not None:
            event, message = request
            blamed[facts.recordings.case_of(event)].append((facts.recordings.names.index(name), message))
    found = False
    for case, places in blamed.items():
        if len(places) > allowed and facts.loose.get(case, 0) < 2:
            facts.loose[case] = facts.loose.get(case, 0) + 1
            facts.blamed.setdefault(case, places[0])
            found = True
    return found


def compile_text(text: str) -> Model:
    """Compile a model file that was written here."""
    return compile_model(parse_yaml(text, "the learned model"), {})


def _learn_facts(recordings: RecordedExchanges) -> Facts:
    timeout = find_timeout(recordings)
    timeline = Timeline.build(recordings, timeout)
    services = ServiceLearner(recordings, timeline).learn()
    p2, pending = _limits(recordings)
    return Facts(recordings, services, learn_keys(recordings, timeline), timeout, timeline.expiries, p2, pending)


def _limits(recordings: RecordedExchanges) -> tuple[TimeLimit, TimeLimit]:
    """Return the limits for the time until the first response, and for the time after each NRC 78.

    NRC 78 is sent when the time is nearly over, so its times have a distribution of their own.
    """
    final, pending, later = list[_Delay](), list[_Delay](), list[_Delay]()
    for exchange in recordings.all():
        before = exchange.time
        for place, time in enumerate(exchange.times):
            announced = len(exchange.times) > 1 or exchange.raw_answer is None
            delay = time - before, (exchange.recording, exchange.message)
            (later if place else pending if announced else final).append(delay)
            before = time
    first = [_limit(final, P2)] if final or not pending else []
    first += [replace(_limit(pending, P2), announced=True)] if pending else []
    return max(first, key=lambda one: one.limit), _limit(later, PENDING)


def _limit(delays: Sequence[_Delay], default: int) -> TimeLimit:
    where = max(delays)[1] if delays else None
    return replace(time_limit([time for time, _ in delays], default), where=where)
