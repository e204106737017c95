"""A search for failing inputs where none is known.

It goes through stages (`stages` gives the reason for each): the inputs that should work; every exceptional value of
every field, with all fields changed at once; then, in turn, ever smaller groups of changed fields and covering arrays
of pairs and triples of values; at last random inputs. Every other run is a point of a Latin hypercube over the ranges.
After the first failure the search goes on for a while, because there may be another one with a different signature.
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
from rootward.searches.exploration.plan import PlannedTrial, TrialPlan, join_rules
from rootward.searches.exploration.record import ExplorationRecord
from rootward.searches.exploration.tuning import TUNING
from rootward.space.candidate import Configuration
from rootward.space.fields import show
from rootward.space.space import Space
from rootward.verdict import FAIL


def explore(
    space: Space,
    *,
    nominal: Sequence[Mapping[str, Any]] = (),
    never: Rule | None = None,
    outside: Rule | None = None,
    most: int | None = None,
    enough: int | None = None,
    seed: int = 0,
) -> Search[Configuration, Failures]:
    """Find failing configurations, with any signature.

    ``nominal``: inputs that should work; if one of them fails, that is the answer. ``never``: combinations that must
    not be run. ``outside``: a known cause; only configurations that it does not explain are run. ``most``: maximum
    number of runs (2000). ``enough``: number of runs after the first failure; by default as many as it took, but at
    least 12 and at most 60.
    """
    most = TUNING.max_runs if most is None else _check_count("most", most, least=1)
    enough = None if enough is None else _check_count("enough", enough, least=0)
    bases = [space.check(one) for one in nominal]
    plan = TrialPlan(space, bases, barred=join_rules(space.names, never=never, outside=outside), most=most, seed=seed)
    record = ExplorationRecord(plan.dictionary, given=bool(bases), seed=seed)
    return _explore(plan, record, most, enough)


def _explore(
    plan: TrialPlan, record: ExplorationRecord, most: int, enough: int | None
) -> Search[Configuration, Failures]:
    drafts, waiting = plan.drafts(), deque(plan.first_drafts()[:most])
    if waiting and plan.given:
        yield from _run(waiting, len(waiting), record, "running the nominal inputs")
        if record.first is not None:
            return record.finding()
    while (room := _find_end(record, most, enough) - record.runs) > 0:
        waiting.extend(itertools.islice(drafts, max(0, min(2 * TUNING.batch, room) - len(waiting))))
        if not waiting:
            return record.finding(exhausted=plan.is_small)
        note = "looking for a failure" if record.first is None else "looking for other failures"
        yield from _run(waiting, min(TUNING.batch, room), record, note)
    return record.finding()


def _run(
    waiting: deque[PlannedTrial], width: int, record: ExplorationRecord, note: str
) -> Generator[Ask[Configuration], Answers, None]:
    """Run the first ``width`` waiting drafts.

    Ends at the first failure, if none was known before. Drafts that were not run then stay in the queue.
    """
    batch = list(itertools.islice(waiting, width))
    ahead = [draft.candidate for draft in itertools.islice(waiting, width, None)]
    until = FAIL if record.first is None else None
    answers = yield Ask(
        [draft.candidate for draft in batch], until=until, best=record.finding(), note=note, ahead=ahead
    )
    for draft, outcome in zip(batch, answers, strict=False):
        if outcome is not None:
            record.add(draft, outcome)
            waiting.popleft()


def _find_end(record: ExplorationRecord, most: int, enough: int | None) -> int:
    """Return the number of runs after which the search ends.

    Before the first failure, this is ``most``.
    """
    if record.first is None:
        return most
    usual = min(max(record.first, TUNING.min_further_runs), TUNING.max_further_runs)
    return min(most, record.first + (usual if enough is None else enough))


def _check_count(name: str, value: object, *, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InputError(f"{name} must be a number of runs, at least {least}, not {show(value)}")
    return value
