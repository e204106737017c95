"""Runs that are made again before a claim rests on them: those that refute one, and passes amid failures.

A failure that does not show every time passes now and then. Such a pass by chance carves an exception out of a simple
condition, and nothing in the runs tells it from a true one; but most runs beside it fail, and made again it fails.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Generator, Sequence
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
Place = tuple[bytes, ...]
"""The values of the fields that matter."""
Runs = Collection[tuple[Configuration, bool]]
"""What was run, and whether it failed."""


def doubtful(space: Space, claim: Rule, known: Runs) -> list[Configuration]:
    """Passes outside of it that have more failures beside them than passes, and two at least, the strangest first. If
    the claim has several parts, which is how exceptions are told, one is enough, and as many passes."""
    line = _Lines(space, [name for name in space.names if name in set(claim.fields)], known)
    several = len(claim.terms) > 1
    least, excess = (1, 0) if several else (2, 1)
    scores = {place: line.beside(place) for place, one in line.passed.items() if not claim.holds(one)}
    strange = [place for place, (fails, passes) in scores.items() if fails >= least and fails - passes >= excess]
    strange.sort(key=lambda place: scores[place][1] - scores[place][0])
    return [line.passed[place] for place in strange[:MOST]]


class _Lines:
    """The runs, as the fields that matter see them. Beside a run are those that differ in one of these alone: in an
    ordered one, the next on either side."""

    def __init__(self, space: Space, names: Sequence[str], known: Runs) -> None:
        self.failed: set[Place] = set()
        self.passed: dict[Place, Configuration] = {}
        self._lines: defaultdict[tuple[int, Place], dict[bytes, float]] = defaultdict(dict)
        self._ordered = [space[name].ordered for name in names]
        for one, fails in known:
            if not all(space[name].contains(one[name]) for name in names):
                continue
            place = tuple(canonical(one[name]) for name in names)
            for i, name in enumerate(names):
                self._lines[i, _but(place, i)][place[i]] = space[name].compress(one[name]) if self._ordered[i] else 0.0
            if fails:
                self.failed.add(place)
            else:
                self.passed.setdefault(place, one)

    def beside(self, place: Place) -> tuple[int, int]:
        """How many of those beside it fail, and how many pass."""
        near = [(*place[:i], value, *place[i + 1 :]) for i in range(len(place)) for value in self._next(place, i)]
        fails = sum(one in self.failed for one in near)
        return fails, len(near) - fails

    def _next(self, place: Place, i: int) -> list[bytes]:
        line = self._lines[i, _but(place, i)]
        if not self._ordered[i]:
            return [value for value in line if value != place[i]]
        here = line[place[i]]
        below = [value for value, there in line.items() if there < here]
        above = [value for value, there in line.items() if there > here]
        return [*sorted(below, key=line.__getitem__)[-1:], *sorted(above, key=line.__getitem__)[:1]]


def _but(place: Place, i: int) -> Place:
    return (*place[:i], *place[i + 1 :])


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
