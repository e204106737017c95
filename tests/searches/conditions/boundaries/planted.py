"""Notebooks about planted conditions, and a driver for experiments without a lab."""

from collections.abc import Callable, Generator, Sequence
from typing import Any

import numpy as np

import rootward as rw
from rootward.searches.conditions.boundaries.cut import Cut
from rootward.searches.conditions.boundaries.feature import Feature, Point
from rootward.searches.conditions.boundaries.observations import Observations, change_value
from rootward.searches.conditions.boundaries.sharpen import find_crossing

Fails = Callable[[Point], bool | None]


def notebook_of(**fields: Any) -> Observations:
    return Observations(rw.Space(fields), list(fields), {})


def drive(notebook: Observations, experiment: Generator[Sequence[Point], Any, Any], fails: Fails) -> tuple[Any, int]:
    """What an experiment finds about a condition, and how many points it asked for."""
    asked = 0
    try:
        points = next(experiment)
        while True:
            asked += len(points)
            for point in points:
                notebook.add(point, fails(point))
            points = experiment.send([notebook.label(point) for point in points])
    except StopIteration as end:
        return end.value, asked


def cut_of(formula: str, indices: Sequence[int], constant: Any, strict: bool = False) -> Cut:
    return Cut(Feature(formula, indices, 5.0), constant, strict, constant, constant)


def cross(notebook: Observations, cut: Cut, base: Point, index: int, upwards: bool) -> bool:
    """Note the bracket, between neighbours, where a cut is crossed going from zero to an end; whether there is one."""
    axis = notebook.axes[index]
    found = find_crossing(axis, cut, base, *((axis.nearest(0), axis.high) if upwards else (axis.low, axis.nearest(0))))
    if found is None:
        return False
    low, high = (change_value(base, index, axis.at(position)) for position in (found, axis.step(found, 1)))
    for point in (low, high):
        notebook.add(point, cut.side(point) > 0)
    return notebook.bracket(low, high, index) is not None


def crossings(notebook: Observations, cut: Cut, count: int, seed: int = 0) -> None:
    """So many exact brackets of a cut, in random surroundings, along each of its fields in turn."""
    rng = np.random.default_rng(seed)
    found = 0
    for attempt in range(60 * count):
        base = tuple(axis.draw(rng) for axis in notebook.axes)
        index = cut.feature.indices[attempt % len(cut.feature.indices)]
        found += cross(notebook, cut, base, index, bool(rng.random() < 0.5))
        if found == count:
            return
    raise AssertionError(f"only {found} of {count} crossings")
