"""A sketch: what the runs so far say while the opening is going on, before there is a model.

It is what the user gets if the budget ends there. Whether anyone looks must not change what is asked next, so a sketch
is fitted to a copy of the notebook, with randomness of its own. Bisections that have not ended count as brackets, as
wide as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from rootward.searches.conditions.boundaries.axis import Axis
from rootward.searches.conditions.boundaries.feature import Point
from rootward.searches.conditions.boundaries.fitting import Fitting
from rootward.searches.conditions.boundaries.notebook import Notebook


def sketch(notebook: Notebook) -> Fitting:
    """The fit of all that was run, and the copy of the notebook that it is about."""
    copy = notebook.copy()
    for axis in copy.axes:
        for line in copy.lines(axis.index).values():
            _flips(copy, axis, line)
    made = Fitting(copy, np.random.default_rng(len(copy.points)))
    for index in made.library.numeric:
        for feature in made.library.periodic(index):
            feature.most = 0.0  # any two numbers differ in some bit: only a pattern may speak for it
    made.refit()
    return made


def _flips(notebook: Notebook, axis: Axis, line: Sequence[Point]) -> None:
    """A bracket wherever the verdict changes along a line; what has no place on it is compared with its first point."""
    placed = [point for point in line if axis.numeric and point[axis.index] == point[axis.index]]
    placed.sort(key=lambda point: axis.position(point[axis.index]))
    odd = [point for point in line if point not in placed]
    for one, other in [*pairwise(placed), *((line[0], point) for point in odd)]:
        notebook.bracket(one, other, axis.index)
