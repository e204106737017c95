"""Fit the model that explains everything in the notebook.

A boundary that stays in place when other fields change is a comparison of one field with a constant. A boundary that
moves shows that several numbers act together, so expressions of two and three fields are tried. If there are only a few
numbers, those of two fields are always tried. A verdict that changes again and again along a line suggests that a
remainder or a bit decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from rootward.searches.conditions.boundaries.axis import FieldAxis
from rootward.searches.conditions.boundaries.cut import Cut, cuts
from rootward.searches.conditions.boundaries.feature import Feature, Point
from rootward.searches.conditions.boundaries.library import Library
from rootward.searches.conditions.boundaries.observations import Observations
from rootward.searches.conditions.boundaries.rule_model import RuleModel
from rootward.searches.conditions.boundaries.simplicity import find_simplest, price
from rootward.searches.conditions.boundaries.tuning import TUNING


class Fitting:
    """The model of a notebook, fitted again when the notebook has grown."""

    def __init__(self, notebook: Observations, rng: np.random.Generator) -> None:
        self.notebook, self.axes, self.rng = notebook, notebook.axes, rng
        self.library = Library(self.axes)
        self.model: RuleModel | None = None
        self.spots: Counter[Any] = Counter()
        self._derived = [made for one in notebook.derived if (made := one.make_feature()) is not None]
        self._fitted = (-1, -1)

    def refit(self) -> RuleModel:
        """Return the model of all runs. Without new runs or brackets, this is the previous model."""
        if self.model is not None and self._fitted == self._state:
            return self.model
        self._credit_patterns()
        groups = self._find_groups()
        self.library.fit(self.notebook.brackets, self.notebook.points, groups)
        features = [*self._derived, *self.library.list_features(groups)]
        for _ in range(TUNING.max_fits):
            self._fitted = self._state
            model = self._fit(features)
            new = [self.notebook.separate(one, other) for one, other in sorted(model.conflicts)]
            if not any(new):
                break
        self.model = self._avoid_periods(model, features)
        self.spots = Counter(self.model.spot(point) for point in self.notebook.points)
        return self.model

    def _fit(self, features: Sequence[Feature]) -> RuleModel:
        chosen = cuts(features, self.notebook.brackets, self.notebook.points)
        return RuleModel(self.axes, self.notebook, chosen, self.rng)

    def _avoid_periods(self, model: RuleModel, features: Sequence[Feature]) -> RuleModel:
        """Return a model that uses no remainders and bits of a field, if it is no more expensive than ``model``.

        A few remainders and bits together can single out one value. It may then take many runs to meet another value
        that they also allow.
        """
        for index in sorted({i for cut in model.used_cuts if cut.feature.is_periodic for i in cut.feature.indices}):
            others = [one for one in features if not (one.is_periodic and index in one.indices)]
            plain = self._fit(others)
            if plain.best.price <= model.best.price and len(plain.best.conflicts) <= len(model.best.conflicts):
                model, features = plain, others
        return model

    @property
    def _state(self) -> tuple[int, int]:
        return len(self.notebook.points), len(self.notebook.brackets)

    def _find_groups(self) -> list[tuple[int, ...]]:
        """Return pairs and triples of number fields that may act together.

        A field whose boundary moves is a sign of that.
        """
        moving = [index for index in self.library.numeric if self._has_moving_boundary(index)]
        bracketed = {one.axis.index for one in self.notebook.brackets if one.axis.numeric}
        numbers, limit = self.library.numeric, TUNING.max_numbers_together
        matter = sorted(bracketed | set(moving)) if len(numbers) > limit else numbers
        pairs = [pair for pair in combinations(matter, 2) if set(pair) & set(moving) or len(matter) <= limit]
        triples = [three for three in combinations(matter, 3) if len(set(three) & set(moving)) >= 2]
        return [*pairs[: TUNING.max_pairs], *triples[: TUNING.max_triples]]

    def _has_moving_boundary(self, index: int) -> bool:
        """Return True if a few simple constants do not explain all boundaries on this axis."""
        spans = []
        for one in self.notebook.brackets:
            if one.axis.index == index and one.ordered and one.weight > TUNING.placed_bits:
                spans.append((self.notebook.points[one.one][index], self.notebook.points[one.other][index]))
        spans.sort(key=lambda span: span[1])
        constants: list[Any] = []
        for low, high in spans:
            if not any(low <= constant <= high for constant in constants):
                constants.append(find_simplest(low, high, whole=self.axes[index].whole))
        ends = {end for span in spans for end in span}
        isolated = len(ends) < 2 * len(set(spans))
        odd = any(price(constant) > TUNING.max_constant_bits for constant in constants)
        return isolated or odd or len(constants) > 2

    def _credit_patterns(self) -> None:
        """Raise the evidence limit of the best periodic feature of each integer field.

        This is done only if the feature saves several changes of the verdict.
        """
        for index in self.library.numeric:
            if self.axes[index].whole and (found := self.find_patterns(index, TUNING.pattern_saves)):
                for feature in self.library.periodic(index):
                    feature.max_evidence = TUNING.pattern_bits if feature is found[0] else feature.default_max_evidence

    def find_patterns(self, index: int, saved: int) -> list[Feature]:
        """Return the periodic features that save at least ``saved`` changes of the verdict along a field, best first.

        The saved changes are the difference between two counts. Both count changes between neighbours on each line:
        first with the points sorted by the field, then with the points sorted by the feature.
        """
        lines = [line for line in self._list_lines(index) if len(line) >= 5]
        plain = sum(_count_changes([label for _, label in line]) for line in lines)
        found = []
        for feature in self.library.periodic(index):
            changes = [
                _count_changes([label for _, label in sorted(line, key=lambda one: feature.value(one[0]))])
                for line in lines
            ]
            if changes and max(changes) <= 2 and plain - sum(changes) >= saved:
                found.append((sum(changes), feature.price, feature))
        return [feature for _, _, feature in sorted(found, key=lambda one: one[:2])]

    def _list_lines(self, index: int) -> list[list[tuple[Point, bool]]]:
        """Return the groups of points that differ only in the field ``index``, with the label of each point.

        Each group is sorted by that field.
        """
        lines = [sorted(line, key=lambda point: point[index]) for line in self.notebook.lines(index).values()]
        return [[(point, bool(self.notebook.label(point))) for point in line] for line in lines]

    def list_hints(self) -> list[tuple[Cut, float]]:
        """Return cuts on which further boundaries may lie, each with the belief in it."""
        if self.model is None:
            return []
        found = []
        for cut in self.model.cuts:
            for one in (cut, *cut.rivals):
                found.append((one, 2.0 ** -min(one.feature.price + price(one.constant), 60)))
        return found

    def list_first_hints(self, axis: FieldAxis) -> list[tuple[Cut, float]]:
        """Return the hints to use before there is a model: comparisons of the field of ``axis`` with other numbers."""
        found = []
        for other in self.library.numeric:
            if other == axis.index or not axis.numeric:
                continue
            for feature in self.library.pairs(axis.index, other):
                belief = 2.0 ** -(feature.price + price(0))
                found += [(Cut(feature, 0, strict, 0, 0), belief) for strict in (True, False)]
        return found


def _count_changes(labels: Sequence[bool]) -> int:
    return sum(one != other for one, other in pairwise(labels))
