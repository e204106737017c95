"""Reproduce the failure, and repeat runs that a claim rests on.

The failure is reproduced before anything else: fresh runs of the failing input show if it occurs again, and how often.
A few runs that all fail are enough; if one does not, more are made to measure the rate.

Runs are repeated before a claim is believed. A flaky failure sometimes passes by chance. One such pass can carve a
false exception out of a simple condition, and the run alone does not show it. Its neighbours do: if most of them fail,
the run is repeated before a claim rests on it. If the failure showed every time so far, runs that refute a claim are
repeated, too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Any

from rootward.diagnosis.questions import Routine, StepView, ask
from rootward.diagnosis.state import DiagnosisState
from rootward.diagnosis.tuning import TUNING
from rootward.explanation.diagnosis import Explanation
from rootward.explanation.facts import PassesRepeated, Reproduced, RunsRepeated
from rootward.rules import Estimate, Rule
from rootward.search import failure_rate
from rootward.search.premises import check_same_failure, refuse_lost_failure, refuse_scattered_failures
from rootward.search.relay import relay
from rootward.search.reruns import run_again
from rootward.space.candidate import Configuration
from rootward.space.keys import canonical
from rootward.space.space import Space
from rootward.verdict import FAIL, Outcome

Place = tuple[bytes, ...]
"""The values of the fields that matter."""
Run = tuple[Configuration, bool]
"""A configuration that was run, and True if it failed."""
Runs = Collection[Run]


def reproduce(
    state: DiagnosisState, failing: Any, view: StepView, runs: int = failure_rate.TUNING.measured_runs
) -> Routine[tuple[Outcome | None, Estimate]]:
    """Run the failing candidate afresh, and return the failure and its rate.

    The failure is None if it does not show again. ``runs``: the number of runs; more are made if one of them does not
    fail. Raises SubjectError if the first failure to explain is another one in each run. A later one is only not
    reproduced then, so that the explanations of the others are not lost.
    """
    state.begin("reproduce")
    is_one_failure = state.subject.seeded or bool(state.explanations)
    measured = _measure(failing, view, runs, is_one_failure=is_one_failure)
    outcomes = yield from relay(measured, lambda question: ask(state, question, view))
    if not is_one_failure and view.reference is None:
        refuse_lost_failure([], outcomes)
    failed = [outcome for outcome in outcomes if outcome.verdict is FAIL]
    state.end([Reproduced(len(failed), len(outcomes))])
    return next(iter(failed), None), Estimate.of(len(failed), len(outcomes), confidence=failure_rate.TUNING.confidence)


def _measure(failing: Any, view: StepView, runs: int, *, is_one_failure: bool) -> Routine[list[Outcome]]:
    first = [] if view.reference is None else [view.reference]
    known = [] if is_one_failure else (yield from check_same_failure(failing, first, best=None))
    note = "does it fail every time?"
    outcomes = yield from failure_rate.measure(failing, best=None, runs=runs, note=note, known=known)
    if not is_one_failure:
        refuse_scattered_failures(outcomes)
    return outcomes


def any_fails_again(
    state: DiagnosisState, passed: Sequence[Configuration], view: StepView, so_far: Explanation, *, fresh: bool
) -> Routine[bool]:
    """Repeat the runs in ``passed``, and return True if at least one of them fails now."""
    if not passed:
        return False
    state.begin("reproduce")
    runs = [(one, False) for one in passed]
    failed = len((yield from _find_changed(state, runs, view, so_far, note="do these runs pass again?", fresh=fresh)))
    state.end([PassesRepeated(len(passed), failed)])
    return failed > 0


def any_changed(
    state: DiagnosisState, runs: Sequence[tuple[Configuration, bool]], view: StepView, so_far: Explanation
) -> Routine[bool]:
    """Repeat runs, and return True if at least one of them changed its verdict."""
    state.begin("reproduce")
    changed = len(
        (yield from _find_changed(state, runs, view, so_far, note="do these runs have the same verdict again?"))
    )
    state.end([RunsRepeated(len(runs), changed)])
    return changed > 0


def _find_changed(
    state: DiagnosisState, runs: Sequence[Run], view: StepView, so_far: Explanation, *, note: str, fresh: bool = True
) -> Routine[list[Configuration]]:
    """Repeat runs, and return those that changed their verdict."""
    repeated = run_again(runs, best=None, note=note, fresh=fresh)
    return (yield from relay(repeated, lambda question: ask(state, question, view, so_far)))


# Suspicious passes


def suspicious_passes(space: Space, claim: Rule, runs: Runs) -> list[Configuration]:
    """Return passing runs outside the claim whose neighbours mostly fail, the most suspicious first.

    At least two neighbours must fail, and more must fail than pass. A claim with several terms may already contain an
    exception that is due to chance. For such a claim, one failing neighbour and as many failing as passing ones are
    enough.
    """
    near = Neighbours(space, [name for name in space.names if name in set(claim.fields)], runs)
    min_failing, min_margin = (1, 0) if len(claim.terms) > 1 else (2, 1)
    suspects = []
    for place, one in near.passed.items():
        if claim.holds(one):
            continue
        failing, passing = near.count(place)
        if failing >= min_failing and failing - passing >= min_margin:
            suspects.append((passing - failing, one))
    suspects.sort(key=lambda suspect: suspect[0])
    return [one for _, one in suspects[: TUNING.max_repeated]]


class Neighbours:
    """The runs, arranged by the values of the fields that matter.

    Two runs are neighbours if they differ in exactly one of these fields. If this field is ordered, only the nearest
    run on either side is a neighbour.
    """

    def __init__(self, space: Space, names: Sequence[str], runs: Runs) -> None:
        self.failed: set[Place] = set()
        self.passed: dict[Place, Configuration] = {}
        self._lines: defaultdict[tuple[int, Place], dict[bytes, float]] = defaultdict(dict)
        self._ordered = [space[name].ordered for name in names]
        for one, fails in runs:
            if not all(space[name].contains(one[name]) for name in names):
                continue
            place = tuple(canonical(one[name]) for name in names)
            for i, name in enumerate(names):
                self._lines[i, _without(place, i)][place[i]] = (
                    space[name].compress(one[name]) if self._ordered[i] else 0.0
                )
            if fails:
                self.failed.add(place)
            else:
                self.passed.setdefault(place, one)

    def count(self, place: Place) -> tuple[int, int]:
        """Return the numbers of neighbours that fail and that pass."""
        near = [
            (*place[:i], value, *place[i + 1 :]) for i in range(len(place)) for value in self._nearest_values(place, i)
        ]
        fails = sum(one in self.failed for one in near)
        return fails, len(near) - fails

    def _nearest_values(self, place: Place, i: int) -> list[bytes]:
        line = self._lines[i, _without(place, i)]
        if not self._ordered[i]:
            return [value for value in line if value != place[i]]
        here = line[place[i]]
        below = [value for value, there in line.items() if there < here]
        above = [value for value, there in line.items() if there > here]
        return [*sorted(below, key=line.__getitem__)[-1:], *sorted(above, key=line.__getitem__)[:1]]


def _without(place: Place, i: int) -> Place:
    return (*place[:i], *place[i + 1 :])
