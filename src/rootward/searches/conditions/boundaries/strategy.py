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
from rootward.search.refutation import both_sides
from rootward.search.relay import side_by_side
from rootward.search.reruns import otherwise
from rootward.searches.conditions.boundaries.cut import Cut
from rootward.searches.conditions.boundaries.experiments import Experiments
from rootward.searches.conditions.boundaries.feature import Point
from rootward.searches.conditions.boundaries.fitting import Fitting
from rootward.searches.conditions.boundaries.observations import Again, Experiment, Notebook, ask, differing
from rootward.searches.conditions.boundaries.openings import Openings
from rootward.searches.conditions.boundaries.places import Places
from rootward.searches.conditions.boundaries.rule_model import Model
from rootward.searches.conditions.boundaries.sharpen import close, sharpen
from rootward.searches.conditions.boundaries.tuning import TUNING


class Inquiry:
    """``score``: how the answer did on fresh runs; ``note``: what is being asked."""

    def __init__(self, notebook: Notebook, seed: int, verify: int | None = None) -> None:
        self.verify = TUNING.fresh_runs if verify is None else verify
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
        for _ in range(TUNING.max_checks):
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
        return not self.repeated and self.model is not None and len(self.model.cuts) > TUNING.puzzling_cuts

    def repeat(self) -> Experiment[bool]:
        """Run some known points once more; whether one of them does not do the same again."""
        self.repeated = True
        known = list(zip(self.notebook.points, self.notebook.labels, strict=True))
        failing, passing = ([run for run in known if run[1] is wanted] for wanted in (True, False))
        some = [*failing[: TUNING.repeated_runs], *passing[: TUNING.repeated_runs]]
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
        early, late = marks[: TUNING.first_landmarks], marks[TUNING.first_landmarks :]
        first, rest = ([point for some in part for point in some if point] for part in (early, late))
        yield from ask([*first, *openings.corners(base), *rest])
        yield from side_by_side([experiments.profile(base, axis) for axis in free])
        points = [*openings.beside(), *openings.diagonals(base)]
        yield from ask([*points, *openings.beyond(base)])
        yield from side_by_side([experiments.recur(base, index) for index in openings.lonely(base)])

    def failing(self, start: Point | None) -> Experiment[Point | None]:
        """A point that fails: the given one, or one of many."""
        self.note = "does it fail?"
        yield from ask([start] if start is not None else [])
        while True not in self.notebook.labels:
            known = len(self.notebook.points) + self.notebook.unjudged
            if known >= TUNING.max_first_runs:
                break
            drawn = [tuple(axis.draw(self.rng) for axis in self.axes) for _ in range(8)]
            yield from ask([point for point in drawn if not self.notebook.seen(point)])
            if len(self.notebook.points) + self.notebook.unjudged == known:
                break
        return next((p for p, failed in zip(self.notebook.points, self.notebook.labels, strict=True) if failed), None)

    @property
    def settled(self) -> bool:
        """Whether enough runs in a row were as predicted, or there is no hope."""
        if not self.notebook.brackets:
            return self.quiet >= TUNING.quiet_runs_alike or self.idle >= TUNING.max_idle_rounds
        asked = not (self.model and self.weak(self.model)) and not self.experiments.lone()
        return (self.quiet >= self.enough and asked) or self.idle >= TUNING.max_idle_rounds or self.lost

    @property
    def enough(self) -> int:
        """How many runs in a row must be as predicted; each comparison was tried by itself, too."""
        many = self.model is not None and len(self.model.cuts) > TUNING.many_cuts
        return TUNING.quiet_runs // 2 if many else TUNING.quiet_runs

    @property
    def lost(self) -> bool:
        """Whether what was seen has no simple explanation."""
        too_many = self.model is not None and len(self.model.cuts) > TUNING.max_cuts
        return too_many or len(self.notebook.points) >= TUNING.max_runs

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
        experiments = [self.experiments.confirm(cut) for cut in steady[: TUNING.round_runs // 2]]
        experiments += [self.experiments.refine(cut) for cut in vague[:2]]
        experiments += [self.experiments.recur(point, index) for index, point in self.experiments.lone().items()]
        waiting = self.quiet < self.enough or not self.notebook.brackets
        elsewhere = max(TUNING.round_runs - 2 * len(experiments), 2) if waiting else 0
        return [*experiments, ask(self.places.explore(elsewhere))]

    def weak(self, model: Model) -> list[Cut]:
        """Cuts that were not seen often or closely, and may still be."""
        confirmed, tried = self.experiments.confirmed, self.experiments.tried
        wanted = TUNING.min_crossings if len(model.cuts) <= TUNING.many_cuts else TUNING.min_crossings - 1
        open_cuts = [cut for cut in model.used if tried[cut.identity] < TUNING.max_confirmations]
        weak = [cut for cut in open_cuts if confirmed[cut.identity] < wanted]
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
                share = TUNING.final_share
                if not close(one.axis, one.axis.position(one.low), one.axis.position(one.high), share):
                    experiments.append(sharpen(self.notebook, one.axis.index, *pair, self.fitting.hints(), share))
            elif brackets and cut.gap:
                experiments.append(self.experiments.narrow(cut))
        yield from side_by_side(experiments)
        if len(self.notebook.points) > before:
            self.quiet = min(self.quiet, self.enough // 2)
