"""The inquiry: which experiment comes next, and when enough is known.

First the failing point is profiled, field by field; what tells most comes first, for the budget may be small. Then
rounds: what contradicts the model is walked to from a point that does not, which gives a bracket; cuts are confirmed
where their rivals disagree; cells that nobody has seen are visited. After enough runs that all went as predicted, the
model is the answer.
"""

from __future__ import annotations

import math
from itertools import zip_longest

import numpy as np

from rootward.rules.score import Score
from rootward.search.again import otherwise
from rootward.search.fresh import both_sides
from rootward.search.relay import side_by_side
from rootward.searches.conditions.boundaries.cut import Cut
from rootward.searches.conditions.boundaries.experiments import Experiments
from rootward.searches.conditions.boundaries.feature import Point
from rootward.searches.conditions.boundaries.fitting import Fitting
from rootward.searches.conditions.boundaries.model import Model
from rootward.searches.conditions.boundaries.notebook import Again, Experiment, Notebook, ask, differing
from rootward.searches.conditions.boundaries.openings import Openings
from rootward.searches.conditions.boundaries.places import Places
from rootward.searches.conditions.boundaries.sharpen import close, sharpen

QUIET = 36
"""So many runs in a row as predicted: then a cell that is wrong is a rare one."""
ALIKE = 80
"""As long as there is no boundary at all, so many: one verdict everywhere is a strong claim."""
IDLE = 12
"""So many rounds without a new run: there is nothing left to ask."""
VERIFIED = 20
"""So many fresh runs measure the answer, unless told otherwise."""
CHECKS = 4
"""An answer that fresh runs refute is repaired and measured again, so often at most."""
MOST_RUNS = 500
"""What so many runs do not explain has no simple explanation."""
MOST_CUTS = 30
"""Nor has what needs more comparisons than this."""
MANY_CUTS = 8
"""With more comparisons than this, each gets fewer runs of its own."""
PUZZLING = 14
"""With more comparisons than this, some runs are repeated once: perhaps the subject tosses a coin."""
REPEATED = 5
"""So many failing ones, and so many passing ones."""
LOOKED = 128
"""Without a failing configuration, so many are tried to find one."""
ROUND = 6
"""So many runs in a round without surprises: a model is made anew after each."""
CONFIRMED = 3
"""A cut is believed after so many crossings where it predicted them."""
TRIED = 4
"""A cut that is hard to confirm gets no more attempts than this."""
MARKS = 4
"""After so many land marks of each field, the corners tell more than further ones."""
FINE = 0.001
"""In the end, a constant is wanted within this share of its value."""


