"""Judge a stated condition by the truth about a case."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from peers.bug_truth import Truth, claim_points
from peers.condition_points import Judge, rounds

from real.corpus import Case, Verdict
from real.points import Point

BASES = 20
"""Number of points into which each constant of the claim is inserted."""
BORDER_POINTS = 500
"""Number of points at the border of the claim itself."""
CHANGES = 4000
"""Number of single fields that are changed to see which ones matter."""


@dataclass(frozen=True)
class Judgement:
    """How a condition compares with the truth."""

    true: bool
    """It agrees on all points; the last bits of a float are forgiven."""
    accuracy: float = math.nan
    """Balanced accuracy on the points of the case."""
    precision: float = math.nan
    recall: float = math.nan
    counterexample: Point | None = None


def judge(case: Case, rule: Judge, failure: Verdict, *, unless_hidden: bool = False) -> Judgement:
    """Judge a rule, or a model that predicts, as the condition of this failure.

    It must agree with the truth on all points of the case. If these are not the whole space, a rule must also agree at
    its own border and near its own constants. ``unless_hidden``: the claim says "unless another failure comes first",
    so nothing is claimed about points at which another failure shows.
    """

    def is_claimed(point: Point) -> bool:
        return case.is_known(point) and (not unless_hidden or case.fails(point) in (False, failure))

    points = [point for point in case.points if is_claimed(point)]
    fails = np.array([case.fails_as(point, failure) for point in points], dtype=bool)
    held = np.asarray(rule.holds_many(points), dtype=bool)
    if not fails.any():  # the software never fails like this
        return Judgement(
            False, counterexample=next((one for one, holds in zip(points, held, strict=True) if holds), None)
        )
    truth = _truth(case, failure)
    wrong: list[Point] = [points[i] for i in np.flatnonzero(held != fails)]
    if hasattr(rule, "terms") and not case.is_whole:
        bases = random.Random(case.name).sample(points, min(BASES, len(points)))
        own = [point for point in claim_points(truth, rule, bases, BORDER_POINTS) if is_claimed(point)]
        agrees = np.asarray(rule.holds_many(own), dtype=bool) == [case.fails_as(point, failure) for point in own]
        wrong += [own[i] for i in np.flatnonzero(~agrees)]
    serious = next((point for point in wrong if not rounds(truth, point)), None)
    return Judgement(serious is None, *_scores(held, fails), serious)


def _scores(held: NDArray[np.bool_], fails: NDArray[np.bool_]) -> tuple[float, float, float]:
    """Return balanced accuracy, precision and recall. A claim that nothing fails has precision 0."""
    recall, specificity = float(np.mean(held[fails])), float(np.mean(~held[~fails]))
    precision = float(np.mean(fails[held])) if held.any() else 0.0
    return (recall + specificity) / 2, precision, recall


def _truth(case: Case, failure: Verdict) -> Truth:
    failing = next(point for point in (case.failing, *case.points) if case.fails_as(point, failure))
    passing = next(point for point in case.points if not case.fails_as(point, failure))
    return Truth(
        f"{case.name} {failure}",
        case.space,
        case.truth.CONDITION,
        failing,
        passing,
        dict.fromkeys(case.space.names),
        judge=lambda point: case.fails_as(point, failure),
    )


def relevant_fields(case: Case, failure: Verdict) -> set[str]:
    """Return the fields of which a change alone makes a difference to this failure somewhere."""
    rng, points = random.Random(case.name), case.points
    values: dict[str, Sequence[Any]] = {name: [point[name] for point in points] for name in case.space.names}
    found = set[str]()
    for _ in range(CHANGES):
        point, name = rng.choice(points), rng.choice(case.space.names)
        changed = {**point, name: rng.choice(values[name])}
        if name not in found and case.fails_as(point, failure) != case.fails_as(changed, failure):
            found.add(name)
    return found
