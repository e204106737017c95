"""The search for the exact condition by its boundaries: what ``auto`` means.

Code fails behind comparisons. So instead of sampling the space, this search looks for the places where the verdict
changes, makes them exact by bisection, and asks which comparison would put them just there. The simplest one that
explains them all is then tried where its rivals would predict otherwise.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from rootward.errors import InputError
from rootward.facts import Fact
from rootward.rules import Estimate, Rule
from rootward.search.ask import Answers, Ask, Search, has_failed
from rootward.search.relay import relay
from rootward.searches.conditions.boundaries.axis import Axis
from rootward.searches.conditions.boundaries.cut import Cut
from rootward.searches.conditions.boundaries.feature import Point
from rootward.searches.conditions.boundaries.fitting import Fitting
from rootward.searches.conditions.boundaries.observations import Again, Notebook
from rootward.searches.conditions.boundaries.rule_model import Model
from rootward.searches.conditions.boundaries.strategy import Inquiry
from rootward.searches.conditions.boundaries.tuning import TUNING
from rootward.searches.conditions.boundaries.wording import decides, rule_of
from rootward.searches.conditions.facts import FewTried, NotSimple, OpenConstant
from rootward.searches.conditions.rule_finding import UNMEASURED, Edge, RuleFinding
from rootward.space.candidate import Configuration
from rootward.space.space import Space

SHOWN = 6
"""So many pairs of neighbours are shown: more do not tell more."""


def boundaries(
    space: Space,
    failing: Mapping[str, Any] | None = None,
    *,
    fields: Sequence[str] | None = None,
    seed: int = 0,
    verify: int | None = None,
) -> Search[Configuration, RuleFinding]:
    """The condition under which it fails. ``verify``: so many fresh runs measure it in the end, 20 unless told."""
    if fields is not None and failing is None:
        raise InputError("fields says what may change: the others keep the values of a failing configuration; give one")
    names = list(space.names if fields is None else fields)
    notebook = Notebook(space, names, failing or {})
    telling = Telling(space, Inquiry(notebook, seed, verify))
    start = tuple(space.check(failing)[name] for name in names) if failing is not None else None
    yield from relay(telling.inquiry.run(start), partial(_run, notebook, telling))
    return telling.final()


def _run(
    notebook: Notebook, telling: Telling, points: Sequence[Point]
) -> Generator[Ask[Configuration], Answers, Sequence[bool | None]]:
    if isinstance(points, Again):
        candidates = [notebook.configuration(point) for point in points]
        outcomes = yield Ask(candidates, fresh=True, best=telling.best(), note=telling.inquiry.note)
        return [has_failed(outcome) for outcome in outcomes]
    fresh = list({repr(point): point for point in points if not notebook.seen(point)}.values())
    while fresh:
        count = _some(len(notebook.points))
        now, fresh = fresh[:count], fresh[count:]
        candidates, ahead = ([notebook.configuration(point) for point in some] for some in (now, fresh))
        outcomes = yield Ask(candidates, best=telling.best(), note=telling.inquiry.note, ahead=ahead)
        for point, outcome in zip(now, outcomes, strict=True):
            notebook.add(point, has_failed(outcome))
    return [notebook.label(point) for point in points]


def _some(runs: int) -> int:
    return max(TUNING.min_question, runs // TUNING.question_divisor)


class Telling:
    """What an inquiry has found so far, as a finding."""

    def __init__(self, space: Space, inquiry: Inquiry) -> None:
        self.space, self.inquiry = space, inquiry
        self._told: tuple[Model | None, set[bool], Rule] = None, set(), Rule.never()
        self._fitting, self._sketched = inquiry.fitting, 0

    def best(self) -> RuleFinding:
        """The finding so far: of the inquiry's own fit, or of a sketch while there is none."""
        own, notebook = self.inquiry.fitting, self.inquiry.notebook
        count = len(notebook.points)
        if len(set(notebook.labels)) < 2 or own.model is not None:
            self._fitting = own
        elif count >= self._sketched + _some(self._sketched):
            self._fitting, self._sketched = sketch(notebook), count
        return self._finding()

    def final(self) -> RuleFinding:
        """The finding in the end: of the fit that was measured. Open is only what makes a difference to the rule."""
        self._fitting = self.inquiry.fitting
        model = self._fitting.model
        loose = [cut for cut in self._loose() if model is not None and decides(cut, model, self.space)]
        return replace(self._finding(), open=tuple(map(self._open, loose)))

    def _finding(self) -> RuleFinding:
        """The rule is worded anew only if the model is another one, or a verdict was not seen before."""
        notebook, model = self.inquiry.notebook, self._fitting.model
        if self._told[0] is not model or self._told[1] != set(notebook.labels):
            self._told = model, set(notebook.labels), self._rule(model)
        fails = sum(notebook.labels)
        accuracy, verified = self._accuracy()
        return RuleFinding(
            rule=self._told[2],
            of=len(self.space),
            accuracy=accuracy,
            verified=verified,
            fails=fails,
            passes=len(notebook.labels) - fails,
            unknown=(NotSimple(),) if self.inquiry.lost else (),
            untried=tuple(self._untried()),
            open=tuple(map(self._open, self._loose())),
            edges=tuple(self._edges()),
            unjudged=notebook.unjudged,
            unsteady=self.inquiry.unsteady,
        )

    def _rule(self, model: Model | None) -> Rule:
        labels = self.inquiry.notebook.labels
        if model is None or len(set(labels)) < 2:
            return Rule.always() if any(labels) else Rule.never()
        return rule_of(model, self.space)

    def _accuracy(self) -> tuple[Estimate, int]:
        score = self.inquiry.score
        return (score.balanced_accuracy, score.trials) if score is not None else (UNMEASURED, 0)

    def _edges(self) -> Iterator[Edge]:
        notebook = self._fitting.notebook
        exact = [one for one in notebook.brackets if one.exact]
        for one in exact[:SHOWN]:
            fails, passes = (one.one, one.other) if notebook.labels[one.one] else (one.other, one.one)
            yield Edge(*(notebook.configuration(notebook.points[i]) for i in (fails, passes)))

    def _loose(self) -> list[Cut]:
        """The cuts whose constants are not known to the last digit."""
        model, brackets = self._fitting.model, self._fitting.notebook.brackets
        used = model.used if model is not None else []
        return [cut for cut in used if not any(brackets[i].exact for i in cut.explained)]

    def _open(self, cut: Cut) -> Fact:
        quantity = cut.feature.quantity([axis.name for axis in self._fitting.notebook.axes])
        return OpenConstant(quantity, cut.constant, cut.low, cut.high)

    def _untried(self) -> Iterator[Fact]:
        """Of which fields too little was seen."""
        points = self.inquiry.notebook.points
        for axis in self.inquiry.axes:
            if not axis.numeric and len(axis.listed) < len(axis.field.values):
                yield FewTried.among(axis.name, axis.field, [point[axis.index] for point in points])


# A sketch: what the runs so far say while the opening is going on, before there is a model. It is what the user gets if
# the budget ends there. Whether anyone looks must not change what is asked next, so a sketch is fitted to a copy of the
# notebook, with randomness of its own. Bisections that have not ended count as brackets, as wide as they are.


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
