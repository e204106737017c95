"""Fit the model that explains everything in the notebook.

A boundary that stays in place when other fields change is a comparison of one field with a constant. A boundary that
moves shows that several numbers act together, so expressions of two and three fields are tried. If there are only a few
numbers, those of two fields are always tried. A verdict that changes again and again along a line suggests that a
remainder or a bit decides; the moduli to try divide the distances between values with the same verdict.

A model that is right stops growing while runs come in. If instead it needs as many bits for the new verdicts as they
have, there is no simple condition (``is_hopeless``).
"""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from rootward.searches.conditions.boundaries.axis import FieldAxis, identity
from rootward.searches.conditions.boundaries.cut import Cut, CutSearch
from rootward.searches.conditions.boundaries.feature import Feature, Point
from rootward.searches.conditions.boundaries.library import Library
from rootward.searches.conditions.boundaries.observations import Observations, change_value
from rootward.searches.conditions.boundaries.rule_model import RuleModel
from rootward.searches.conditions.boundaries.simplicity import find_simplest, price, verdict_bits
from rootward.searches.conditions.boundaries.tuning import TUNING


@dataclass(frozen=True)
class FitSize:
    """The number of runs at a fit, the bits of the model, and the bits of the verdicts."""

    runs: int
    model: float
    labels: float


