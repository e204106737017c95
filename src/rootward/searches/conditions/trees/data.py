"""The trials so far, as points: places for distances, features for the tree, and a label each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rootward.searches.conditions.trees.axes import Axes, Rows


class Data:
    """Grows by one trial at a time. ``silent`` points were run and could not be judged: they have no label."""

    def __init__(self, axes: Axes) -> None:
        self.axes = axes
        self._places: list[Rows] = []
        self._features: list[Rows] = []
        self._labels: list[bool] = []
        self._silent: list[Rows] = []

    def __len__(self) -> int:
        return len(self._labels)

    def add(self, place: Rows, features: Rows, fails: bool) -> None:
        self._places.append(place)
        self._features.append(features)
        self._labels.append(fails)

    def pass_over(self, place: Rows) -> None:
        """It was run, and says nothing."""
        self._silent.append(place)

    @property
    def places(self) -> Rows:
        return np.array(self._places).reshape(-1, len(self.axes))

    @property
    def silent(self) -> Rows:
        return np.array(self._silent).reshape(-1, len(self.axes))

    @property
    def features(self) -> Rows:
        return np.array(self._features).reshape(-1, len(self.axes))

    @property
    def fails(self) -> NDArray[np.bool_]:
        return np.array(self._labels, dtype=bool)
