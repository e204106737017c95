"""Whether what was stated about a planted bug is true.

A rule is compared with the planted condition over the fields of both, on thousands of points: at the boundary (both
sides, found by bisection to the last bit), broad ones, ordinary ones, and the failing input with one field at a time
set to each value of its dictionary. It is true if it never disagrees; where only the last bits of a float disagree, it
counts as true, too. Of a list, what is kept has to be exactly what is needed, the order has to be said to matter where
it does and only there, and the rule is judged on the fields of what is kept.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

import rootward as rw
from peers.condition_points import Judge, near, rounds, test_points
from peers.conditions import Bug
from peers.planted_bugs import Configured
from peers.planted_lists import TYPE, Element, Listed
from rootward.interfaces import from_document

POINTS = 1500
"""Of each sort; dictionary values come on top."""
Booleans = NDArray[np.bool_]
_PLACE = re.compile(r"([EM])(\d+)\.(.+)")


@dataclass(frozen=True)
class Judged:
    """What a statement is worth."""

    true: bool
    agreement: float = math.nan
    """The share of points on which it is right."""
    accuracy: float = math.nan
    """Balanced, on broad points."""
    fields: bool = False
    """Whether it reads the fields that matter, and no others."""
    why: str = ""
    """What is wrong with it."""


@dataclass(frozen=True)
class _Truth(Bug):
    """The planted bug over the fields of a comparison."""

    judge: Callable[[Mapping[str, Any]], bool] = lambda point: False

    @property
    def function(self) -> Callable[..., bool]:
        return lambda *values: self.judge(dict(zip(self.space.names, values, strict=True)))

    @property
    def fields(self) -> tuple[str, ...]:
        return self.space.names


def judge_rule(bug: Configured, rule: Any, points: int = POINTS) -> Judged:
    """``rule``: what was stated, with its ``fields``."""
    needed = set(bug.core.space.names)
    names = needed | set(rule.fields)
    truth = _Truth(
        f"{bug.name} {bug.seed} {sorted(names)}",
        bug.space.restrict(names),
        bug.truth,
        {name: bug.failing[name] for name in bug.space.names if name in names},
        {name: {**bug.failing, **bug.core.passing}[name] for name in bug.space.names if name in names},
        {name: bug.nominal[name] for name in names},
        judge=bug.core.fails,
    )
    return replace(_compared(truth, rule, points), fields=set(rule.fields) == needed)


def _compared(truth: _Truth, rule: Judge, count: int) -> Judged:
    broad = test_points(truth, 1, count)
    points = [*broad, *near(truth, 1, count), *test_points(truth, 1, count, "human"), *_neighbours(truth)]
    held = np.asarray(rule.holds_many(points), dtype=bool)
    fails = np.array([truth.fails(point) for point in points])
    wrong = [points[i] for i in np.flatnonzero(held != fails)]
    serious = [point for point in wrong if not rounds(truth, point)]
    why = f"{len(serious)} of {len(points)} points, such as {_told(serious[0])}" if serious else ""
    accuracy = _balanced(held[: len(broad)], fails[: len(broad)])
    return Judged(not serious, 1 - len(serious) / len(points), accuracy, why=why)


def _balanced(held: Booleans, fails: Booleans) -> float:
    return float((np.mean(held[fails]) + np.mean(~held[~fails])) / 2)


def _neighbours(truth: _Truth) -> list[dict[str, Any]]:
    """The failing input with one field changed, and the passing one."""
    return [
        {**base, name: value}
        for base in (truth.failing, truth.passing)
        for name, field in truth.space.items()
        for value in field.values
    ]


def _told(point: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {value!r}" for name, value in point.items())[:300]


# Lists


def judge_list(bug: Listed, kept: Sequence[int], rule: Any, *, order: int | None, points: int = POINTS) -> Judged:
    """``kept``: places in the list; ``order``: of how many it is said that the next has to come later, None where
    nobody asks.

    The rule reads the fields of the n-th element of the list as ``En.name``, or those of the n-th kept, from 0, as
    ``Mn.name``.
    """
    left = [bug.elements[i] for i in kept]
    if not bug.triggered(left):
        return Judged(False, why=f"what is kept does not fail: {len(kept)} elements")
    if len(kept) != len(bug.roles):
        return Judged(False, why=f"{len(kept)} elements are kept, {len(bug.roles)} are needed")
    stated = {_place(name, tuple(kept)): name for name in rule.fields}
    judged = _judge_kept(bug, left, rule, stated, points)
    pairs = len(bug.roles) - 1 if bug.ordered else 0
    if judged.true and order is not None and order != pairs:
        return replace(judged, true=False, why=f"the order of {pairs} neighbours matters, not of {order}")
    return judged


def _judge_kept(
    bug: Listed, kept: Sequence[Element], rule: Any, stated: Mapping[tuple[int, str], str], points: int
) -> Judged:
    """The rule over the fields of what is kept, by the planted bug. A type that the rule does not read stays as is."""
    needed = {("abc".index(role), name) for role, name in _roles_in(bug, kept)}
    judged = needed | set(stated)
    same = {place for place in stated if place[1] != TYPE} == needed
    if strangers := [name for (i, key), name in stated.items() if i >= len(kept) or key not in kept[i]]:
        return Judged(False, why=f"it reads {strangers[0]}, which is not there")
    if not judged:
        always = bool(rule.holds({}))
        return Judged(always, float(always), float(always), same, "" if always else "it says that nothing fails")
    document = {
        f"M{i}": {name: value for name, value in one.items() if (i, name) in judged} for i, one in enumerate(kept)
    }
    space = from_document({key: below for key, below in document.items() if below})
    failing = {f"M{i}.{name}": kept[i][name] for i, name in sorted(judged)}
    passing = _passing(bug, kept, space, failing)
    if passing is None:
        return Judged(False, fields=same, why="no field that it reads matters")
    truth = _Truth(
        f"{bug.name} {bug.seed} {failing}",
        space,
        bug.condition,
        failing,
        passing,
        dict.fromkeys(space.names),
        judge=lambda point: bug.triggered(_changed(kept, point)),
    )
    renamed = _Renamed(rule, {f"M{i}.{name}": text for (i, name), text in stated.items()})
    return replace(_compared(truth, renamed, points), fields=same)


def _roles_in(bug: Listed, kept: Sequence[Element]) -> list[tuple[str, str]]:
    """The fields that matter, with the place of their element instead of the role; an order that is free may turn."""
    if bug.ordered or not all(bug.roles):
        return list(bug.variables)
    places = {role: i for i, one in enumerate(kept) for role in bug.roles if one[TYPE] == role}
    return [("abc"[places[bug.roles["abc".index(role)]]], name) for role, name in bug.variables]


@lru_cache(maxsize=4096)
def _place(name: str, kept: tuple[int, ...] = ()) -> tuple[int, str]:
    """The place of an element among the kept, and the name of a field in it."""
    found = _PLACE.fullmatch(name)
    if found is None:
        return len(kept), name
    number = int(found[2])
    if found[1] == "M":
        return number, found[3]
    return kept.index(number - 1) if number - 1 in kept else len(kept), found[3]


def _changed(kept: Sequence[Element], point: Mapping[str, Any]) -> list[Element]:
    changed = [dict(one) for one in kept]
    for name, value in point.items():
        i, key = _place(name)
        changed[i][key] = value
    return changed


def _passing(bug: Listed, kept: Sequence[Element], space: rw.Space, failing: Element) -> Element | None:
    """A point that passes, by one field if that is enough."""
    rng = np.random.default_rng(0)
    beside = ({**failing, name: value} for name, field in space.items() for value in field.values)
    far = (space.sample(rng) for _ in range(2000))
    return next((point for point in chain(beside, far) if not bug.triggered(_changed(kept, point))), None)


class _Renamed:
    """A rule by the names of the comparison."""

    def __init__(self, rule: Judge, names: Mapping[str, str]) -> None:
        self._rule, self._names = rule, names

    def holds_many(self, configurations: Sequence[Mapping[str, Any]]) -> Any:
        return self._rule.holds_many(
            [{stated: point[name] for name, stated in self._names.items()} for point in configurations]
        )
