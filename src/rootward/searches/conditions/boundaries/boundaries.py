"""The search by boundaries: find the exact condition of a failure. It is the default method of ``rule``.

Code fails behind comparisons, such as ``speed > 4500`` or ``width * height > 2147483647``. So instead of sampling the
space, this search looks for *boundaries*, where the verdict changes.

What it believes: the condition is a short combination of comparisons. A comparison (a *cut*, cut.py) compares a
*feature*, such as a field or a product of two (feature.py, library.py), with a constant that code would plausibly
contain (simplicity.py). Everything is measured in bits: a boundary seen within a narrow interval is strong evidence for
a cut that explains it, and long formulas and odd constants cost bits. The cuts with the best balance, and the shortest
logic over them that agrees with every run (logic.py), form the model (rule_model.py, fitting.py).

What it asks: points around the failing configuration where code tends to behave differently (openings.py); bisections
that make a boundary exact (sharpen.py); and points where the model is most likely to be wrong, because rival cuts or
rival logics predict otherwise there or because no run was made there (places.py). experiments.py combines such
questions, and strategy.py decides which comes next.

Why it ends: the model is accepted after enough runs in a row agree with it and fresh runs confirm it. The search gives
up after a maximum number of runs or comparisons, or when nothing is left to ask (strategy.py).

Texts have no boundaries to bisect: text_experiments.py shrinks and varies them, and texts.py says what code may ask
about a text. Quantities that the user defines are in derived_fields.py.

How to extend it: a new kind of expression is a production of the grammar in library.py; a new kind of question is a
generator in experiments.py that strategy.py calls. wording.py turns the model into the rule of the finding.
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
from rootward.rules import Estimate, Quantity, Rule
from rootward.search.ask import Answers, Ask, Search, has_failed
from rootward.search.relay import relay
from rootward.searches.conditions.boundaries.axis import FieldAxis
from rootward.searches.conditions.boundaries.cut import Cut
from rootward.searches.conditions.boundaries.feature import Point
from rootward.searches.conditions.boundaries.fitting import Fitting
from rootward.searches.conditions.boundaries.observations import Observations, RepeatedPoints
from rootward.searches.conditions.boundaries.rule_model import RuleModel
from rootward.searches.conditions.boundaries.strategy import Strategy
from rootward.searches.conditions.boundaries.tuning import TUNING
from rootward.searches.conditions.boundaries.wording import depends_on_constant, rule_of
from rootward.searches.conditions.facts import FewTried, NotSimple, OpenConstant, UndefinedQuantity
from rootward.searches.conditions.rule_finding import UNMEASURED, EdgePair, RuleFinding
from rootward.space.candidate import Configuration
from rootward.space.space import Space

MAX_EDGES = 6
"""Maximum number of pairs of neighbouring runs in a finding; more would tell nothing new."""


def boundaries(
    space: Space,
    failing: Mapping[str, Any] | None = None,
    *,
    fields: Sequence[str] | None = None,
    seed: int = 0,
    verify: int | None = None,
    derived: Sequence[Quantity] = (),
    also: Sequence[Configuration] = (),
) -> Search[Configuration, RuleFinding]:
    """Find the condition under which the subject fails.

    Only ``fields`` may change; None means all fields. If ``fields`` is given, ``failing`` is required, and all other
    fields keep their value in ``failing``. ``verify`` is the number of fresh runs that measure the result at the end;
    None means 20. ``derived`` are quantities that the condition may use like fields (`rootward.rules.derivation`).
    ``also`` are further configurations that the condition must explain.
    """
    if fields is not None and failing is None:
        raise InputError("fields needs a failing configuration: the other fields keep its values")
    names = list(space.names if fields is None else fields)
    notebook = Observations(space, names, failing or {}, derived)
    points = [tuple(one[name] for name in names) for one in also]
    builder = FindingBuilder(space, Strategy(notebook, seed, verify, points))
    start = tuple(space.check(failing)[name] for name in names) if failing is not None else None
    yield from relay(builder.strategy.run(start), partial(_run, notebook, builder))
    return builder.final()


def _run(
    notebook: Observations, builder: FindingBuilder, points: Sequence[Point]
) -> Generator[Ask[Configuration], Answers, Sequence[bool | None]]:
    if isinstance(points, RepeatedPoints):
        candidates = [notebook.configuration(point) for point in points]
        outcomes = yield Ask(candidates, fresh=True, best=builder.best(), note=builder.strategy.note)
        return [has_failed(outcome) for outcome in outcomes]
    fresh = list({repr(point): point for point in points if not notebook.is_seen(point)}.values())
    while fresh:
        count = _question_size(len(notebook.points))
        now, fresh = fresh[:count], fresh[count:]
        candidates, ahead = ([notebook.configuration(point) for point in some] for some in (now, fresh))
        outcomes = yield Ask(candidates, best=builder.best(), note=builder.strategy.note, ahead=ahead)
        for point, outcome in zip(now, outcomes, strict=True):
            notebook.add(point, has_failed(outcome))
    return [notebook.label(point) for point in points]


def _question_size(runs: int) -> int:
    return max(TUNING.min_question, runs // TUNING.question_divisor)


class FindingBuilder:
    """Builds the finding from the state of the search, at the end and at every question."""

    def __init__(self, space: Space, strategy: Strategy) -> None:
        self.space, self.strategy = space, strategy
        self._worded: tuple[RuleModel | None, set[bool], Rule] = None, set(), Rule.never()
        self._fitting, self._sketched, self._worded_at = strategy.fitting, 0, 0

    def best(self) -> RuleFinding:
        """Return the finding so far.

        It comes from the fit of the strategy. As long as the strategy has no model, it comes from a sketch.
        """
        own, notebook = self.strategy.fitting, self.strategy.notebook
        count = len(notebook.points)
        if len(set(notebook.labels)) < 2 or own.model is not None:
            self._fitting = own
        elif count >= self._sketched + _question_size(self._sketched):
            self._fitting, self._sketched = sketch(notebook), count
        return self._finding()

    def final(self) -> RuleFinding:
        """Return the final finding, from the fit that was measured.

        It lists only those open constants whose exact value makes a difference to the rule.
        """
        self._fitting = self.strategy.fitting
        model = self._fitting.model
        loose = [
            cut for cut in self._list_loose_cuts() if model is not None and depends_on_constant(cut, model, self.space)
        ]
        return replace(self._finding(is_final=True), open=tuple(map(self._open_constant, loose)))

    def _finding(self, is_final: bool = False) -> RuleFinding:
        """Return the finding of the current fit. The rule is worded again only if the model or the verdicts changed.

        Wording a large model takes long, so it waits for more runs, unless the finding is final.
        """
        notebook, model = self.strategy.notebook, self._fitting.model
        large = model is not None and len(model.cuts) > TUNING.many_cuts
        waits = large and len(notebook.points) < self._worded_at + _question_size(self._worded_at) and not is_final
        if (self._worded[0] is not model and not waits) or self._worded[1] != set(notebook.labels):
            self._worded = model, set(notebook.labels), self._rule(model)
            self._worded_at = len(notebook.points)
        fails = sum(notebook.labels)
        accuracy, verified = self._accuracy()
        return RuleFinding(
            rule=self._worded[2],
            of=len(self.space),
            accuracy=accuracy,
            verified=verified,
            fails=fails,
            passes=len(notebook.labels) - fails,
            unknown=(NotSimple(),) if self.strategy.is_lost else (),
            explained=tuple(self._count_explained()) if self.strategy.is_lost else (),
            untried=(*self._list_untried(), *(self._list_undefined() if is_final else ())),
            open=tuple(map(self._open_constant, self._list_loose_cuts())),
            edges=tuple(self._list_edges()),
            unjudged=notebook.unjudged,
            unsteady=self.strategy.unsteady,
        )

    def _rule(self, model: RuleModel | None) -> Rule:
        labels = self.strategy.notebook.labels
        if model is None or len(set(labels)) < 2:
            return Rule.always() if any(labels) else Rule.never()
        return rule_of(model, self.space)

    def _count_explained(self) -> Iterator[int]:
        """Yield, for each alternative of the rule, the number of failing runs where it holds."""
        notebook = self.strategy.notebook
        runs = zip(notebook.points, notebook.labels, strict=True)
        failed = [notebook.configuration(point) for point, fails in runs if fails]
        for term in self._worded[2].terms:
            yield sum(map(term.holds, failed))

    def _accuracy(self) -> tuple[Estimate, int]:
        score = self.strategy.score
        return (score.balanced_accuracy, score.trials) if score is not None else (UNMEASURED, 0)

    def _list_edges(self) -> Iterator[EdgePair]:
        notebook = self._fitting.notebook
        exact = [one for one in notebook.brackets if one.exact]
        for one in exact[:MAX_EDGES]:
            fails, passes = (one.one, one.other) if notebook.labels[one.one] else (one.other, one.one)
            yield EdgePair(*(notebook.configuration(notebook.points[i]) for i in (fails, passes)))

    def _list_loose_cuts(self) -> list[Cut]:
        """Return the cuts of the rule whose constants are not known exactly."""
        model, notebook = self._fitting.model, self._fitting.notebook
        used = model.used_cuts if model is not None else []
        return [cut for cut in used if not any(notebook.is_sharp(i, cut.feature) for i in cut.explained)]

    def _open_constant(self, cut: Cut) -> Fact:
        quantity = cut.feature.quantity([axis.name for axis in self._fitting.notebook.axes])
        return OpenConstant(quantity, cut.constant, cut.low, cut.high)

    def _list_undefined(self) -> list[UndefinedQuantity]:
        notebook = self.strategy.notebook
        runs = [notebook.configuration(point) for point in notebook.points] if notebook.derived else []
        return UndefinedQuantity.among((one.quantity for one in notebook.derived), runs)

    def _list_untried(self) -> Iterator[Fact]:
        """Yield a fact for each field of which not all listed values are tried."""
        points = self.strategy.notebook.points
        for axis in self.strategy.axes:
            if not axis.numeric and len(axis.tried_values) < len(axis.field.values):
                yield FewTried.among(axis.name, axis.field, [point[axis.index] for point in points])


# A sketch: a preliminary fit during the opening questions, before there is a model. It is the answer if the budget ends
# there. Making a sketch must not change the next questions, so it is fitted to a copy of the notebook, with its own
# random numbers. Unfinished bisections count as brackets of their current width.


def sketch(notebook: Observations) -> Fitting:
    """Fit all runs so far, in a copy of the notebook, and return the fit."""
    copy = notebook.copy()
    for axis in copy.axes:
        for line in copy.lines(axis.index).values():
            _add_flips(copy, axis, line)
    # Any two numbers differ in some bit: a bracket is not evidence for a bit, only a pattern is.
    made = Fitting(copy, np.random.default_rng(len(copy.points)), is_quick=True)
    made.refit()
    return made


def _add_flips(notebook: Observations, axis: FieldAxis, line: Sequence[Point]) -> None:
    """Add a bracket wherever the verdict changes along a line.

    Points that have no position on the axis (NaN, values without an order) are compared with the first point.
    """
    placed = [point for point in line if axis.numeric and point[axis.index] == point[axis.index]]
    placed.sort(key=lambda point: axis.position(point[axis.index]))
    odd = [point for point in line if point not in placed]
    for one, other in [*pairwise(placed), *((line[0], point) for point in odd)]:
        notebook.bracket(one, other, axis.index)
