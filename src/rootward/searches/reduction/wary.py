"""The sieve for failures that do not show every time.

The search estimates how often the original fails, weighs every run by that, and goes back when the failure seems lost.
It returns nothing before fresh runs of the very result show, at the stated confidence, that it fails at least ``share``
times as often as the original: a run that failed once by luck proves nothing. If they show the contrary, it goes back
to the smallest set around that result which did fail often enough, and sweeps that again with more care.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import numpy as np

from rootward.candidate import Selection
from rootward.errors import NotReproduced
from rootward.search import Ask, Search
from rootward.searches.reduction.frontier import Array, Noise
from rootward.searches.reduction.ground import Asking, Ground, Line
from rootward.searches.reduction.rates import Rate, chance_of_share
from rootward.searches.reduction.reduction import Reduction
from rootward.searches.reduction.surroundings import Way
from rootward.searches.reduction.sweep import Sweep
from rootward.verdict import FAIL

E = TypeVar("E")

FIRST_RUNS = 8
"""Runs of the original before anything is left out."""
BATCH = 3
"""Runs of a result that are asked for at once when it is validated."""
HOPELESS = 0.1
"""The chance of failing often enough at which a test is given up."""
CLEAR = 0.8
"""The same, at which it does not matter what else would explain that it failed."""
LIKELY = 0.6
"""The same, at which a selection is worth starting from again."""
ENOUGH = 10
"""Runs without one element after which it is judged as it stands."""
FEWEST = 6
"""Runs of a result before it can pass."""
EFFORT = 25
"""How many runs are worth spending, for each doubling of the number of elements and for five more, if it fails every
time; at half that rate, twice as many. A failure that fades rather than ends would otherwise take for ever."""
RAREST = 40
"""Runs in which the original has to fail twice."""
LONGEST = 80
"""Runs after which a result that is neither good nor bad enough is taken for bad, unless more are asked for."""
DOUBT = 0.3
"""How likely an element is not to be needed, at least, before it was left out by itself."""
LAST_TESTS = 4
"""How many of the smaller selections that once failed are tested when no sweep came to a good end."""
WRONG = 0.03
"""The chance of error at which every element that is left is said to be needed."""
SUSPECT, FOUND = 2.0, 20.0
"""How much likelier an element is to be needed if it went missing on the way to a result that fails too rarely, and
if it is in that result."""


@dataclass(frozen=True)
class Care:
    """How much evidence is enough."""

    theta: float
    """How sure the sweep must be that nothing needed was removed ..."""
    enough: float = 0.85
    """... and that the element it came to is needed."""
    leaks: tuple[float, ...] = (0.05, 0.35)
    """At which share of the rate it may still fail without what is needed ..."""
    likely: tuple[float, ...] = (0.95, 0.05)
    """... and how likely each of these is."""
    spare: float = 0.85
    """The probability at which an element counts as not needed at the end."""


CARES = (Care(0.85), Care(0.93, likely=(0.7, 0.3), spare=0.93), Care(0.97, likely=(0.5, 0.5), spare=0.97))


def wary(
    ground: Ground[E], *, share: float, confidence: float, stop_at: float = 1.0
) -> Search[Selection[E], Reduction[E]]:
    """The failing list reduced to a part that fails at least ``share`` times as often, at that ``confidence``.

    ``stop_at``: the share of elements that is enough to remove.
    """
    return (yield from _Wary(ground, share, confidence, stop_at).search())


class _Wary(Generic[E]):
    def __init__(self, ground: Ground[E], share: float, confidence: float, stop_at: float) -> None:
        self.ground, self.share, self.confidence = ground, share, confidence
        self.whole = ground.elements.all
        self.few = (1 - stop_at) * len(self.whole) if stop_at < 1 else -1.0
        """A result of this size is small enough."""
        self.seen: dict[Selection[E], Rate] = {}
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
        self.passed: dict[Selection[E], tuple[Rate, float]] = {}
        """What the test of each selection said: how often it failed, and the chance that this is often enough."""
        self.longest = LONGEST
        self.failed = 0
        """Tests that were not passed."""
        self.ways: dict[Selection[E], Way] = {}

    # Running

    def rate(self, selection: Selection[E]) -> Rate:
        return self.seen.get(selection, Rate())

    def chance(self, selection: Selection[E]) -> float:
        """That it fails often enough, as far as it was run."""
        return chance_of_share(self.rate(selection), self.rate(self.whole), self.share)

    def runs(
        self, selection: Selection[E], count: int = 1, *, note: str, ahead: Iterable[Selection[E]] = ()
    ) -> Asking[E, int]:
        """Run it so often; how many of these runs failed."""
        best = self.finding(self.best, minimal=False)
        answers = yield Ask([selection] * count, fresh=True, best=best, note=note, ahead=ahead)
        outcomes = [outcome for outcome in answers if outcome is not None]
        fails = [outcome for outcome in outcomes if outcome.verdict is FAIL]
        self.seen[selection] = self.rate(selection).plus(len(fails), len(outcomes))
        if fails:
            self.ground.learn(fails[-1])
            if not self.ground.surroundings.given:
                self.ways[selection] = self.ground.surroundings.trajectory
        return len(fails)

    def finding(self, selection: Selection[E], *, minimal: bool) -> Reduction[E]:
        known: tuple[Rate, float | None] = (self.rate(selection), None)
        result, chance = known if selection == self.whole else self.passed.get(selection, known)
        return Reduction(
            selection=selection,
            minimal=minimal,
            original=self.rate(self.whole),
            result=result,
            share=self.share,
            confidence=chance,
            surroundings=self.ground.before,
            way=self.ways.get(selection, ()),
        )

    def noise(self, selection: Selection[E], care: Care) -> Noise:
        """What the runs of the selection say; of the original, half as much."""
        own, whole = self.rate(selection), self.rate(self.whole)
        noise = Noise.of(*own, leaks=care.leaks, likely=care.likely)
        if selection == self.whole:
            return noise
        general = Noise.of(*whole, leaks=care.leaks, likely=care.likely)
        return replace(noise, chances=(noise.chances + general.chances) / 2)

    # The search

    def search(self) -> Search[Selection[E], Reduction[E]]:
        yield from self._measure()
        for care in CARES:
            if self.tired:
                break
            kept = yield from self._sweep(self.base, care)
            if (yield from self._validated(kept)):
                return (yield from self._ended(kept, care))
            self.base = self.best = self._ancestor(kept)
            for i in self.base.kept:
                self.suspects[i] = self.suspects.get(i, 1.0) * (FOUND if i in kept.kept else SUSPECT)
        for kept in sorted(self._promising(set()), key=len)[:LAST_TESTS]:
            if (yield from self._validated(kept)):
                return (yield from self._ended(kept, CARES[-1]))
        return self.finding(self.whole, minimal=False)

    def _ended(self, kept: Selection[E], care: Care) -> Asking[E, Reduction[E]]:
        """The finding, once it is tried without each single element; what that leaves has to pass as well."""
        self.valid = self.best = kept
        while len(kept) > self.few:
            less = yield from self._singly(kept, care)
            if less == kept:
                return self.finding(kept, minimal=sum(self.settled.get(i, DOUBT) for i in kept.free) <= WRONG)
            if not (yield from self._validated(less)):
                break
            kept = self.valid = self.best = less
        return self.finding(self.valid, minimal=False)

    def _measure(self) -> Asking[E, None]:
        """How often does the original fail?"""
        note = "how often does it fail?"
        (outcome,) = yield Ask([self.whole], best=self.finding(self.whole, minimal=False), note=note)
        if outcome is not None:
            self.seen[self.whole] = Rate(outcome.fails, outcome.runs)
            self.ground.learn(outcome)
        if (more := FIRST_RUNS - self.rate(self.whole).runs) > 0:
            yield from self.runs(self.whole, more, note=note)
        while self.rate(self.whole).fails < 2:
            if self.rate(self.whole).runs >= RAREST:
                raise NotReproduced(f"it fails too rarely to be reduced: in {self.rate(self.whole)}")
            yield from self.runs(self.whole, BATCH, note=note)
        self.longest = self._longest()

    @property
    def tired(self) -> bool:
        """Whether it has taken as many runs as it is worth to get smaller."""
        often = max(self.rate(self.whole).fails, 1) / max(self.rate(self.whole).runs, 1)
        spent = sum(rate.runs for rate in self.seen.values())
        return spent > EFFORT * (math.log2(max(len(self.whole), 1)) + 5) / often

    def _longest(self) -> int:
        """Twice the runs that show what is asked for if the result fails as often as the original."""
        rate, runs = self.rate(self.whole).estimate.value, LONGEST
        while (
            runs < 1000
            and chance_of_share(as_often := Rate(round(rate * runs), runs), as_often, self.share) < self.confidence
        ):
            runs *= 2
        return 2 * runs if runs > LONGEST else LONGEST

    def _sweep(self, current: Selection[E], care: Care) -> Asking[E, Selection[E]]:
        noise = self.noise(current, care)
        for level in range(self.ground.depth):
            line = Line.over(self.ground, current, level)
            weights = [weight * self.suspects.get(i, 1.0) for i, weight in zip(line.order, line.weights, strict=True)]
            sweep = Sweep.over(line.order, weights, noise, theta=care.theta, enough=care.enough, lost=0.02)
            while not sweep.done and not self.tired:
                sweep = yield from self._step(line, sweep, care)
                if len(self.best) <= self.few:
                    return self.best
            self.doubts.update(sweep.doubts)
            current, noise = line.without(sweep), sweep.frontier.rates
        return current

    def _step(self, line: Line[E], sweep: Sweep, care: Care) -> Asking[E, Sweep]:
        asked = line.without(sweep, sweep.cut)
        if self.ground.refuses(asked):
            return sweep.barred()
        note, cut = line.note(sweep, line.without(sweep)), sweep.frontier.cut
        failed = yield from self.runs(asked, note=note, ahead=line.ahead(sweep))
        if failed and len(asked) < len(self.best) and sweep.frontier.after(cut, True).harmless(cut) > 0.9:
            self.best = asked
        after = sweep.after(bool(failed))
        if after.rest == sweep.rest and self.rate(asked).fails > 1 and self.chance(asked) > CLEAR:
            return after.cleared(cut, self.noise(asked, care))
        return after

    def _singly(self, current: Selection[E], care: Care) -> Asking[E, Selection[E]]:
        """Is each of those that are left needed? The most doubtful first; after a removal, all of them again."""
        asking = True
        while asking:
            asking = False
            for i in sorted(current.free, key=lambda i: -self.doubts.get(i, DOUBT)):
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
        before = self.settled.get(element, min(0.5, max(DOUBT, self.doubts.get(element, DOUBT))))
        while True:
            doubt = self.settled[element] = _doubt(self.rate(less), noise, before)
            if not WRONG / len(current) < doubt < care.spare:
                return doubt >= care.spare
            if self.rate(less).runs >= ENOUGH:
                doubt = self.settled[element] = self.chance(less)
                return doubt >= 0.8
            yield from self.runs(less, note=f"{len(current)} of {len(self.whole)} left: is each of them needed?")

    def _validated(self, selection: Selection[E]) -> Asking[E, bool]:
        """Do fresh runs show that it fails often enough?

        Only runs made for this count: those that led to the selection are why it was chosen. After every test that was
        not passed, the next has to be passed with twice the certainty: who tries long enough would pass one by luck.
        """
        if selection == self.whole:
            return True
        certainty = 1 - (1 - self.confidence) / 2**self.failed
        own, chance = Rate(), 0.0
        while own.runs < self.longest:
            which = self.whole if self.rate(self.whole).runs < own.runs else selection
            fails = yield from self.runs(which, BATCH, note=f"{len(selection)} left: does that still fail as often?")
            own = own if which is self.whole else own.plus(fails, BATCH)
            chance = chance_of_share(own, self.rate(self.whole), self.share)
            if own.runs >= FEWEST and not HOPELESS < chance < certainty:
                break
        if chance >= certainty:
            self.passed[selection] = own, chance
            return True
        self.failed += 1
        self.best = self.valid
        return False

    def _ancestor(self, kept: Selection[E]) -> Selection[E]:
        """The smallest selection around this one that seems to fail often enough, as far as it was run."""
        return min(self._promising(set(kept.kept)), key=len, default=self.whole)

    def _promising(self, inside: set[int]) -> list[Selection[E]]:
        wider = [s for s in self.seen if inside < set(s.kept) and self.rate(s).fails > 1]
        return [s for s in wider if self.chance(s) > LIKELY]


def _doubt(rate: Rate, noise: Noise, before: float) -> float:
    """The chance that something that failed at this rate fails as often as the noise says, rather than hardly."""
    as_often = noise.chances @ _likelihood(rate, noise.rates)
    leaks = noise.leaks[:, None] * noise.rates[None, :]
    hardly = noise.likely @ _likelihood(rate, leaks) @ noise.chances
    return float(before * as_often / (before * as_often + (1 - before) * hardly))


def _likelihood(rate: Rate, rates: Array) -> Array:
    return np.asarray(rates**rate.fails * (1 - rates) ** (rate.runs - rate.fails))
