"""Repeat the passing runs on which a rule or a cause rests, if the failure is flaky.

A verdict takes several runs, so that a failure is hardly ever missed. But a search has a hundred verdicts, and one
missed failure is enough to spoil its rule: ``speed > 80`` becomes ``(speed > 80 and gear != P) or (speed > 80 and
load != 0.419) or ...``, each part of which excludes that one run.

This is how to recognise it. Leave out one literal of a term. Passing runs that the rest of the term covers are excluded
by this literal alone. If they are only one or two, the literal rests on them. Such runs, and those next to a bound, are
repeated until twice as many runs decide. If one of them fails now, the search is run again from the start. It asks the
same questions, and all answers but the wrong one are known. An answer for which that never ends is not final.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import replace
from functools import partial

from rootward.rules import Rule
from rootward.search.ask import Answers, Ask, R, Replay, Search, has_failed
from rootward.search.relay import relay
from rootward.search.repeat import KOfN
from rootward.space.candidate import Configuration, key_of
from rootward.space.keys import canonical
from rootward.space.space import Space
from rootward.verdict import Outcome

MAX_STARTS = 4
"""Maximum number of times that the search is run."""
MAX_REPEATED = 16
"""Maximum number of passing runs repeated for one rule."""
MAX_SUPPORT = 2
"""A literal that excludes at most this many passing runs may be due to chance."""
RUNS_FACTOR = 2
"""A repeated verdict takes this many times the usual number of runs."""


def repeat_pivotal_passes(
    make: Callable[[], Search[Configuration, R]],
    pivotal: Callable[[R, Iterable[Configuration]], Iterable[Configuration]],
    runs: int,
) -> Search[Configuration, R]:
    """Run the search that ``make`` makes until none of the passes that its answer rests on turns out to be chance.

    :param pivotal: returns these passes, given the finding and all passes
    :param runs: number of runs after which a verdict is a pass
    """
    failed: dict[str, Outcome] = {}
    for _ in range(MAX_STARTS):
        passed: dict[str, Configuration] = {}
        found = yield from relay(make(), partial(_correct_answers, failed, passed))
        suspects = list({key_of(one): one for one in pivotal(found, passed.values())}.values())[:MAX_REPEATED]
        if not suspects:
            return found
        policy = KOfN(1, RUNS_FACTOR * runs)
        outcomes = yield Ask(suspects, best=found, note="do these runs pass again?", repeat=policy)
        pairs = zip(suspects, outcomes, strict=True)
        changed = {key_of(one): outcome for one, outcome in pairs if outcome is not None and has_failed(outcome)}
        if not changed:
            return found
        failed.update(changed)
    return replace(found, complete=False)


def _correct_answers(
    failed: dict[str, Outcome], passed: dict[str, Configuration], question: Ask[Configuration]
) -> Generator[Ask[Configuration], Answers, Answers]:
    """Pass a question on. Replace the answers that are known to be wrong, and note the runs that passed.

    ``failed``: the outcomes of configurations that passed by chance at first. ``passed``: gets the passing runs.
    """
    answers = list((yield question))
    for place, one in enumerate(question.candidates):
        outcome = answers[place]
        if isinstance(one, Replay) or outcome is None or has_failed(outcome) is not False:
            continue
        if (key := key_of(one)) not in failed:
            passed[key] = one
            continue
        answers[place] = failed[key]
        if outcome.verdict is question.until:  # the question ended here, but should not have
            rest = replace(question, candidates=question.candidates[place + 1 :])
            return [*answers[: place + 1], *(yield from _correct_answers(failed, passed, rest))]
    return answers


def pivotal_passes(space: Space, rule: Rule, passed: Iterable[Configuration]) -> list[Configuration]:
    """Return the passing runs on which a literal of the rule rests, those with the least support first.

    For a field without order, each excluded value counts by itself.
    """
    runs: Sequence[Configuration] = list(passed)
    found: list[tuple[int, int]] = []
    for term in rule.terms:
        failing_literals = [[literal for literal in term if not literal.holds(one)] for one in runs]
        excluded: defaultdict[tuple[str, bytes], list[int]] = defaultdict(list)
        for place, literals in enumerate(failing_literals):
            if len(literals) == 1:
                name = str(literals[0].field)
                listed = name in space and not space[name].ordered
                excluded[name, canonical(runs[place][name]) if listed else b""].append(place)
        found += [(len(some), place) for some in excluded.values() if len(some) <= MAX_SUPPORT for place in some]
    return [runs[place] for place in dict.fromkeys(place for _, place in sorted(found))]