class Inquiry:
    """``score``: how the answer did on fresh runs; ``note``: what is being asked."""

    def __init__(self, notebook: Notebook, seed: int, verify: int | None = None) -> None:
        self.verify = VERIFIED if verify is None else verify
        self.score: Score | None = None
        self.note = ""
        self.notebook, self.axes = notebook, notebook.axes
        self.rng = np.random.default_rng([seed, 5])
        self.fitting = Fitting(notebook, self.rng)
        self.places = Places(self.fitting, self.rng)
        self.openings = Openings(notebook, self.fitting.library.numeric)
        self.experiments = Experiments(self.fitting, self.places, self.openings, self.rng)
        self.quiet = self.idle = 0
        self.surprises: list[int] = []
        self.repeated = self.unsteady = False

    @property
    def model(self) -> Model | None:
        """What is believed now, even in the middle of an experiment."""
        return self.fitting.model

    def run(self, start: Point | None) -> Experiment[None]:
        """All of it; the answer is the model."""
        base = yield from self.failing(start)
        if base is None:
            return
        yield from self.open(base)
        self.surprise(self.fitting.refit(), 0)
        for _ in range(CHECKS):
            while not self.settled:
                yield from self.round()
                if self.quiet >= self.enough:
                    yield from self.finish()
                if self.puzzled and (yield from self.repeat()):
                    return
            if (yield from self.check()) or self.lost:
                return

    @property
    def puzzled(self) -> bool:
        """Whether so much has to be said about the subject that it may not always do the same."""
        return not self.repeated and self.model is not None and len(self.model.cuts) > PUZZLING

    def repeat(self) -> Experiment[bool]:
        """Run some known points once more; whether one of them does not do the same again."""
        self.repeated = True
        known = list(zip(self.notebook.points, self.notebook.labels, strict=True))
        some = [run for wanted in (True, False) for run in [run for run in known if run[1] is wanted][:REPEATED]]
        told = yield Again(point for point, _ in some)
        self.unsteady = bool(otherwise(some, told))
        return self.unsteady

    def open(self, base: Point) -> Experiment[None]:
        """What is always asked about a failing point."""
        plain = tuple(value + 0 if isinstance(value, float) else value for value in base)  # -0.0 has no position
        yield from ask([plain] if not self.notebook.seen(plain) else [])
        base = plain if self.notebook.label(plain) else base
        self.note = "where does it begin to fail?"
        experiments, openings = self.experiments, self.openings
        free = [axis for axis in self.axes if not axis.fixed]
        marks = list(zip_longest(*(openings.landmarks(base, axis) for axis in free)))
        first, rest = ([point for some in part for point in some if point] for part in (marks[:MARKS], marks[MARKS:]))
        yield from ask([*first, *openings.corners(base), *rest])
        yield from side_by_side([experiments.profile(base, axis) for axis in free])
        points = [*openings.beside(), *openings.diagonals(base)]
        yield from ask([*points, *openings.beyond(base)])
        yield from side_by_side([experiments.recur(base, index) for index in openings.lonely(base)])

    def failing(self, start: Point | None) -> Experiment[Point | None]:
        """A point that fails: the given one, or one of many."""
        self.note = "does it fail?"
        yield from ask([start] if start is not None else [])
        while True not in self.notebook.labels and len(self.notebook.points) + self.notebook.unjudged < LOOKED:
            drawn = [tuple(axis.draw(self.rng) for axis in self.axes) for _ in range(8)]
            known = len(self.notebook.points) + self.notebook.unjudged
            yield from ask([point for point in drawn if not self.notebook.seen(point)])
            if len(self.notebook.points) + self.notebook.unjudged == known:
                break
        return next((p for p, failed in zip(self.notebook.points, self.notebook.labels, strict=True) if failed), None)

    @property
    def settled(self) -> bool:
        """Whether enough runs in a row were as predicted, or there is no hope."""
        if not self.notebook.brackets:
            return self.quiet >= ALIKE or self.idle >= IDLE
        asked = not (self.model and self.weak(self.model)) and not self.experiments.lone()
        return (self.quiet >= self.enough and asked) or self.idle >= IDLE or self.lost

    @property
    def enough(self) -> int:
        """How many runs in a row must be as predicted; each comparison was tried by itself, too."""
        return QUIET if self.model is None or len(self.model.cuts) <= MANY_CUTS else QUIET // 2

    @property
    def lost(self) -> bool:
        """Whether what was seen has no simple explanation."""
        return len(self.notebook.points) >= MOST_RUNS or (self.model is not None and len(self.model.cuts) > MOST_CUTS)

    def round(self) -> Experiment[None]:
        """The next experiments, and whether they went as predicted."""
        model = self.fitting.refit()
        before = len(self.notebook.points)
        if model.best.conflicts:
            points = self.notebook.points
            experiments = [self.experiments.walk(points[a], points[b]) for a, b in model.best.conflicts[:2]]
        elif self.surprises:
            experiments = self.explain()
        else:
            experiments = self.doubt(model)
        many = "" if len(model.cuts) == 1 else "s"
        self.note = f"{len(model.cuts)} comparison{many} may explain it; in a row as predicted: {self.quiet}"
        yield from side_by_side(experiments)
        self.surprise(model, before)

    def explain(self) -> list[Experiment[None]]:
        """Where does what went otherwise than predicted begin? One bracket may explain all of it."""
        points = [self.notebook.points[i] for i in self.surprises]
        if not self.notebook.brackets:
            self.surprises = []
            return [self.experiments.approach(points[0])]
        pairs = [(here, there) for here, i in zip(points, self.surprises, strict=True) if (there := self.partner(i))]
        self.surprises = []
        nearest = sorted(pairs, key=lambda pair: differing(*pair))[:1]
        return [self.experiments.walk(here, there) for here, there in nearest]

    def doubt(self, model: Model) -> list[Experiment[None]]:
        """Where might the model be wrong? Cuts that were not seen often or closely, and points elsewhere."""
        weak, tried = self.weak(model), self.experiments.tried
        vague = [cut for cut in weak if self.experiments.vague(cut) and tried[cut.identity] % 2 == 0]
        steady = [cut for cut in weak if cut not in vague]
        experiments = [self.experiments.confirm(cut) for cut in steady[: ROUND // 2]]
        experiments += [self.experiments.refine(cut) for cut in vague[:2]]
        experiments += [self.experiments.recur(point, index) for index, point in self.experiments.lone().items()]
        waiting = self.quiet < self.enough or not self.notebook.brackets
        elsewhere = max(ROUND - 2 * len(experiments), 2) if waiting else 0
        return [*experiments, ask(self.places.explore(elsewhere))]

    def weak(self, model: Model) -> list[Cut]:
        """Cuts that were not seen often or closely, and may still be."""
        confirmed, tried = self.experiments.confirmed, self.experiments.tried
        wanted = CONFIRMED if len(model.cuts) <= MANY_CUTS else CONFIRMED - 1
        weak = [cut for cut in model.used if confirmed[cut.identity] < wanted and tried[cut.identity] < TRIED]
        return sorted(weak, key=lambda cut: tried[cut.identity])

    def partner(self, number: int) -> Point | None:
        """The most similar known point that the model takes for the same, with the other verdict."""
        assert self.model is not None
        point, label = self.notebook.points[number], self.notebook.labels[number]
        cell = self.model.cell(point)
        best, least = None, math.inf
        for other, its in zip(self.notebook.points, self.notebook.labels, strict=True):
            if its == label:
                continue
            distance = differing(point, other) + 2 * (self.model.cell(other) != cell)
            if distance < least:
                best, least = other, distance
        return best

    def surprise(self, model: Model, before: int) -> None:
        """Which of the new points are not as predicted?"""
        points, labels = self.notebook.points, self.notebook.labels
        new = range(before, len(points))
        self.idle = 0 if new else self.idle + 1
        wrong = [i for i in new if model.predict(points[i]) != labels[i]]
        self.surprises = [i for i in wrong if not model.blurred(points[i])]
        grave = [i for i in self.surprises if not self.narrows(model, points[i])]
        self.quiet = 0 if grave or not before else self.quiet + len(new)

    def narrows(self, model: Model, point: Point) -> bool:
        """Whether a surprise only says more precisely where a constant is."""
        return any(cut.low < cut.feature.value(point) < cut.high for cut in model.cuts)

    def check(self) -> Experiment[bool]:
        """Runs that the model was not made from, as many where it predicts a failure as where it does not."""
        model, before = self.fitting.refit(), len(self.notebook.points)
        if not self.notebook.brackets:
            return True
        self.note = f"is it true? {self.verify} fresh runs"
        fresh = self.fresh(model)
        yield from ask(fresh)
        told = [(model.predict(point), label) for point in fresh if (label := self.notebook.label(point)) is not None]
        hits, alarms = told.count((True, True)), told.count((True, False))
        self.score = Score(hits, alarms, told.count((False, True)), told.count((False, False)))
        self.surprise(model, before)
        if self.surprises:
            self.quiet = min(self.quiet, self.enough // 2)  # refuted, even if it was only a constant
        return not self.surprises

    def fresh(self, model: Model) -> list[Point]:
        """Points that were not run, half of them predicted to fail, as far as they can be found."""
        tries = range(40 * self.verify)
        drawn = [self.places.anywhere() if self.rng.random() < 0.4 else self.places.context() for _ in tries]
        new = (point for point in drawn if not self.notebook.seen(point))
        return both_sides(new, model.predict, self.verify, key=repr, fill=False)

    def finish(self) -> Experiment[None]:
        """Look closer where a constant is not known well, once."""
        model = self.fitting.refit()
        before = len(self.notebook.points)
        experiments = []
        for cut in model.cuts:
            brackets = [one for i in cut.explained if (one := self.notebook.brackets[i]).low is not None]
            if brackets and not any(one.exact for one in brackets):
                one = max(brackets, key=lambda one: one.weight)
                pair = self.notebook.points[one.one], self.notebook.points[one.other]
                if not close(one.axis, one.axis.position(one.low), one.axis.position(one.high), FINE):
                    experiments.append(sharpen(self.notebook, one.axis.index, *pair, self.fitting.hints(), FINE))
            elif brackets and cut.gap:
                experiments.append(self.experiments.narrow(cut))
        yield from side_by_side(experiments)
        if len(self.notebook.points) > before:
            self.quiet = min(self.quiet, self.enough // 2)
