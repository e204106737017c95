"""The sieve for failures that do not show every time.

The search estimates how often the original fails, weighs every run by that, and goes back when the failure seems lost.
Where seeds decide whether it fails, it replays failing runs with fewer elements (record.py). It returns nothing before
runs made for that alone show, at the stated confidence, that the very result fails at least ``share`` times as often as
the original: a run that failed once by luck proves nothing. If they show the contrary, it goes back to the smallest set
around that result which did fail often enough, and sweeps that again with more care.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Generic, TypeVar

import numpy as np

from rootward.errors import NotReproduced
from rootward.search.ask import Ask, Replay, Search
from rootward.searches.reduction.line import Asking, Ground, Line
from rootward.searches.reduction.rates import Rate, chance_of_share
from rootward.searches.reduction.record import Proof, Record, Run, compared, counted
from rootward.searches.reduction.reduction import Reduction
from rootward.searches.reduction.sieve_tuning import TUNING, Care
from rootward.searches.reduction.surroundings import Way
from rootward.searches.reduction.sweep import Array, Noise, Sweep
from rootward.space.candidate import Selection
from rootward.verdict import FAIL

E = TypeVar("E")


def sieve_flaky(
    ground: Ground[E], *, share: float, confidence: float, replays: bool = False, stop_at: float = 1.0
) -> Search[Selection[E], Reduction[E]]:
    """The failing list reduced to a part that fails at least ``share`` times as often, at that ``confidence``.

    ``replays``: whether the seed may decide if it fails. ``stop_at``: the share of elements that is enough to remove.
    """
    return (yield from _FlakySieve(ground, share, confidence, replays, stop_at).search())


class _FlakySieve(Generic[E]):
    """One search: what it has seen, what it believes, and what it holds for the best."""

    def __init__(self, ground: Ground[E], share: float, confidence: float, replays: bool, stop_at: float) -> None:
        self.ground, self.confidence = ground, confidence
        self.whole = ground.elements.all
        self.few = (1 - stop_at) * len(self.whole) if stop_at < 1 else -1.0
        """A result of this size is small enough."""
        self.record = Record(self.whole, share, replays)
        self.doubts: dict[int, float] = {}
        self.suspects: dict[int, float] = {}
        self.best = self.whole
        """The smallest selection that was seen to fail often enough, as far as one can tell."""
        self.valid = self.whole
        """The smallest one that has passed the test."""
        self.base = self.whole
        """What the next sweep starts from."""
        self.settled: dict[int, float] = {}
        """For elements that were left out by themselves: the chance that they are not needed after all."""
        self.passed: dict[Selection[E], Proof] = {}
        """The tests that were passed ..."""
        self.refuted: list[Selection[E]] = []
        """... and what did not pass one."""
        self.rates: Array | None = None
        """How likely replays are to fail at each rate with all that is needed, once a sweep has taught that."""
        self.longest = TUNING.max_proof_runs
        self.ways: dict[Selection[E], Way] = {}

    # Running

    def run(self, *runs: Run[E], note: str, ahead: Iterable[Run[E]] = ()) -> Asking[E, int]:
        """Make these runs; how many of them failed."""
        answers = yield Ask(runs, fresh=True, best=self.finding(self.best, minimal=False), note=note, ahead=ahead)
        failed = 0
        for run, outcome in zip(runs, answers, strict=True):
            assert outcome is not None
            self.record.add(run, outcome.verdict is FAIL)
            if outcome.verdict is FAIL:
                failed += 1
                self.ground.learn(outcome)
                if not self.ground.surroundings.given:
                    selection = run.candidate if isinstance(run, Replay) else run
                    self.ways[selection] = self.ground.surroundings.trajectory
        return failed

    def search_run(self, selection: Selection[E], *, note: str, ahead: Iterable[Selection[E]] = ()) -> Asking[E, bool]:
        """The run that tells most about the selection; whether it failed."""
        chosen = self.record.to_search(selection)
        self.record.searching(chosen)
        return bool((yield from self.run(chosen, note=note, ahead=map(self.record.to_search, ahead))))

    def finding(self, selection: Selection[E], *, minimal: bool) -> Reduction[E]:
        proof, record = self.passed.get(selection), self.record
        no_rate = record.replays and selection != self.whole  # replays are no sample of all runs
        return Reduction(
            selection=selection,
            minimal=minimal,
            original=record.rate(self.whole),
            result=proof.runs if proof else Rate() if no_rate else record.rate(selection),
            again=proof.again if proof else None,
            often=proof.often if proof else None,
            share=record.share,
            confidence=proof.chance if proof else None,
            surroundings=self.ground.before,
            way=self.ways.get(selection, ()),
        )

    def noise(self, selection: Selection[E], care: Care) -> Noise:
        """What a run that is made to search the selection can tell."""
        fades = max(care.fades, TUNING.min_fades) if self.record.replays else care.fades
        general = Noise.of(
            *self.record.rate(self.whole), leaks=(TUNING.leak_rarely, TUNING.leak_often), likely=(1 - fades, fades)
        )
        if not self.record.replays:
            own = Noise.of(*self.record.rate(selection), leaks=(0.0,), likely=(1.0,)).chances
            return replace(general, chances=(own + general.chances) / 2)
        before = (1 - TUNING.seed_decides) * general.chances + TUNING.seed_decides * np.array(TUNING.replay_rates)
        chances = before if self.rates is None else self.rates
        if selection != self.whole:
            chances = chances * _likelihood(self.record.replayed(selection), general.rates)
            chances = (1 - TUNING.part_differs) * chances / chances.sum() + TUNING.part_differs * before
        return replace(general, chances=chances / chances.sum(), before=before)

    # The search

    def search(self) -> Search[Selection[E], Reduction[E]]:
        yield from self._measure()
        yield from self._probe()
        for care in TUNING.cares:
            if self.tired:
                break
            kept = yield from self._sweep(self.base, care)
            if (yield from self._validated(kept)):
                return (yield from self._ended(kept, care))
            self.base = self.best = self._ancestor(kept)
            self.record.learn(kept)
            for i in self.base.kept:
                self.suspects[i] = self.suspects.get(i, 1.0) * (
                    TUNING.present_factor if i in kept.kept else TUNING.missing_factor
                )
        order = sorted(
            self._promising(set()), key=lambda part: (self.record.chance(part) < TUNING.clear_chance, len(part))
        )
        for kept in order[: TUNING.max_last_tests]:
            self.best = kept
            if (yield from self._validated(kept)):
                return (yield from self._ended(kept, TUNING.cares[-1]))
        return self.finding(self.whole, minimal=False)

    def _ended(self, kept: Selection[E], care: Care) -> Asking[E, Reduction[E]]:
        """The finding, once it is tried without each single element; what that leaves has to pass as well."""
        self.valid = self.best = kept
        while len(kept) > self.few:
            less = yield from self._singly(kept, care)
            if less == kept:
                doubt = sum(self.settled.get(i, TUNING.min_doubt) for i in kept.free)
                return self.finding(kept, minimal=doubt <= TUNING.max_error)
            if not (yield from self._validated(less)):
                break
            kept = self.valid = self.best = less
        return self.finding(self.valid, minimal=False)

    def _measure(self) -> Asking[E, None]:
        """How often does the original fail?"""
        record, first = self.record, TUNING.first_replays if self.record.replays else TUNING.first_runs
        while (rate := record.rate(self.whole)).runs < first or rate.fails < 2:
            if rate.runs >= TUNING.max_first_runs:
                raise NotReproduced(f"it fails too rarely to be reduced: in {rate}")
            chosen, *hints = record.next_originals(max(1, first - rate.runs))
            yield from self.run(chosen, note="how often does it fail?", ahead=hints)
        self.longest = self._longest() // (2 if record.replays else 1)
        record.begin()

    def _probe(self) -> Asking[E, None]:
        """Does the seed decide whether it fails? Then it fails again without one or another unlikely element."""
        record, line = self.record, Line.over(self.ground, self.whole, 0).order
        if not record.replays or record.often > TUNING.probe_below_rate:
            return
        decides, often, again = TUNING.seed_decides, record.often, TUNING.fails_again * (1 - TUNING.needed_chance)
        for i in line:
            without = self.whole.without([i])
            if not TUNING.probe_error < decides < 1 - TUNING.probe_error or self.ground.refuses(without):
                break
            failed = yield from self.search_run(without, note="does it fail again with the same seed?")
            this, other = (again, often) if failed else (1 - again, 1 - often)
            decides = decides * this / (decides * this + (1 - decides) * other)
        record.replays = decides > 0.5
        if not record.replays:
            yield from self._measure()

    @property
    def tired(self) -> bool:
        """Whether it has taken as many runs as it is worth to get smaller."""
        doublings = math.log2(max(len(self.whole), 1))
        return self.record.runs > TUNING.runs_per_doubling * (doublings + 5) / self.record.often

    def _longest(self) -> int:
        """Twice the runs that show what is asked for if the result fails as often as the original."""
        runs, share = TUNING.max_proof_runs, self.record.share
        while runs < 1000:
            as_often = Rate(round(self.record.often * runs), runs)
            if chance_of_share(as_often, as_often, share) >= self.confidence:
                break
            runs *= 2
        return 2 * runs if runs > TUNING.max_proof_runs else TUNING.max_proof_runs

    def _sweep(self, current: Selection[E], care: Care) -> Asking[E, Selection[E]]:
        noise = self.noise(current, care)
        for level in range(self.ground.depth):
            line = Line.over(self.ground, current, level)
            weights = [weight * self.suspects.get(i, 1.0) for i, weight in zip(line.order, line.weights, strict=True)]
            sweep = Sweep.over(line.order, weights, noise, theta=care.theta, enough=care.enough, lost=TUNING.lost)
            while not sweep.done and not self.tired:
                sweep = yield from self._step(line, sweep, care)
                if len(self.best) <= self.few:
                    return self.best
            self.doubts.update(sweep.doubts)
            current, noise = line.without(sweep), sweep.frontier.rates
        if self.record.replays:
            doubt = 2 * TUNING.part_differs
            self.rates = (1 - doubt) * noise.chances + doubt * self.noise(self.whole, care).chances
        return current

    def _step(self, line: Line[E], sweep: Sweep, care: Care) -> Asking[E, Sweep]:
        asked = line.without(sweep, sweep.cut)
        if self.ground.refuses(asked):
            return sweep.barred()
        note, cut = line.note(sweep, line.without(sweep)), sweep.frontier.cut
        before = self.record.alone(asked)
        failed = yield from self.search_run(asked, note=note, ahead=line.ahead(sweep))
        alone = self.record.replays and self.record.alone(asked) != before
        if (
            failed
            and len(asked) < len(self.best)
            and sweep.frontier.after(cut, True).harmless(cut) > TUNING.best_chance
        ):
            self.best = asked
        after = sweep.after(failed, self.record.often if alone else 1.0)
        if (
            after.rest == sweep.rest
            and self.record.rate(asked).fails > 1
            and self.record.chance(asked) > TUNING.clear_chance
        ):
            return after.cleared(cut, self.noise(asked, care))
        return after

    def _singly(self, current: Selection[E], care: Care) -> Asking[E, Selection[E]]:
        """Is each of those that are left needed? The most doubtful first; after a removal, all of them again."""
        asking = True
        while asking:
            asking = False
            for i in sorted(current.free, key=lambda i: -self.doubts.get(i, TUNING.min_doubt)):
                if self.tired:
                    return current
                less = current.without([i])
                if self.ground.refuses(less):
                    self.settled[i] = 0.0
                elif (yield from self._spare(current, less, i, care)):
                    current, asking = less, True
                    self.doubts |= self.settled  # what was seen around more elements is no proof among fewer
                    self.settled.clear()
                    break
        return current

    def _spare(self, current: Selection[E], less: Selection[E], element: int, care: Care) -> Asking[E, bool]:
        """Whether it fails often enough without the element."""
        noise = self.noise(current, care)
        before = self.settled.get(element, min(0.5, max(TUNING.min_doubt, self.doubts.get(element, TUNING.min_doubt))))
        while True:
            doubt = self.settled[element] = _doubt(self.record.rate(less), noise, before)
            if not TUNING.max_error / len(current) < doubt < care.spare:
                return doubt >= care.spare
            if self.record.rate(less).runs >= TUNING.max_element_runs:
                doubt = self.settled[element] = self.record.chance(less)
                return doubt >= TUNING.clear_chance
            yield from self.search_run(less, note=f"{len(current)} of {len(self.whole)} left: is each of them needed?")

    def _validated(self, selection: Selection[E]) -> Asking[E, bool]:
        """Does it fail often enough? After every test that was not passed, the next has to be passed with twice the
        certainty: who tries long enough would pass one by luck."""
        if selection == self.whole:
            return True
        certainty = 1 - (1 - self.confidence) / (TUNING.error_divisor * 2 ** len(self.refuted))
        run = partial(self.run, note=f"{len(selection)} left: does that still fail as often?")
        test = compared if self.record.replays else counted
        proof = yield from test(self.record, selection, certainty, self.longest, run)
        if proof.chance >= certainty:
            self.passed[selection] = proof
            return True
        self.refuted.append(selection)
        self.best = self.valid
        return False

    def _ancestor(self, kept: Selection[E]) -> Selection[E]:
        """The smallest selection around this one that seems to fail often enough, as far as it was run."""
        return min(self._promising(set(kept.kept)), key=len, default=self.whole)

    def _promising(self, inside: set[int]) -> list[Selection[E]]:
        record, fewest = self.record, 1 if self.record.replays else 2
        wider = [part for part in record.parts if inside < set(part.kept) and record.rate(part).fails >= fewest]
        open_ones = [part for part in wider if not any(set(part.kept) <= set(bad.kept) for bad in self.refuted)]
        return [part for part in open_ones if record.chance(part) > TUNING.likely_chance]


def _doubt(rate: Rate, noise: Noise, before: float) -> float:
    """The chance that something that failed at this rate fails as often as the noise says, rather than hardly."""
    as_often = sum(
        likely * (noise.chances @ _likelihood(rate, part * noise.rates)) for part, likely in TUNING.rate_kept
    )
    leaks = noise.leaks[:, None] * noise.rates[None, :]
    hardly = noise.likely @ _likelihood(rate, leaks) @ noise.chances
    return float(before * as_often / (before * as_often + (1 - before) * hardly))


def _likelihood(rate: Rate, rates: Array) -> Array:
    return np.asarray(rates**rate.fails * (1 - rates) ** (rate.runs - rate.fails))
