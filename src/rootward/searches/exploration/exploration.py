"""A search for failing inputs where none is known.

Stages follow one another (`stages` gives the reason for each): the inputs that should work; every exceptional value of
every field, all fields at once; then, in turn, ever smaller groups of changed fields and covering arrays of pairs and
triples of values; at last anything, at random. Every other run is a point of a Latin hypercube over the ranges. After
the first failure it goes on for a while, because there may be another one with a different signature.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Generator, Mapping, Sequence
from typing import Any

from rootward.errors import InputError
from rootward.rules import Rule
from rootward.search.ask import Answers, Ask, Search
from rootward.searches.exploration.failures import Failures
from rootward.searches.exploration.plan import Draft, Plan, either
from rootward.searches.exploration.record import Record
from rootward.searches.exploration.tuning import TUNING
from rootward.space.candidate import Configuration
from rootward.space.fields import show
from rootward.space.space import Space
from rootward.verdict import FAIL


def explored(
    space: Space,
    *,
    nominal: Sequence[Mapping[str, Any]] = (),
    never: Rule | None = None,
    outside: Rule | None = None,
    most: int | None = None,
    enough: int | None = None,
    seed: int = 0,
) -> Search[Configuration, Failures]:
    """Failing configurations, with whatever signature.

    ``nominal``: inputs that should work; if one of them fails, that is the answer. ``never``: what must not be run.
    ``outside``: a cause that is known already; only what it does not explain is run. ``most``: how many runs there are
    at most (2000). ``enough``: how many more after the first failure; as many as it took, unless given, but at least 12
    and at most 60.
    """
    most = TUNING.max_runs if most is None else _count("most", most, least=1)
    enough = None if enough is None else _count("enough", enough, least=0)
    bases = [space.check(one) for one in nominal]
    plan = Plan(space, bases, barred=either(space.names, never=never, outside=outside), most=most, seed=seed)
    record = Record(plan.dictionary, given=bool(bases), seed=seed)
    return _explored(plan, record, most, enough)


def _explored(plan: Plan, record: Record, most: int, enough: int | None) -> Search[Configuration, Failures]:
    drafts, waiting = plan.drafts(), deque(plan.first()[:most])
    if waiting and plan.given:
        yield from _run(waiting, len(waiting), record, "do the nominal inputs fail?")
        if record.first is not None:
            return record.finding()
    while (room := _end(record, most, enough) - record.runs) > 0:
        waiting.extend(itertools.islice(drafts, max(0, min(2 * TUNING.batch, room) - len(waiting))))
        if not waiting:
            return record.finding(exhausted=plan.small)
        note = "looking for a failure" if record.first is None else "looking for other failures"
        yield from _run(waiting, min(TUNING.batch, room), record, note)
    return record.finding()


def _run(waiting: deque[Draft], width: int, record: Record, note: str) -> Generator[Ask[Configuration], Answers, None]:
    """Ask for the first of those that wait; what a failure leaves unanswered goes on waiting."""
    batch = list(itertools.islice(waiting, width))
    ahead = [draft.candidate for draft in itertools.islice(waiting, width, None)]
    until = FAIL if record.first is None else None
    answers = yield Ask(
        [draft.candidate for draft in batch], until=until, best=record.finding(), note=note, ahead=ahead
    )
    for draft, outcome in zip(batch, answers, strict=False):
        if outcome is not None:
            record.tell(draft, outcome)
            waiting.popleft()


def _end(record: Record, most: int, enough: int | None) -> int:
    """After how many runs it ends, by what is known."""
    if record.first is None:
        return most
    usual = min(max(record.first, TUNING.min_further_runs), TUNING.max_further_runs)
    return min(most, record.first + (usual if enough is None else enough))


def _count(name: str, value: object, *, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InputError(f"{name} is a number of runs, {least} or more, not {show(value)}")
    return value
