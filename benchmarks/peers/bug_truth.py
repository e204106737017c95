"""Judge if the cause stated for a planted bug is true.

A rule is compared with the planted condition, over the fields of both, on thousands of points: at the boundary of
either (both sides, found by bisection to the last bit), at the constants of both, broad points, ordinary points,
corners (all numbers at an end or around zero), and the failing input with one field set to each value of its
dictionary. A rule is true if it never disagrees; disagreement only in the last bits of a float is forgiven. Points at
which the failure cannot be seen do not count: where another failure comes first, where the run cannot be judged, where
it is forbidden. For a list, the kept elements must be exactly the needed ones, the order must be reported exactly where
it matters, and the rule is judged on the fields of the kept elements.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

import rootward as rw
from peers.condition_points import near, rounds, specials, test_points
from peers.conditions import Bug
from peers.generated_bugs import Generated, draw_points
from peers.planted_bugs import Configured
from peers.planted_lists import TYPE, Element, Listed
from rootward.formats.interfaces import from_document

POINTS = 1500
"""Number of points of each sort, besides those at constants and dictionary values."""
BASES = 20
"""Number of points into which each constant of the rule is inserted."""
Booleans = NDArray[np.bool_]
_PLACE = re.compile(r"([EM])(\d+)\.(.+)")


@dataclass(frozen=True)
class Judged:
    """The judgement of a stated cause."""

    true: bool
    agreement: float = math.nan
    """Share of points on which it is right."""
    accuracy: float = math.nan
    """Balanced accuracy on broad and ordinary points."""
    fields: bool = False
    """It reads the fields that matter, and no others."""
    why: str = ""
    """Description of what is wrong, empty if nothing is."""


@dataclass(frozen=True)
class Truth(Bug):
    """A bug, as a function of the fields that are compared."""

    judge: Callable[[Mapping[str, Any]], bool] = lambda point: False
    hidden: Callable[[Mapping[str, Any]], bool] = lambda point: False
    """The points that do not count."""
    named: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """Values that the planted condition names, by field."""
    drawn: Sequence[Mapping[str, Any]] = ()
    """Further random points."""

    @property
    def function(self) -> Callable[..., bool]:
        return lambda *values: self.judge(dict(zip(self.space.names, values, strict=True)))

    @property
    def fields(self) -> tuple[str, ...]:
        return self.space.names


def judge_rule(bug: Configured, rule: Any, points: int = POINTS) -> Judged:
    """Judge a stated rule against a planted bug in a configuration."""
    needed = set(bug.core.space.names)
    names = needed | set(rule.fields)
    truth = Truth(
        f"{bug.name} {bug.seed} {sorted(names)}",
        bug.space.restrict(names),
        bug.truth,
        {name: bug.failing[name] for name in bug.space.names if name in names},
        {name: {**bug.failing, **bug.core.passing}[name] for name in bug.space.names if name in names},
        {name: bug.nominal[name] for name in names},
        judge=bug.core.fails,
    )
    return replace(_compare(truth, rule, points), fields=set(rule.fields) == needed)


def judge_generated(
    bug: Generated, failure: int, rule: Any, points: int = POINTS, *, unless_hidden: bool = False
) -> Judged:
    """Judge the rule that is stated for one failure of a generated bug.

    ``unless_hidden``: the claim says "unless another failure comes first", so points with another one do not count.
    """
    planted = bug.failures[failure]
    needed = planted.condition.fields
    others = [one.condition for one in bug.failures if one is not planted] if unless_hidden else []
    names = (needed | set(rule.fields) | bug.hiding_fields(failure)).union(*(one.fields for one in others))

    def is_hidden(point: Mapping[str, Any]) -> bool:
        shows_other = not planted.condition.holds(point) and any(one.holds(point) for one in others)
        return shows_other or bug.is_hidden(failure, point)

    space = bug.space.restrict(names)
    failing = bug.failing if failure == bug.shown else planted.example
    ordinary = {one.name: (one.low, one.high) if one.is_number else None for one in bug.signals}
    truth = Truth(
        f"{bug.name} {failure} {sorted(names)}",
        space,
        str(planted.condition),
        {name: failing[name] for name in space.names},
        {name: planted.passing[name] for name in space.names},
        {name: ordinary[name] for name in space.names},
        judge=planted.condition.holds,
        hidden=is_hidden,
        named=planted.condition.named,
        drawn=draw_points(random.Random(bug.name), bug, names, points),
    )
    return replace(_compare(truth, rule, points), fields=set(rule.fields) == needed)


def _compare(truth: Truth, rule: Any, count: int) -> Judged:
    broad = test_points(truth, 1, count)
    bases = broad[:: max(1, count // BASES)]
    anywhere: list[Mapping[str, Any]] = [*broad, *test_points(truth, 1, count, "human"), *truth.drawn]
    points = [*near(truth, 1, count), *_neighbours(truth), *_corners(truth, count // 3)]
    points += claim_points(truth, rule, bases, count // 3)
    seen = [point for point in anywhere if not truth.hidden(point)]
    points = [*seen, *(point for point in points if not truth.hidden(point))]
    held = np.asarray(rule.holds_many(points), dtype=bool)
    fails = np.array([truth.fails(point) for point in points])
    wrong = [points[i] for i in np.flatnonzero(held != fails)]
    serious = [point for point in wrong if not rounds(truth, point)]
    why = f"{len(serious)} of {len(points)} points, such as {_describe(serious[0])}" if serious else ""
    accuracy = _balanced_accuracy(held[: len(seen)], fails[: len(seen)])
    return Judged(not serious, 1 - len(serious) / len(points), accuracy, why=why)


def claim_points(truth: Truth, rule: Any, bases: Sequence[Mapping[str, Any]], count: int) -> list[dict[str, Any]]:
    """Return points where a wrong rule is likely to be wrong: at its boundary, and at all constants."""
    named = [*_stated_values(rule), *_named_values(truth)]
    return [*_boundary_points(truth, rule, count), *_constants(truth, named, bases)]


def _boundary_points(truth: Truth, rule: Any, count: int) -> list[dict[str, Any]]:
    """Return points at the boundary of the rule. A rule that is wrong at both ends of a path is already refuted."""
    if not rule.holds(truth.failing) or rule.holds(truth.passing):
        return []
    return near(replace(truth, id=f"{truth.id} claimed {rule}", judge=rule.holds), 1, count)


def _corners(truth: Truth, count: int) -> list[dict[str, Any]]:
    """Return points with every number at an end of its type, around zero, or as in the failing input."""
    rng = np.random.default_rng(count)
    values = {
        name: [*(specials(field) if isinstance(field, rw.Int | rw.Float) else field.values), truth.failing[name]]
        for name, field in truth.space.items()
    }
    return [{name: some[int(rng.integers(len(some)))] for name, some in values.items()} for _ in range(count)]


def _stated_values(rule: Any) -> list[tuple[str, Any]]:
    """Return the fields that the rule compares with a constant, each with that constant."""
    atoms = [atom for term in rule.terms for literal in term for one in literal.alternatives for atom in one]
    return [(str(atom.field), atom.value) for atom in atoms]


def _named_values(truth: Truth) -> list[tuple[str, Any]]:
    return [(name, value) for name, values in truth.named.items() for value in values]


def _constants(
    truth: Truth, named: Sequence[tuple[str, Any]], bases: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Return points with a value that either condition names, or the next integer."""
    said = {(name, value) for name, value in named if name in truth.space.names}
    steps = {(name, value + step) for name, value in said if type(value) is int for step in (-1, 1)}
    fitting = [(name, value) for name, value in said | steps if truth.space[name].contains(value)]
    return [{**base, name: value} for name, value in fitting for base in (truth.failing, truth.passing, *bases)]