class Fitting:
    """The model of a notebook, fitted again when the notebook has grown."""

    def __init__(self, notebook: Observations, rng: np.random.Generator, is_quick: bool = False) -> None:
        """Create the fitting. A quick one uses no remainders, bits and multipliers, and finds no rivals of cuts."""
        self.notebook, self.axes, self.rng = notebook, notebook.axes, rng
        self.library = Library(self.axes, with_periods=not is_quick)
        self._search = CutSearch()
        self._is_quick = is_quick
        self.model: RuleModel | None = None
        self.spots: Counter[Any] = Counter()
        self._derived = [made for one in notebook.derived if (made := one.make_feature()) is not None]
        self._fitted = (-1, -1)
        self.progress: list[FitSize] = []
        self._puzzling: dict[tuple[int, ...], int] = {}
        self._lines: dict[int, tuple[dict[bytes, list[tuple[Point, bool]]], int]] = {}

    def refit(self) -> RuleModel:
        """Return the model of all runs. Without new runs or brackets, this is the previous model."""
        if self.model is not None and self._fitted == self._state:
            return self.model
        groups = self._find_groups()
        if not self._is_quick:
            self._credit_patterns()
            self.library.fit(self.notebook.brackets, self.notebook.points, self._select_puzzling(groups))
        features = [*self._derived, *self.library.list_features(groups)]
        self._fitted = self._state
        model = self._fit(features, self._is_quick)
        if self._separate_conflicts(model) and len(model.cuts) <= TUNING.many_cuts:
            for _ in range(TUNING.max_fits):
                if not self._separate_conflicts(self._fit(features, is_quick=True)):
                    break
            self._fitted = self._state
            model = self._fit(features, self._is_quick)
            self._separate_conflicts(model)  # for the next fit
        self.model = self._avoid_periods(model, features)
        self.library.keep(one.feature for cut in self.model.cuts for one in (cut, *cut.rivals))
        self.progress.append(self._measure(self.model))
        self.spots = Counter(self.model.spot(point) for point in self.notebook.points)
        return self.model

    def _measure(self, model: RuleModel) -> FitSize:
        """Return the bits of the model, and the bits of the verdicts that it explains."""
        fails, count = sum(self.notebook.labels), len(self.notebook.labels)
        labels = verdict_bits(fails, count)
        cuts = sum(cut.feature.price + cut.feature.price_constant(cut.constant) for cut in model.used_cuts)
        return FitSize(count, cuts + model.best.price, labels)

    @property
    def is_hopeless(self) -> bool:
        """True if the model grows as fast as the verdicts that it explains, so that it explains nothing.

        A model that is right stops growing while more verdicts come in. One that only lists exceptions needs as many
        bits for the new verdicts as the verdicts themselves have.
        """
        now = self.progress[-1] if self.progress else FitSize(0, 0.0, 0.0)
        then = [one for one in self.progress if one.runs <= now.runs - TUNING.trend_runs]
        if len(then) < TUNING.min_fits or now.runs < TUNING.min_runs:
            return False
        recent = [one for one in self.progress if one.runs >= then[-1].runs]
        grown = now.model - then[-1].model
        return grown > now.labels - then[-1].labels and all(one.model > one.labels for one in recent)

    def _separate_conflicts(self, model: RuleModel) -> bool:
        """Add a bracket for each conflict of a model; return True if one of them is new."""
        new = [self.notebook.separate(one, other) for one, other in sorted(model.conflicts)]
        return any(new)

    def _fit(self, features: Sequence[Feature], is_quick: bool = False) -> RuleModel:
        sets = self._find_value_sets()
        listed = frozenset(index for index, _ in sets)
        chosen = self._search.find(features, self.notebook.brackets, self.notebook.points, is_quick, listed)
        return RuleModel(self.axes, self.notebook, chosen, self.rng, sets)

    def _find_value_sets(self) -> list[tuple[int, frozenset[int]]]:
        """Return the sets of values of integer fields for which it fails, read off lines that were run completely.

        A line on which the verdict changes a few times needs no list: it has a bound, a range, a single value, or an
        exception within a range, which may move with another field.
        """
        found: dict[tuple[int, frozenset[int]], None] = {}
        for axis in self.axes:
            if axis.whole and axis.high - axis.low < TUNING.max_listed_line:
                for line in self._list_lines(axis.index):
                    if len(line) == axis.high - axis.low + 1 and _count_changes([label for _, label in line]) > 4:
                        found[axis.index, frozenset(point[axis.index] for point, label in line if label)] = None
        return list(found)[: TUNING.max_value_sets]

    def _avoid_periods(self, model: RuleModel, features: Sequence[Feature]) -> RuleModel:
        """Return a model that uses no remainders and bits of a field, if it is no more expensive than ``model``.

        A few remainders and bits together can single out one value. It may then take many runs to meet another value
        that they also allow.
        """
        if len(model.cuts) > TUNING.many_cuts:
            return model
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
        moving = [index for index in self.library.numeric if self.has_moving_boundary(index)]
        bracketed = {one.axis.index for one in self.notebook.brackets if one.axis.numeric}
        numbers, limit = self.library.numeric, TUNING.max_numbers_together
        matter = sorted(bracketed | set(moving)) if len(numbers) > limit else numbers
        pairs = [pair for pair in combinations(matter, 2) if set(pair) & set(moving) or len(matter) <= limit]
        triples = [three for three in combinations(matter, 3) if len(set(three) & set(moving)) >= 2]
        return [*pairs[: TUNING.max_pairs], *triples[: TUNING.max_triples]]

    def _select_puzzling(self, groups: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """Return the groups with more brackets that are badly explained than at the last fit of their numbers."""
        explained = {
            i
            for cut in (self.model.cuts if self.model is not None else ())
            if len(cut.claimed) >= TUNING.min_claims and cut.gain > TUNING.min_gain
            for i in cut.explained
        }
        open_axes = Counter(
            one.axis.index for i, one in enumerate(self.notebook.brackets) if one.ordered and i not in explained
        )
        found = []
        for group in groups:
            count = sum(open_axes[index] for index in group)
            if count > self._puzzling.get(group, 0):
                self._puzzling[group] = count
                found.append(group)
        return found

    def has_moving_boundary(self, index: int) -> bool:
        """Return True if a few simple constants do not explain all boundaries on this axis."""
        spans = []
        for one in self.notebook.brackets:
            if one.axis.index == index and one.is_placed:
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
            if self.axes[index].is_periodic and (found := self.find_patterns(index, TUNING.pattern_saves)):
                for feature in self.library.periodic(index):
                    feature.max_evidence = TUNING.pattern_bits if feature is found[0] else feature.default_max_evidence

    def find_patterns(self, index: int, saved: int) -> list[Feature]:
        """Return the periodic features that save at least ``saved`` changes of the verdict along a field, best first.

        The saved changes are the difference between two counts. Both count changes between neighbours on each line:
        first with the points sorted by the field, then with the points sorted by the feature. Features that save the
        same number are compared by their price with the constants of the changes: ``a & 16 > 0`` needs no constant
        beside its bit, ``a % 32 >= 16`` does.
        """
        lines = [line for line in self._list_lines(index) if len(line) >= TUNING.min_line]
        self.library.moduli[index] = self._find_moduli(index, lines)
        plain = sum(_count_changes([label for _, label in line]) for line in lines)
        found = []
        for feature in self.library.periodic(index):
            valued = [[(feature.value(point), label) for point, label in line] for line in lines]
            ordered = [sorted(line, key=lambda one: one[0]) for line in valued]
            changes = [_count_changes([label for _, label in line]) for line in ordered]
            if changes and max(changes) <= 2 and plain - sum(changes) >= saved:
                found.append((sum(changes), feature.price + max(map(_price_constants, ordered)), feature))
        return [feature for _, _, feature in sorted(found, key=lambda one: one[:2])]

    def _find_moduli(self, index: int, lines: Sequence[Sequence[tuple[Point, bool]]]) -> list[int]:
        """Return the moduli that may decide on an integer field: divisors of distances between alike values.

        On a line, these are values with the same verdict; a modulus is kept if it saves a change of the verdict. In
        different surroundings, these are isolated values, beside which the verdict changes on both sides.
        """
        found: list[tuple[float, int]] = []
        for line in lines:
            values = np.array([point[index] for point, _ in line], dtype=object)
            labels = np.array([label for _, label in line])
            plain = _count_changes(labels.tolist())
            for modulus in _list_divisors(_list_distances(values, labels)):
                order = np.argsort((values % modulus).astype(np.int64), kind="stable")
                changes = int(np.count_nonzero(np.diff(labels[order])))
                if changes < plain:
                    found.append((changes + price(modulus) / TUNING.max_constant_bits, modulus))
        for values in self._list_isolated(index):
            divisors = _list_divisors(_list_distances(values))
            found += [(price(modulus) / TUNING.max_constant_bits, modulus) for modulus in divisors]
        return list(dict.fromkeys(modulus for _, modulus in sorted(found)))[: TUNING.max_moduli]

    def _list_isolated(self, index: int) -> list[Any]:
        """Return the values of an integer field whose neighbours both have the other verdict, for each verdict."""
        labels = self.notebook.labels
        exact = [one for one in self.notebook.brackets if one.axis.index == index and one.exact and one.low is not None]
        begins = {(one.high, labels[one.other]) for one in exact}
        ends = {(one.low, labels[one.one]) for one in exact}
        alone = begins & ends
        return [
            np.array(sorted(value for value, label in alone if label is wanted), dtype=object)
            for wanted in (True, False)
        ]

    def _list_lines(self, index: int) -> list[list[tuple[Point, bool]]]:
        """Return the groups of points that differ only in the field ``index``, with the label of each point.

        Each group is sorted by that field.
        """
        lines, done = self._lines.setdefault(index, ({}, 0))
        points, labels = self.notebook.points, self.notebook.labels
        for point, label in zip(points[done:], labels[done:], strict=True):
            insort(lines.setdefault(identity(change_value(point, index, None)), []), (point, label), key=_field(index))
        self._lines[index] = lines, len(points)
        return list(lines.values())

    def list_hints(self) -> list[tuple[Cut, float]]:
        """Return cuts on which further boundaries may lie, each with the belief in it."""
        if self.model is None:
            return []
        found = []
        for cut in self.model.cuts:
            for one in (cut, *cut.rivals):
                found.append((one, 2.0 ** -min(one.feature.price + one.feature.price_constant(one.constant), 60)))
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


def _field(index: int) -> Callable[[tuple[Point, bool]], Any]:
    return lambda run: run[0][index]


def _price_constants(line: Sequence[tuple[int, bool]]) -> float:
    """Return the price of the simplest constants at which the verdict changes along sorted values."""
    changes = [(low, high) for (low, one), (high, other) in pairwise(line) if one != other]
    return sum(price(find_simplest(low, high, whole=True)) for low, high in changes)


def _list_distances(values: Any, labels: Any = None) -> set[int]:
    """Return the distances between values, of the same label if labels are given."""
    found: set[int] = set()
    for wanted in (True, False) if labels is not None else (None,):
        some = (values if wanted is None else values[labels == wanted])[: TUNING.max_distances]
        found |= {abs(int(one) - int(other)) for one, other in combinations(some, 2)}
    return found


def _list_divisors(distances: Iterable[int]) -> list[int]:
    """Return the numbers from 2 to ``TUNING.max_shift`` that divide one of the distances."""
    return sorted({divisor for distance in distances for divisor in _divide(distance)})


@lru_cache(maxsize=1 << 14)
def _divide(distance: int) -> tuple[int, ...]:
    numbers = np.arange(2, TUNING.max_shift + 1)
    return tuple(numbers[distance % numbers == 0].tolist()) if 1 < distance < 2**62 else ()


def _count_changes(labels: Sequence[bool]) -> int:
    return sum(one != other for one, other in pairwise(labels))
