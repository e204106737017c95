"""Deciding recordings: what to record next if two changes of the model explain the same faults.

Both changes allow all that was recorded, so what tells them apart is yet to be recorded: after the beginning of some
recording, one more request whose answer only one of them allows. The requests tried are those that occur in the
recordings. The answers tried are those that occur, no answer, and answers with the value of each variable in place of
the data: what was never seen is often what decides.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from rootward.traces.grouping.mutant import Difference
from rootward.traces.model.event import REQUEST, RESPONSE, Event, Step, Trace, Wait
from rootward.traces.running.engine import Engine, States, TooManyStates

MAX_STEPS = 4000
"""Maximum number of steps of both models together in a search."""
MAX_TRACES = 12
"""Maximum number of recordings of which the beginnings are tried, the shortest first."""
MAX_REQUESTS = 30
"""Maximum number of different requests that are tried, the most frequent first."""
ANSWER_TIME = 1000
"""Microseconds from a request to its answer, if none was recorded."""
_SINGLE = re.compile(rf"{RESPONSE} \S+ [\w-]+ \w+ \w+")
"""A pattern that a single answer with a code matches."""


@dataclass(frozen=True)
class Decision:
    """A request that tells two changes apart, and the answers that show one of them."""

    trace: str
    path: str
    after: int
    """The request comes after so many messages of the trace."""
    request: Event
    answers: tuple[tuple[str, int], ...]
    """Answers (empty text: none), and the number of the only change, 0 or 1, that allows each."""
    causes: tuple[int, int] = (0, 1)
    """The numbers of the two changes among the causes of the class."""


def find_decision(engines: tuple[Engine, Engine], traces: Iterable[Trace]) -> Decision | None:
    """Return a request that tells two changed models apart. Best is one for which each allows an answer of its own."""
    some = sorted(traces, key=lambda one: (len(one.events), one.name, one.path))
    search, best = _Continuations(engines, some), None
    try:
        for found in search.run(some[:MAX_TRACES]):
            if len({who for _, who in found.answers}) == 2:
                return found
            best = best or found
    except TooManyStates:
        return best
    return best


class _Continuations:
    def __init__(self, engines: tuple[Engine, Engine], traces: Sequence[Trace]) -> None:
        self._engines, self._left = engines, MAX_STEPS
        self._patience = max(engine.patience for engine in engines)
        self._answers: dict[str, dict[str, Event]] = defaultdict(dict)
        self._requests = self._collect(traces)
        self._difference = Difference(*engines)
        self._known: set[object] = set()

    def _collect(self, traces: Iterable[Trace]) -> list[Event]:
        """Return the requests of the traces, the most frequent first, and note their answers, with the time until they
        came."""
        counts: dict[str, list[Event]] = defaultdict(list)
        for trace in traces:
            for event, after in zip(trace.events, trace.events[1:], strict=False):
                if event.kind == REQUEST:
                    counts[event.text].append(event)
                    if after.kind == RESPONSE:
                        self._answers[event.text].setdefault(after.text, replace(after, time=after.time - event.time))
        return [some[0] for _, some in sorted(counts.items(), key=lambda one: (-len(one[1]), one[0]))[:MAX_REQUESTS]]

    def run(self, traces: Iterable[Trace]) -> Iterator[Decision]:
        """Yield the requests that tell the models apart, after each beginning of a trace that both of them allow."""
        for trace in traces:
            reached: tuple[States, ...] = tuple(engine.begin(0) for engine in self._engines)
            now = 0
            for place, event in enumerate(trace.events):
                reached = self._take(reached, Wait(now, event.time))
                if event.kind == REQUEST:
                    for request in self._requests:
                        answers = tuple(self._compare(reached, replace(request, time=event.time)))
                        if answers:
                            yield Decision(trace.name, trace.path, place, request, answers)
                        if self._left < 0:
                            return
                reached, now = self._take(reached, event), event.time
                if not all(reached):
                    break

    def _take(self, reached: Sequence[States], step: Step) -> tuple[States, ...]:
        if isinstance(step, Wait) and step.start == step.end:
            return tuple(reached)
        self._left -= len(reached)
        return tuple(engine.take(states, step) for engine, states in zip(self._engines, reached, strict=True))

    def _compare(self, reached: tuple[States, ...], request: Event) -> Iterator[tuple[str, int]]:
        """Yield the answers to a request that only one of the models allows, with its number."""
        data = [tuple((state.locations, state.data) for state in states) for states in reached]
        key = (request.text, *data)
        if not all(reached) or key in self._known:
            return
        self._known.add(key)
        alike = data[0] == data[1] and not self._difference.takes(request)
        if alike and not self._may_differ(request):
            return
        asked = self._take(reached, request)
        if not all(asked):
            return
        for answer in self._possible_answers(request, asked):
            if alike and not self._difference.is_timed and not self._difference.takes(answer):
                continue
            waited = self._take(asked, Wait(request.time, answer.time))
            allowed = [bool(states) for states in self._take(waited, answer)]
            if sum(allowed) == 1:
                yield answer.text, allowed.index(True)
        silent = [bool(states) for states in self._take(asked, Wait(request.time, request.time + self._patience))]
        if sum(silent) == 1:
            yield "", silent.index(True)

    def _may_differ(self, request: Event) -> bool:
        """Return whether the models may differ in the answer to a request: a changed edge takes a recorded answer, or
        time matters."""
        return self._difference.is_timed or any(map(self._difference.takes, self._answers[request.text].values()))

    def _possible_answers(self, request: Event, asked: Iterable[States]) -> Iterator[Event]:
        """Yield the recorded answers to a request, these with the value of each variable in place of their data, and
        the codes that the models allow."""
        values = {
            value for states in asked for state in states for value in state.data if isinstance(value, str) and value
        }
        known = self._answers.get(request.text, {})
        found = {text: replace(answer, time=request.time + answer.time) for text, answer in known.items()}
        for answer in list(found.values()):
            if " " not in answer.payload:
                same = (a == b for a, b in zip(request.payload, answer.payload, strict=False))
                echo = answer.payload[: sum(takewhile(bool, same))]
                for value in sorted(values):
                    other = replace(answer, payload=echo + value)
                    found.setdefault(other.text, other)
        for text in sorted(self._allowed_codes(request, asked)):
            kind, _, operation, *code = text.split()
            other = Event(request.time + ANSWER_TIME, kind, request.ecu, operation, " ".join(code))
            found.setdefault(other.text, other)
        yield from found.values()

    def _allowed_codes(self, request: Event, asked: Iterable[States]) -> set[str]:
        """Return the patterns of single answers in the locations to which a request leads, such as `res * X NRC 31`."""
        return {
            edge.event
            for engine, states in zip(self._engines, asked, strict=True)
            for k, _ in engine.moves(request)
            for state in states
            for edge in engine.parts[k].component.edges
            if engine.parts[k].places[edge.source] == state.locations[k] and _SINGLE.fullmatch(edge.event)
        }
