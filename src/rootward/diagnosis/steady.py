"""Runs that are made again before a claim rests on them: those that refute one, and passes amid failures.

A failure that does not show every time passes now and then. Such a pass by chance carves an exception out of a simple
condition, and nothing in the runs tells it from a true one; but most runs beside it fail, and made again it fails.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Generator, Sequence
from itertools import pairwise
from typing import Any

from rootward.candidate import Configuration
from rootward.diagnosis.conductor import Conductor
from rootward.diagnosis.diagnosis import Explanation
from rootward.diagnosis.view import View
from rootward.keys import canonical
from rootward.rules import Rule
from rootward.search import Answers, Ask
from rootward.space import Space
from rootward.verdict import FAIL
from rootward.words import count

MOST = 8
"""So many of them are made again."""
Runs = Collection[tuple[Configuration, bool]]
"""What was run, and whether it failed."""


def doubtful(space: Space, claim: Rule, known: Runs) -> list[Configuration]:
    """Passes that have more failures beside them than passes, the strangest first; as many, if the claim has several
    parts: that is how exceptions are told."""
    names = [name for name in space.names if name in set(claim.fields)]
    balance: dict[int, int] = defaultdict(int)
    runs = [(one, fails) for one, fails in known if all(space[name].contains(one[name]) for name in names)]
    for name in names:
        for one, other in _beside(space, name, names, runs):
            for here, there in ((one, other), (other, one)):
                if not runs[here][1]:
                    balance[here] += 1 if runs[there][1] else -1
    least = 0 if len(claim.terms) > 1 else 1
    strange = sorted((i for i, score in balance.items() if score >= least), key=lambda i: -balance[i])
    return [runs[i][0] for i in strange[:MOST]]


def fail_again(
    conductor: Conductor, passed: Sequence[Configuration], view: View, so_far: Explanation, *, fresh: bool
) -> Generator[Ask[Any], Answers, bool]:
    """Whether one of them fails when it is made again: a step of its own, if there are any."""
    if not passed:
        return False
    conductor.begin("reproduce")
    ask = Ask(passed, fresh=fresh, note="do these pass again?")
    outcomes = yield from conductor.ask(ask, view, so_far)
    failed = sum(outcome is not None and outcome.verdict is FAIL for outcome in outcomes)
    conductor.end(f"Amid failures, {count(len(passed), 'run')} passed: made again, {failed or 'none'} failed.")
    return failed > 0


def do_otherwise(
    conductor: Conductor, runs: Sequence[tuple[Configuration, bool]], view: View, so_far: Explanation
) -> Generator[Ask[Any], Answers, bool]:
    """Whether one of the runs does otherwise when it is made again: a step of its own."""
    conductor.begin("reproduce")
    ask = Ask([one for one, _ in runs], fresh=True, note="do these do the same again?")
    outcomes = yield from conductor.ask(ask, view, so_far)
    pairs = zip(outcomes, runs, strict=True)
    changed = sum(outcome is not None and (outcome.verdict is FAIL) is not fails for outcome, (_, fails) in pairs)
    conductor.end(f"{count(len(runs), 'run')} made again: {changed or 'none'} did otherwise.")
    return changed > 0


def _beside(
    space: Space, name: str, names: Sequence[str], runs: Sequence[tuple[Configuration, bool]]
) -> list[tuple[int, int]]:
    """Pairs of runs that differ in that field alone, of those that the claim names: next to each other, in an order."""
    alike: dict[bytes, list[int]] = defaultdict(list)
    for i, (one, _) in enumerate(runs):
        alike[canonical([one[other] for other in names if other != name])].append(i)
    if not space[name].ordered:
        return [(i, j) for group in alike.values() for n, i in enumerate(group[:MOST]) for j in group[n + 1 : 2 * MOST]]
    place = space[name].compress
    return [pair for group in alike.values() for pair in pairwise(sorted(group, key=lambda i: place(runs[i][0][name])))]
