"""Points for the ``points`` of a case: whole spaces, grids, and both sides of the border of a condition."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

Point = dict[str, Any]
MAX_WHOLE = 20_000
"""Maximum number of points of a space that is judged on all of its points."""


def grid(**values: Iterable[Any]) -> list[Point]:
    """Return all combinations of these values."""
    columns = {name: list(column) for name, column in values.items()}
    return [dict(zip(columns, point, strict=True)) for point in itertools.product(*columns.values())]


def beside(*bounds: int, far: int = 2, lo: float = float("-inf"), hi: float = float("inf")) -> list[int]:
    """Return the integers at most ``far`` away from each of the bounds, within ``lo`` and ``hi``."""
    near = {bound + step for bound in bounds for step in range(-far, far + 1)}
    return sorted(value for value in near if lo <= value <= hi)


def both_sides(
    fails: Callable[[Point], Any],
    points: Iterable[Point],
    rng: random.Random,
    count: int = 2000,
    listed: Collection[str] = (),
) -> list[Point]:
    """Return neighbours with different verdicts, found on the way from one of the points to another.

    Going from a point of one verdict to a point of another, the fields are changed one after the other, in random
    order. The field at which the verdict changes is bisected: integers to neighbours, floats to the last bits. Texts
    are not, nor are the ``listed`` fields, whose numbers are choices.
    """
    groups: dict[Any, list[Point]] = {}
    for point in points:
        groups.setdefault(fails(point), []).append(point)
    verdicts = sorted(groups, key=str)
    found: list[Point] = []
    if len(verdicts) < 2:
        return found
    while len(found) < count:
        start, end = (rng.choice(groups[verdict]) for verdict in rng.sample(verdicts, 2))
        found += _crossing(fails, start, end, rng, listed)
    return found[:count]


def _crossing(
    fails: Callable[[Point], Any], start: Point, end: Point, rng: random.Random, listed: Collection[str]
) -> list[Point]:
    here, verdict = dict(start), fails(start)
    for name in rng.sample(list(here), len(here)):
        there = {**here, name: end[name]}
        if fails(there) != verdict:
            return [here, there] if name in listed else _bisect(fails, here, there, name)
        here = there
    return []


def _bisect(fails: Callable[[Point], Any], one: Point, other: Point, name: str) -> list[Point]:
    """Return the last point with the verdict of the one, and the first with another verdict."""
    verdict = fails(one)
    a, b = one[name], other[name]
    while (middle := _middle(a, b)) not in (None, a, b):
        a, b = (middle, b) if fails({**one, name: middle}) == verdict else (a, middle)
    return [{**one, name: a}, {**one, name: b}]


def _middle(a: Any, b: Any) -> Any:
    if isinstance(a, bool) or not isinstance(a, int | float):
        return None
    return (a + b) // 2 if isinstance(a, int) and isinstance(b, int) else a + (b - a) / 2


def whole(space: Mapping[str, Any]) -> list[Point]:
    """Return every point of a space of bools, choices, ordinals and bounded integers."""
    return grid(**{name: _members(field) for name, field in space.items()})


def _members(field: Any) -> Iterable[Any]:
    if hasattr(field, "lo"):
        return range(field.lo, field.hi + 1)
    members: Iterable[Any] = field.values
    return members