def _balanced_accuracy(held: Booleans, fails: Booleans) -> float:
    if fails.all() or not fails.any():
        return float(np.mean(held == fails)) if len(fails) else math.nan
    return float((np.mean(held[fails]) + np.mean(~held[~fails])) / 2)


def _neighbours(truth: Truth) -> list[dict[str, Any]]:
    """Return the failing input, with one field changed in each, and the passing input."""
    return [
        {**base, name: value}
        for base in (truth.failing, truth.passing)
        for name, field in truth.space.items()
        for value in field.values
    ]


def _describe(point: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {value!r}" for name, value in point.items())[:300]


# Lists


def judge_list(bug: Listed, kept: Sequence[int], rule: Any, *, order: int | None, points: int = POINTS) -> Judged:
    """Judge what was stated about a planted bug in a list.

    ``kept`` are places in the list. ``order`` is the number of statements that one element must come before another,
    None if the method is not asked about the order. The rule reads the fields of the n-th element of the list as
    ``En.name``, or those of the n-th kept element, from 0, as ``Mn.name``.
    """
    left = [bug.elements[i] for i in kept]
    if not bug.triggered(left):
        return Judged(False, why=f"what is kept does not fail: {len(kept)} elements")
    if len(kept) != len(bug.roles):
        return Judged(False, why=f"{len(kept)} elements are kept, {len(bug.roles)} are needed")
    stated = {_place(name, kept): name for name in rule.fields}
    judged = _judge_kept(bug, left, rule, stated, points)
    pairs = len(bug.roles) - 1 if bug.ordered else 0
    if judged.true and order is not None and order != pairs:
        return replace(judged, true=False, why=f"the order of {pairs} neighbours matters, not of {order}")
    return judged


def _judge_kept(
    bug: Listed, kept: Sequence[Element], rule: Any, stated: Mapping[tuple[int, str], str], points: int
) -> Judged:
    """Judge the rule over the fields of the kept elements. A type that the rule does not read stays as it is."""
    needed = {("abc".index(role), name) for role, name in _roles_in(bug, kept)}
    judged = needed | set(stated)
    same = {place for place in stated if place[1] != TYPE} == needed
    if strangers := [name for (i, key), name in stated.items() if i >= len(kept) or key not in kept[i]]:
        return Judged(False, why=f"it reads {strangers[0]}, which is not there")
    if not judged:
        always = bool(rule.holds({}))
        return Judged(always, float(always), float(always), same, "" if always else "it says that nothing fails")
    places = {stated.get((i, key), f"M{i}.{key}"): (i, key) for i, key in sorted(judged)}
    failing = {name: kept[i][key] for name, (i, key) in places.items()}
    space = rw.Space([(name, from_document({"it": value})["it"]) for name, value in failing.items()])

    def fails(point: Mapping[str, Any]) -> bool:
        changed = [dict(one) for one in kept]
        for name, (i, key) in places.items():
            changed[i][key] = point[name]
        return bug.triggered(changed)

    passing = _passing(fails, space, failing)
    if passing is None:
        return Judged(False, fields=same, why="no field that it reads matters")
    about = f"{bug.name} {bug.seed} {failing}"
    truth = Truth(about, space, bug.condition, failing, passing, dict.fromkeys(space.names), judge=fails)
    return replace(_compare(truth, rule, points), fields=same)


def _roles_in(bug: Listed, kept: Sequence[Element]) -> list[tuple[str, str]]:
    """Return the fields that matter, with the place of their element instead of its role. If the order is free, roles
    may be swapped."""
    if bug.ordered or not all(bug.roles):
        return list(bug.variables)
    places = {role: i for i, one in enumerate(kept) for role in bug.roles if one[TYPE] == role}
    return [("abc"[places[bug.roles["abc".index(role)]]], name) for role, name in bug.variables]


def _place(name: str, kept: Sequence[int]) -> tuple[int, str]:
    """Return the place of an element among the kept ones, and the name of a field in it. An element that was not kept
    gets a place beyond the others."""
    found = _PLACE.fullmatch(name)
    if found is None:
        return len(kept), name
    number = int(found[2])
    if found[1] == "M":
        return number, found[3]
    return kept.index(number - 1) if number - 1 in kept else len(kept), found[3]


def _passing(fails: Callable[[Element], bool], space: rw.Space, failing: Element) -> Element | None:
    """Return a point that passes, changed in a single field if possible."""
    rng = np.random.default_rng(0)
    beside = ({**failing, name: value} for name, field in space.items() for value in field.values)
    far = (space.sample(rng) for _ in range(2000))
    return next((point for point in chain(beside, far) if not fails(point)), None)
