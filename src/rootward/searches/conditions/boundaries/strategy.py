"""The strategy of the search by boundaries: which experiment comes next, and when to stop.

What it believes is the model (rule_model.py), which predicts a verdict for every point. A run that contradicts the
prediction is a *surprise*.

What it asks, in this order:

1. Opening: find a failing point and profile it, field by field. The most informative questions come first, because the
   budget may be small.
2. Rounds. If the model cannot separate two runs with different verdicts, or if there was a surprise, walk between two
   points with different verdicts; that yields a bracket, from which the next model is fitted. Otherwise try to refute
   the model: confirm its cuts where their rivals disagree, look closer at cuts whose boundary is vague, ask for periods
   of isolated values, follow a pattern to the ends of its field, and visit cells without runs.
3. Check: fresh runs, half of them predicted to fail. A surprise leads back to the rounds.

Why it ends: the rounds end when enough runs in a row agree with the model and its cuts were confirmed often enough (or
cannot be), and the check is made a limited number of times. The search gives up when the model
grows as fast as the runs, when there are too many runs or comparisons (``is_lost``), or after many rounds without a new
run. If the model needs suspiciously many comparisons, some known runs are repeated; if one of them changes its verdict,
the failure is flaky and the search stops.

How to extend it: write the experiment in experiments.py, and add it to ``open`` if it needs no model, or to
``choose_tests`` if it tries to refute the model.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import zip_longest

import numpy as np

from rootward.rules.score import Score
from rootward.search.refutation import both_sides
from rootward.search.relay import run_side_by_side
from rootward.search.reruns import select_changed
from rootward.searches.conditions.boundaries.cut import Cut
from rootward.searches.conditions.boundaries.experiments import Experiments
from rootward.searches.conditions.boundaries.feature import Point
from rootward.searches.conditions.boundaries.fitting import Fitting
from rootward.searches.conditions.boundaries.observations import (
    Experiment,
    Observations,
    RepeatedPoints,
    ask,
    count_differences,
)
from rootward.searches.conditions.boundaries.openings import Openings
from rootward.searches.conditions.boundaries.places import Places
from rootward.searches.conditions.boundaries.rule_model import RuleModel
from rootward.searches.conditions.boundaries.sharpen import is_close, sharpen
from rootward.searches.conditions.boundaries.tuning import TUNING
from rootward.words import count


class Strategy:
    """One search: ``score`` is the result of the fresh runs, ``note`` the text for the progress display."""

    def __init__(
        self, notebook: Observations, seed: int, verify: int | None = None, also: Sequence[Point] = ()
    ) -> None:
        """``also``: points that the model must explain; they are run after the opening."""
        self.also = also
        self.verify = TUNING.fresh_runs if verify is None else verify
        self.score: Score | None = None
        self.note = ""
        self.notebook, self.axes = notebook, notebook.axes
        self.rng = np.random.default_rng([seed, 5])
        self.fitting = Fitting(notebook, self.rng)
        self.places = Places(self.fitting, self.rng)
        self.openings = Openings(notebook, self.fitting.library.numeric)
        self.experiments = Experiments(self.fitting, self.places, self.openings, self.rng)
        self.agreeing_runs = self.idle = 0
        self.surprises: list[int] = []
        self.repeated = self.unsteady = False

    @property
    def model(self) -> RuleModel | None:
        """The current model, also in the middle of an experiment."""
        return self.fitting.model

    def run(self, start: Point | None) -> Experiment[None]:
        """Run the whole search; afterwards, the model is the answer."""
        base = yield from self.find_failing(start)
        if base is None:
            return
        yield from self.open(base)
        yield from ask(self.also)
        self.record_surprises(self.fitting.refit(), 0)
        for _ in range(TUNING.max_checks):
            while not self.is_settled:
                yield from self.round()
                if self.agreeing_runs >= self.required_runs:
                    yield from self.finish()
                if self.is_puzzled and (yield from self.repeat_runs()):
                    return
            if (yield from self.check()) or self.is_lost:
                return

    @property
    def is_puzzled(self) -> bool:
        """True if the failure may be flaky and this was not checked yet.

        A model with very many comparisons is a sign of that.
        """
        return not self.repeated and self.model is not None and len(self.model.cuts) > TUNING.puzzling_cuts

    def repeat_runs(self) -> Experiment[bool]:
        """Run some known points again and return True if one of them changes its verdict."""
        self.repeated = True
        known = list(zip(self.notebook.points, self.notebook.labels, strict=True))
        failing, passing = ([run for run in known if run[1] is wanted] for wanted in (True, False))
        some = [*failing[: TUNING.repeated_runs], *passing[: TUNING.repeated_runs]]
        labels = yield RepeatedPoints(point for point, _ in some)
        self.unsteady = bool(select_changed(some, labels))
        return self.unsteady

    def open(self, base: Point) -> Experiment[None]:
        """Ask the questions that are worth asking about any failing point."""
        plain = tuple(value + 0 if isinstance(value, float) else value for value in base)  # -0.0 has no position
        yield from ask([plain] if not self.notebook.is_seen(plain) else [])
        base = plain if self.notebook.label(plain) else base
        self.note = "finding where it begins to fail"
        experiments, openings = self.experiments, self.openings
        free = [axis for axis in self.axes if not axis.is_fixed]
        marks = list(zip_longest(*(openings.landmarks(base, axis) for axis in free)))
        early, late = marks[: TUNING.first_landmarks], marks[TUNING.first_landmarks :]
        first, rest = ([point for some in part for point in some if point] for part in (early, late))
        yield from ask([*first, *openings.corners(base), *rest])
        yield from run_side_by_side([experiments.profile(base, axis) for axis in free])
        yield from ask(openings.equalise_choices(base))
        while texts := experiments.texts.find_unexamined():
            yield from run_side_by_side([experiments.texts.examine(*one) for one in texts])
        while texts := experiments.texts.find_unmeasured():
            yield from run_side_by_side([experiments.texts.measure(*one) for one in texts])
        points = [*openings.list_beside_boundaries(), *openings.diagonals(base)]
        yield from ask([*points, *openings.list_beyond_boundaries(base)])
        yield from run_side_by_side(
            [experiments.find_period(base, index) for index in openings.find_isolated_fields(base)]
        )

    def find_failing(self, start: Point | None) -> Experiment[Point | None]:
        """Return a failing point: ``start`` if it fails, otherwise a random one. Return None if none is found."""
        self.note = "looking for a failing run"
        yield from ask([start] if start is not None else [])
        while True not in self.notebook.labels:
            known = len(self.notebook.points) + self.notebook.unjudged
            if known >= TUNING.max_first_runs:
                break
            drawn = [tuple(axis.draw(self.rng) for axis in self.axes) for _ in range(8)]
            yield from ask([point for point in drawn if not self.notebook.is_seen(point)])
            if len(self.notebook.points) + self.notebook.unjudged == known:
                break
        return next((p for p, failed in zip(self.notebook.points, self.notebook.labels, strict=True) if failed), None)

    @property
    def is_settled(self) -> bool:
        """True if the search may stop: enough runs in a row agree with the model, or going on is hopeless."""
        if not self.notebook.brackets:
            return self.agreeing_runs >= TUNING.quiet_runs_alike or self.idle >= TUNING.max_idle_rounds
        model = self.model
        weak = model is not None and (
            self.find_weak_cuts(model)
            or self.find_open_patterns(model)
            or self.experiments.find_open_lists(model)
            or self.experiments.find_untested_relations(model)
        )
        asking = self.experiments
        open_fields = asking.find_isolated_values() or asking.find_listed_fields() or asking.find_single_values()
        asked = not weak and not open_fields
        return (
            (self.agreeing_runs >= self.required_runs and asked) or self.idle >= TUNING.max_idle_rounds or self.is_lost
        )

    @property
    def required_runs(self) -> int:
        """The number of runs in a row that must agree with the model.

        It is halved if there are many cuts, because each cut is also tested on its own.
        """
        many = self.model is not None and len(self.model.cuts) > TUNING.many_cuts
        return TUNING.quiet_runs // 2 if many else TUNING.quiet_runs

    @property
    def is_lost(self) -> bool:
        """True if the runs have no simple explanation.

        Then the model grows as fast as the runs, or there are too many comparisons, conditions on texts, or runs.
        """
        too_many = self.model is not None and (len(self.model.cuts) > TUNING.max_cuts or self.model.is_contrived)
        return too_many or self.fitting.is_hopeless or len(self.notebook.points) >= TUNING.max_runs

    def round(self) -> Experiment[None]:
        """Make the next experiments and record which runs were surprises."""
        model = self.fitting.refit()
        before = len(self.notebook.points)
        if model.best.conflicts:
            points = self.notebook.points
            experiments = [self.experiments.walk(points[a], points[b]) for a, b in model.best.conflicts[:2]]
        elif self.surprises:
            experiments = self.explain_surprises()
        else:
            experiments = self.choose_tests(model)
        self.note = _describe_progress(len(model.cuts), self.agreeing_runs)
        yield from run_side_by_side(experiments)
        self.record_surprises(model, before)

    def explain_surprises(self) -> list[Experiment[None]]:
        """Return an experiment that finds a boundary beside one of the surprises.

        One experiment is enough for now because its bracket may explain all surprises.
        """
        points = [self.notebook.points[i] for i in self.surprises]
        if not self.notebook.brackets:
            self.surprises = []
            return [self.experiments.approach(points[0])]
        pairs = [
            (here, there) for here, i in zip(points, self.surprises, strict=True) if (there := self.find_partner(i))
        ]
        self.surprises = []
        nearest = sorted(pairs, key=lambda pair: count_differences(*pair))[:1]
        return [self.experiments.walk(here, there) for here, there in nearest]

    def choose_tests(self, model: RuleModel) -> list[Experiment[None]]:
        """Return experiments that may refute the model.

        They test weak cuts, isolated values, and points elsewhere.
        """
        weak, tried = self.find_weak_cuts(model), self.experiments.attempts
        vague = [cut for cut in weak if self.experiments.is_vague(cut) and tried[cut.identity] % 2 == 0]
        steady = [cut for cut in weak if cut not in vague]
        experiments = [self.experiments.confirm(cut) for cut in steady[: TUNING.round_runs // 2]]
        experiments += [self.experiments.refine(cut) for cut in vague[:2]]
        experiments += [
            self.experiments.find_period(point, index)
            for index, point in self.experiments.find_isolated_values().items()
        ]
        experiments += [self.experiments.sweep(point, i) for i, point in self.experiments.find_listed_fields().items()]
        if not experiments:
            singles = self.experiments.find_single_values()
            experiments += [self.experiments.test_other_values(model, point, i) for i, point in singles.items()]
            experiments += [self.experiments.test_ends(cut) for cut in self.experiments.find_untested_relations(model)]
        experiments += [self.experiments.test_list(*one) for one in self.experiments.find_open_lists(model)]
        experiments += [self.experiments.follow_period(cut) for cut in self.find_open_patterns(model)[:1]]
        experiments += [self.experiments.texts.examine(*one) for one in self.experiments.texts.find_unexamined()]
        experiments += [self.experiments.texts.measure(*one) for one in self.experiments.texts.find_unmeasured()]
        experiments += [self.experiments.texts.vary(*one) for one in self.experiments.texts.find_exceptions(model)]
        experiments += [ask([point]) for point in self.experiments.texts.choose_questions(model)]
        waiting = self.agreeing_runs < self.required_runs or not self.notebook.brackets
        elsewhere = max(TUNING.round_runs - 2 * len(experiments), 2) if waiting else 0
        return [*experiments, ask(self.places.explore(elsewhere))]

    def find_open_patterns(self, model: RuleModel) -> list[Cut]:
        """Return the periodic cuts whose pattern was not followed to the ends of the field."""
        done = self.experiments.followed_periods
        return [cut for cut in model.used_cuts if cut.feature.period and cut.feature.identity not in done]

    def find_weak_cuts(self, model: RuleModel) -> list[Cut]:
        """Return the cuts that have too few confirmations and are still worth an attempt.

        Cuts with the fewest attempts come first.
        """
        confirmed, tried = self.experiments.confirmations, self.experiments.attempts
        wanted = TUNING.min_crossings if len(model.cuts) <= TUNING.many_cuts else TUNING.min_crossings - 1
        open_cuts = [cut for cut in model.used_cuts if tried[cut.identity] < TUNING.max_confirmations]
        weak = [cut for cut in open_cuts if confirmed[cut.identity] < wanted]
        return sorted(weak, key=lambda cut: tried[cut.identity])

    def find_partner(self, number: int) -> Point | None:
        """Return the known point most similar to the point ``number`` among those with the other verdict.

        Points in the same cell of the model are preferred.
        """
        assert self.model is not None
        point, label = self.notebook.points[number], self.notebook.labels[number]
        cell = self.model.cell(point)
        best, least = None, math.inf
        for other, its in zip(self.notebook.points, self.notebook.labels, strict=True):
            if its == label:
                continue
            distance = count_differences(point, other) + 2 * (self.model.cell(other) != cell)
            if distance < least:
                best, least = other, distance
        return best

    def record_surprises(self, model: RuleModel, before: int) -> None:
        """Record which of the points from number ``before`` on contradict the model.

        Also count the agreeing runs and the idle rounds.
        """
        points, labels = self.notebook.points, self.notebook.labels
        new = range(before, len(points))
        self.idle = 0 if new else self.idle + 1
        wrong = [i for i in new if model.predict(points[i]) != labels[i]]
        self.surprises = [i for i in wrong if not model.is_blurred(points[i])]
        grave = [i for i in self.surprises if not self.only_narrows(model, points[i])]
        self.agreeing_runs = 0 if grave or not before else self.agreeing_runs + len(new)

    def only_narrows(self, model: RuleModel, point: Point) -> bool:
        """Return True if a surprising point lies between the bounds of some cut's constant.

        Such a point only helps to narrow the constant.
        """
        return any(cut.low < cut.feature.value(point) < cut.high for cut in model.cuts)

    def check(self) -> Experiment[bool]:
        """Measure the model on fresh runs, half of them predicted to fail; return True if there is no surprise."""
        model, before = self.fitting.refit(), len(self.notebook.points)
        if not self.notebook.brackets:
            return True
        self.note = f"checking the rule on {self.verify} fresh runs"
        fresh = self.draw_fresh(model)
        yield from ask(fresh)
        pairs = [(model.predict(point), label) for point in fresh if (label := self.notebook.label(point)) is not None]
        hits, alarms = pairs.count((True, True)), pairs.count((True, False))
        self.score = Score(hits, alarms, pairs.count((False, True)), pairs.count((False, False)))
        self.record_surprises(model, before)
        if self.surprises:
            self.agreeing_runs = min(
                self.agreeing_runs, self.required_runs // 2
            )  # refuted, even if only a constant was wrong
        return not self.surprises

    def draw_fresh(self, model: RuleModel) -> list[Point]:
        """Draw points that were not run yet. If enough are found, half of them are predicted to fail."""
        tries = range(40 * self.verify)
        drawn = [self.places.draw_anywhere() if self.rng.random() < 0.4 else self.places.draw_context() for _ in tries]
        new = (point for point in drawn if not self.notebook.is_seen(point))
        return both_sides(new, model.predict, self.verify, key=repr, fill=False)

    def finish(self) -> Experiment[None]:
        """Narrow the constants that are not known well."""
        model = self.fitting.refit()
        before = len(self.notebook.points)
        experiments = []
        for cut in model.cuts:
            brackets = [one for i in cut.explained if (one := self.notebook.brackets[i]).low is not None]
            if brackets and not any(one.exact for one in brackets):
                one = max(brackets, key=lambda one: one.weight)
                pair = self.notebook.points[one.one], self.notebook.points[one.other]
                share = TUNING.final_share
                if not is_close(one.axis, one.axis.position(one.low), one.axis.position(one.high), share):
                    experiments.append(sharpen(self.notebook, one.axis.index, *pair, self.fitting.list_hints(), share))
            elif brackets and cut.has_gap:
                experiments.append(self.experiments.narrow(cut))
        yield from run_side_by_side(experiments)
        if len(self.notebook.points) > before:
            self.agreeing_runs = min(self.agreeing_runs, self.required_runs // 2)


def _describe_progress(cuts: int, agreeing: int) -> str:
    """Return the note of a round: the size of the candidate rule, and how many runs in a row agree with it."""
    rule = f"candidate rule with {count(cuts, 'comparison')}" if cuts else "candidate rule"
    if not agreeing:
        return f"testing a {rule}"
    return f"{rule}; the last {f'{agreeing} runs agree' if agreeing > 1 else 'run agrees'}"
