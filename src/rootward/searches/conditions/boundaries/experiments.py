"""Experiments: generators of points, each of which finds out one thing.

Examples: where along a field the verdict changes, which field makes the difference between two points, or whether a
cut predicts the boundary correctly in other surroundings too. The results are brackets in the notebook.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from rootward.search.border import BorderStep, bisect
from rootward.search.isolate import ChangeSet, turning_point
from rootward.search.relay import relay, run_side_by_side
from rootward.searches.conditions.boundaries.axis import FieldAxis
from rootward.searches.conditions.boundaries.cut import Cut
from rootward.searches.conditions.boundaries.feature import Point
from rootward.searches.conditions.boundaries.fitting import Fitting
from rootward.searches.conditions.boundaries.observations import (
    Experiment,
    ask,
    change_value,
    count_differences,
    find_label,
    is_same,
)
from rootward.searches.conditions.boundaries.openings import Openings
from rootward.searches.conditions.boundaries.places import Places
from rootward.searches.conditions.boundaries.rule_model import RuleModel
from rootward.searches.conditions.boundaries.sharpen import find_crossing, sharpen
from rootward.searches.conditions.boundaries.text_experiments import TextExperiments
from rootward.searches.conditions.boundaries.tuning import TUNING


class Experiments:
    """The experiments. ``confirmations`` counts how often a cut was confirmed, ``attempts`` how often it was tested."""

    def __init__(self, fitting: Fitting, places: Places, openings: Openings, rng: np.random.Generator) -> None:
        self.fitting, self.places, self.openings, self.rng = fitting, places, openings, rng
        self.notebook, self.axes = fitting.notebook, fitting.axes
        self.confirmations: Counter[Any] = Counter()
        self.attempts: Counter[Any] = Counter()
        self.refined_pairs: set[tuple[int, int]] = set()
        self.texts = TextExperiments(self.notebook, rng)
        self.asked_periods: Counter[int] = Counter()
        """For each integer field, the number of isolated values that were known when its period was asked for."""
        self.swept_fields: set[int] = set()
        self.tested_lists: set[Any] = set()
        self.tested_values: set[int] = set()
        self.tested_relations: set[Any] = set()
        self.followed_periods: set[Any] = set()
        self.narrowed_cuts: set[Any] = set()

    def profile(self, base: Point, axis: FieldAxis) -> Experiment[None]:
        """Find where along one axis the verdict changes."""
        points = self.openings.landmarks(base, axis)
        fresh = [point for point in points if not self.notebook.is_seen(point)]
        if fresh:
            yield fresh
        yield from self._find_brackets(base, axis, [base, *points])

    def _find_brackets(self, base: Point, axis: FieldAxis, points: Sequence[Point]) -> Experiment[None]:
        """Find a bracket for each change of the verdict between points that differ only in this field."""
        judged = [point for point in points if self.notebook.label(point) is not None]
        if not axis.numeric:
            for point in judged:
                self.notebook.bracket(base, point, axis.index)
            return
        line = sorted((p for p in judged if p[axis.index] == p[axis.index]), key=lambda p: axis.position(p[axis.index]))
        flips = [(a, b) for a, b in pairwise(line) if self.notebook.label(a) != self.notebook.label(b)]
        hints = self.fitting.list_first_hints(axis) if self.fitting.model is None else self.fitting.list_hints()
        for one, other in flips:  # one after the other: an earlier constant may recur with the other sign
            yield from sharpen(self.notebook, axis.index, one, other, hints)
        undefined = base[axis.index] != base[axis.index]
        for point in judged:
            if undefined or point[axis.index] != point[axis.index]:
                self.notebook.bracket(base, point, axis.index)

    def find_period(self, base: Point, index: int) -> Experiment[None]:
        """Find out whether the verdict at one value of an integer recurs, and with which period."""
        self.asked_periods[index] = max(len(self._list_isolated_points(index)), 1)
        yield from ask([p for p in self.openings.periods(base, self.axes[index]) if not self.notebook.is_seen(p)])
        for _ in range(TUNING.max_period_questions):
            patterns = self.fitting.find_patterns(index, TUNING.pattern_hint)
            moduli = [int(one.formula[4:]) for one in patterns if "%" in one.formula]
            fresh = [p for p in self._choose_distances(base, index, moduli) if not self.notebook.is_seen(p)]
            if not fresh:
                return
            yield fresh[:1]

    def _choose_distances(self, base: Point, index: int, moduli: Sequence[int]) -> list[Point]:
        """Return variations of ``base`` in which the integer field ``index`` is moved by a distance.

        Each distance is a multiple of some of the ``moduli``. Distances that are multiples of about half of them come
        first.
        """
        axis = self.axes[index]
        divided = {by: sum(by % one == 0 for one in moduli) for by in range(1, max(moduli, default=0) + 1)}
        telling = [by for by, count in divided.items() if count and by <= self.openings.reach(base, axis)]
        return self.openings.move_integer(
            base, axis, sorted(telling, key=lambda by: (abs(2 * divided[by] - len(moduli)), by))
        )

    def find_listed_fields(self) -> dict[int, Point]:
        """Return a point for each short integer field whose values may be a mere list, which no comparison describes.

        Signs of that are two isolated values, or a pattern that the model needs.
        """
        model, found = self.fitting.model, {}
        for cut in model.used_cuts if model is not None else ():
            along = [one for i in cut.explained if (one := self.notebook.brackets[i]).axis.index in cut.feature.indices]
            if cut.feature.is_periodic and along:
                found[along[0].axis.index] = self.notebook.points[along[0].one]
        for axis in self.axes:
            if axis.whole and len(alone := self._list_isolated_points(axis.index)) > 1:
                found[axis.index] = alone[-1]
        sizes = {index: self.axes[index].high - self.axes[index].low for index in found}
        return {
            index: point
            for index, point in found.items()
            if sizes[index] < TUNING.max_swept_line and index not in self.swept_fields
        }

    def sweep(self, base: Point, index: int) -> Experiment[None]:
        """Run all values of an integer field."""
        self.swept_fields.add(index)
        axis = self.axes[index]
        points = [change_value(base, index, value) for value in range(axis.low, axis.high + 1)]
        yield from ask([point for point in points if not self.notebook.is_seen(point)])

    def find_open_lists(self, model: RuleModel) -> list[tuple[int, frozenset[int], Cut]]:
        """Return the lists of values that the model uses, each with a bound that was not tested for all its values."""
        lists = [literal.meaning for literal in model.used_literals if literal.meaning[2] in ("in", "not in")]
        return [
            (index, values, cut)
            for index, values, _ in lists
            for cut in model.used_cuts
            if index not in cut.feature.indices and (index, values, *cut.identity) not in self.tested_lists
        ]

    def test_list(self, index: int, values: frozenset[int], cut: Cut) -> Experiment[None]:
        """Test a bound for each value of a list. The values were listed on one line; elsewhere, they may differ."""
        self.tested_lists.add((index, values, *cut.identity))
        some = sorted(values)
        if len(some) > TUNING.max_listed_values:
            picked = self.rng.choice(len(some), TUNING.max_listed_values, replace=False)
            some = [some[int(i)] for i in sorted(picked)]
        points = [point for value in some for point in self.places.find_crossing_at(cut, index, value)]
        yield from ask([point for point in points if not self.notebook.is_seen(point)])

    def find_single_values(self) -> dict[int, Point]:
        """Return a failing point for each short integer field with an isolated value, whose other values may fail, too.

        They may do so only farther beyond the bounds on other fields, where they were not run yet.
        """
        found = {}
        for axis in self.axes:
            if axis.whole and axis.high - axis.low < TUNING.max_swept_line and axis.index not in self.tested_values:
                failing = [p for p in self._list_isolated_points(axis.index) if self.notebook.label(p)]
                found.update({axis.index: failing[0]} if failing else {})
        return found

    def test_other_values(self, model: RuleModel, base: Point, index: int) -> Experiment[None]:
        """Run other values of a field, with the other bounded fields moved to their ends, as far as it still fails."""
        self.tested_values.add(index)
        bounded = {i for cut in model.used_cuts if not cut.feature.is_periodic for i in cut.feature.indices} - {index}
        for axis in (self.axes[i] for i in sorted(bounded)):
            for end in axis.ends:
                moved = change_value(base, axis.index, end)
                if end == end and (yield from find_label(self.notebook, moved)):
                    base = moved
                    break
        some = self.rng.permutation(self.axes[index].high - self.axes[index].low + 1)[: TUNING.max_listed_values]
        points = [change_value(base, index, self.axes[index].low + int(i)) for i in sorted(some)]
        yield from ask([point for point in points if not self.notebook.is_seen(point)])

    def find_untested_relations(self, model: RuleModel) -> list[Cut]:
        """Return the relations of several fields that were not tested with other numbers at their ends."""
        several = [cut for cut in model.used_cuts if len(cut.feature.indices) > 1]
        return [cut for cut in several if cut.identity not in self.tested_relations]

    def test_ends(self, cut: Cut) -> Experiment[None]:
        """Test a relation with each other number at both of its ends: a small unit moves its boundary only a little."""
        self.tested_relations.add(cut.identity)
        others = [axis for axis in self.axes if axis.numeric and axis.is_finite and not axis.is_fixed]
        ends = [(one.index, end) for one in others if one.index not in cut.feature.indices for end in one.ends]
        sides: dict[bool, list[int]] = {}
        for i in cut.explained:  # an absolute value has two boundaries: one fails below, the other above
            fails_below = self.notebook.labels[self.notebook.brackets[i].one]
            sides.setdefault(cut.feature.is_absolute and fails_below, []).append(i)
        parts = [replace(cut, explained=tuple(some)) for some in sides.values()]
        points = [p for one in parts for index, end in ends for p in self.places.find_crossing_at(one, index, end)]
        yield from ask([point for point in points if not self.notebook.is_seen(point)])

    def follow_period(self, cut: Cut) -> Experiment[None]:
        """Find out where a pattern begins and ends along an integer field.

        The values that the pattern treats alike lie one period apart. On both sides of a boundary of the pattern, go
        from value to value of this kind towards the ends of the field; where the verdict changes, another comparison
        of the field decides.
        """
        self.followed_periods.add(cut.feature.identity)
        index, period = cut.feature.indices[0], cut.feature.period
        along = [one for i in cut.explained if (one := self.notebook.brackets[i]).axis.index == index]
        for one in along[:1]:
            for number in (one.one, one.other):
                base, axis = self.notebook.points[number], self.axes[index]
                value = base[index]
                ends = value - (value - axis.low) // period * period, value + (axis.high - value) // period * period
                yield from ask([p for end in ends if not self.notebook.is_seen(p := change_value(base, index, end))])
                for end in ends:
                    if self.notebook.label(change_value(base, index, end)) not in (None, self.notebook.label(base)):
                        yield from self._halve_period(base, index, end, period)

    def _halve_period(self, base: Point, index: int, end: int, period: int) -> Experiment[None]:
        """Find the bracket between values one period apart, between ``base`` and the value ``end`` of its field."""
        axis, label = self.axes[index], self.notebook.label(base)

        def middle(near: int, far: int) -> list[int]:
            if abs(far - near) <= period:
                return []
            half = axis.at(axis.middle(*sorted((near, far))))
            steps = min(max(abs(half - near) // period, 1), abs(far - near) // period - 1)
            return [near + (steps if far > near else -steps) * period]

        def alike(one: BorderStep[int]) -> Experiment[bool | None]:
            found = yield from find_label(self.notebook, change_value(base, index, one.place))
            return None if found is None else found == label

        near, far = yield from relay(bisect(base[index], end, middle, limit=TUNING.max_bisections), alike)
        self.notebook.bracket(change_value(base, index, near), change_value(base, index, far), index)

    def find_isolated_values(self) -> dict[int, Point]:
        """Return a point for each integer field that has an isolated value and was not tested for a period.

        Both neighbours of an isolated value have the other verdict. A second one is a reason to test again, because
        the period may divide the distance between the two.
        """
        found = {}
        for axis in self.axes:
            alone = self._list_isolated_points(axis.index) if axis.is_periodic else []
            if self.asked_periods[axis.index] < min(len(alone), 2):
                found[axis.index] = alone[-1]
        return found

    def _list_isolated_points(self, index: int) -> list[Point]:
        """Return a point for each isolated value of a field."""
        points, labels = self.notebook.points, self.notebook.labels
        exact = [one for one in self.notebook.brackets if one.axis.index == index and one.exact and one.low is not None]
        begins = {(one.high, labels[one.other]): points[one.other] for one in exact}
        ends = {(one.low, labels[one.one]) for one in exact}
        return [point for place, point in begins.items() if place in ends]

    def walk(self, here: Point, there: Point) -> Experiment[None]:
        """Walk from ``here`` to ``there``, field by field, and find a bracket on the way.

        The two points have different verdicts.
        """
        label = self.notebook.label(here)
        differing = [axis.index for axis in self.axes if not is_same(here[axis.index], there[axis.index])]
        self.rng.shuffle(differing)

        def changes_label(part: ChangeSet[int]) -> Experiment[bool | None]:
            found = yield from find_label(self.notebook, _move(here, there, part.changes))
            return None if found is None else found != label

        if end := (yield from relay(turning_point(differing), changes_label)):
            beyond = there if end == len(differing) else _move(here, there, differing[:end])
            nearer = _move(here, there, differing[: end - 1])
            index = differing[end - 1]
            # The places of a boundary that moves determine the numbers of the relation that moves it.
            share = 0.0 if self.axes[index].whole and self.fitting.has_moving_boundary(index) else None
            yield from sharpen(self.notebook, index, nearer, beyond, self.fitting.list_hints(), share)

    def _halve_between(self, here: Point, there: Point) -> Experiment[None]:
        """Halve the distance between two points with different verdicts, in all numbers at once."""
        label = self.notebook.label(here)

        def middle(here: Point, there: Point) -> list[Point]:
            point = here
            for axis in self.axes:
                ends = here[axis.index], there[axis.index]
                if axis.numeric and ends[0] != ends[1] and not any(end != end for end in ends):
                    low, high = sorted(map(axis.position, ends))
                    if not axis.adjacent(low, high):
                        point = change_value(point, axis.index, axis.at(axis.middle(low, high)))
            return [] if self.notebook.is_seen(point) else [point]

        def alike(one: BorderStep[Point]) -> Experiment[bool | None]:
            found = yield from find_label(self.notebook, one.place)
            return None if found is None else found == label

        yield from relay(bisect(here, there, middle, limit=TUNING.max_strides), alike)

    def approach(self, point: Point) -> Experiment[None]:
        """Move a point towards the first run, field by field, as long as it keeps its verdict.

        Then profile it along the fields that still differ.
        """
        label, base = self.notebook.label(point), self.notebook.points[0]
        for axis in self.axes:
            nearer = change_value(point, axis.index, base[axis.index])
            if is_same(point[axis.index], base[axis.index]):
                continue
            if (yield from find_label(self.notebook, nearer)) == label:
                point = nearer
        apart = [axis for axis in self.axes if not is_same(point[axis.index], base[axis.index])]
        yield from run_side_by_side([self.profile(point, axis) for axis in apart])

    def confirm(self, cut: Cut) -> Experiment[None]:
        """Test both sides of a cut in new surroundings, preferably where its rivals put the boundary elsewhere."""
        pair = self.places.find_new_crossing(cut)
        self.attempts[cut.identity] += 1
        if pair is None:
            return
        index, low, high = pair
        fresh = [point for point in (low, high) if not self.notebook.is_seen(point)]
        if fresh:
            yield fresh
        if self.notebook.label(low) == self.notebook.label(high):
            yield from self._find_shifted_boundary(cut, index, low, high)
            return
        self.notebook.bracket(low, high, index)
        if self.fitting.model is not None and self.fitting.model.predict(low) == self.notebook.label(low):
            self.confirmations[cut.identity] += 1

    def _find_shifted_boundary(self, cut: Cut, index: int, low: Point, high: Point) -> Experiment[None]:
        """Look for the boundary at the bounds of the cut's constant, after it was not found at the cut."""
        axis, label = self.axes[index], self.notebook.label(low)
        for constant in (cut.low, cut.high):
            other = replace(cut, constant=constant, strict=constant is cut.high)
            for end in (axis.low, axis.high):
                at = find_crossing(axis, other, low, *sorted((end, axis.position(low[index]))))
                if at is None:
                    continue
                far = change_value(low, index, axis.at(at if end == axis.low else axis.step(at, 1)))
                if (yield from find_label(self.notebook, far)) not in (None, label):
                    yield from sharpen(self.notebook, index, low, far, self.fitting.list_hints())
                    return

    def narrow(self, cut: Cut) -> Experiment[None]:
        """Narrow the bounds of a cut's constant.

        The runs follow a line on which the feature takes values between the bounds. On other lines, neighbouring values
        of a field may give values of the feature that lie far apart.
        """
        if cut.identity in self.narrowed_cuts or (found := self.places.find_finest_line(cut)) is None:
            return
        self.narrowed_cuts.add(cut.identity)
        index, low, high = found
        yield from ask([point for point in (low, high) if not self.notebook.is_seen(point)])
        if self.notebook.label(low) != self.notebook.label(high):
            yield from sharpen(self.notebook, index, low, high)

    def is_vague(self, cut: Cut) -> bool:
        """Return True if none of the boundaries that the cut explains was examined closely."""
        brackets = [self.notebook.brackets[i] for i in cut.explained]
        return all(one.low is None or (one.weight < TUNING.seen_closely_bits and not one.exact) for one in brackets)

    def refine(self, cut: Cut) -> Experiment[None]:
        """Look for a boundary between two known points that lie on different sides of a cut.

        The points have different verdicts and are otherwise as similar as possible.
        """
        sides = [cut.side(point) for point in self.notebook.points]
        fails, passes = (
            [i for i, label in enumerate(self.notebook.labels) if label is wanted and sides[i]]
            for wanted in (True, False)
        )
        pairs = [(i, j) for i in fails for j in passes if sides[i] != sides[j] and (i, j) not in self.refined_pairs]
        if pairs:
            points = self.notebook.points
            model = self.fitting.refit()
            cells = [model.cell(point) for point in points]
            one, other = min(
                pairs,
                key=lambda pair: (
                    count_differences(cells[pair[0]], cells[pair[1]]),
                    count_differences(points[pair[0]], points[pair[1]]),
                ),
            )
            self.refined_pairs.add((one, other))
            self.attempts[cut.identity] += 1
            if self.attempts[cut.identity] == 1:
                yield from self.walk(points[one], points[other])
            else:
                yield from self._halve_between(points[one], points[other])


def _move(here: Point, there: Point, fields: Sequence[int]) -> Point:
    """Return ``here`` with the values of ``there`` in these fields."""
    for index in fields:
        here = change_value(here, index, there[index])
    return here
