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
from dataclasses import dataclass, replace
from functools import partial
from typing import Generic, TypeVar

import numpy as np

from rootward.errors import NotReproduced
from rootward.search.ask import Ask, Replay, Search
from rootward.searches.reduction.line import Asking, Ground, Line
from rootward.searches.reduction.rates import Rate, chance_of_share
from rootward.searches.reduction.record import Proof, Record, Run, compared, counted
from rootward.searches.reduction.reduction import Reduction
from rootward.searches.reduction.surroundings import Way
from rootward.searches.reduction.sweep import Array, Noise, Sweep
from rootward.space.candidate import Selection
from rootward.verdict import FAIL

E = TypeVar("E")

# How much is run

FIRST_RUNS, FIRST_REPLAYS = 8, 5
"""Runs of the original before anything is left out; fewer are enough if they can be replayed."""
RAREST = 40
"""Maximum number of runs in which the original has to fail twice; it fails too rarely to be reduced otherwise."""
EFFORT = 25
"""Runs worth spending for each doubling of the number of elements, and for five more, if it fails every time; at half
that rate, twice as many. A failure that fades rather than ends would otherwise take for ever."""
ENOUGH = 10
"""Runs without one element after which that element is judged as it stands."""
LONGEST = 80
"""Runs after which a result that is neither good nor bad enough is taken for bad, unless more are asked for. With
replays, half as many set how fast a test loses hope (record.py)."""
LAST_TESTS = 4
"""Number of smaller selections that once failed to test when no sweep came to a good end."""

# What is believed before it is seen

DECIDES, AGAIN = 0.5, 0.95
"""The chance that the seed decides whether it fails, and the chance that the replay of a failing run then fails ..."""
_NEARLY_ALWAYS = np.array([0.0] * 17 + [0.1, 0.3, 0.6])
"""... in more detail: the chance of each rate of ``Noise``."""
UNLIKE = 0.1
"""The chance that a part behaves unlike what was seen of others."""
AS_OFTEN = (1.0, 0.75), (0.65, 0.25)
"""What is left of the rate without an element that is not needed, and the chance of that."""
HARDLY, NOW_AND_THEN = 0.05, 0.45
"""Shares of the rate at which it may still fail without what is needed."""
FADES = 0.15
"""Lowest ``Care.fades`` if runs are replayed: one of them tells so much that more doubt costs little."""
DOUBT = 0.3
"""Lowest chance that an element is not needed, before it was left out by itself."""
SUSPECT, FOUND = 2.0, 20.0
"""Factors on the weight of an element after a result that failed too rarely: if the result lacks it, if it has it."""

# What is enough to decide

RARE, NEEDED, RULED_OUT = 0.5, 0.1, 0.1
"""If it fails more rarely than RARE, whether the seed decides is tested first, without one element after another, each
of which is NEEDED with this chance, until the chance of one of the two is down to RULED_OUT."""
SHOWN = 0.75
"""The chance that nothing needed is missing at which a selection that failed becomes the best so far."""
CLEAR = 0.8
"""The chance of failing often enough at which it does not matter what else would explain a failure ..."""
LIKELY = 0.6
"""... and at which a selection is worth starting from again."""
LOOKS = 2
"""Divisor of the chance of error that was asked for: a test that is looked at after every run passes too easily."""
WRONG = 0.03
"""The chance of error at which every element that is left is said to be needed."""


@dataclass(frozen=True)
class Care:
    """How much evidence is enough for a sweep."""

    theta: float
    """How sure the sweep must be that nothing needed was removed."""
    fades: float
    """The chance that it still fails now and then without what is needed."""
    enough: float = 0.85
    """How sure the sweep must be that the element it came to is needed."""
    spare: float = 0.85
    """The probability at which an element counts as not needed at the end."""


CARES = (Care(0.85, 0.05), Care(0.93, 0.3, spare=0.93), Care(0.97, 0.5, spare=0.97))
"""Each sweep is more careful than the one before it."""


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
        self.longest = LONGEST
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
        fades = max(care.fades, FADES) if self.record.replays else care.fades
        general = Noise.of(*self.record.rate(self.whole), leaks=(HARDLY, NOW_AND_THEN), likely=(1 - fades, fades))
        if not self.record.replays:
            own = Noise.of(*self.record.rate(selection), leaks=(0.0,), likely=(1.0,)).chances
            return replace(general, chances=(own + general.chances) / 2)
        before = (1 - DECIDES) * general.chances + DECIDES * _NEARLY_ALWAYS
        chances = before if self.rates is None else self.rates
        if selection != self.whole:
            chances = chances * _likelihood(self.record.replayed(selection), general.rates)
            chances = (1 - UNLIKE) * chances / chances.sum() + UNLIKE * before
        return replace(general, chances=chances / chances.sum(), before=before)

    # The search

    def search(self) -> Search[Selection[E], Reduction[E]]:
        yield from self._measure()
        yield from self._probe()
        for care in CARES:
            if self.tired:
                break
            kept = yield from self._sweep(self.base, care)
            if (yield from self._validated(kept)):
                return (yield from self._ended(kept, care))
            self.base = self.best = self._ancestor(kept)
            self.record.learn(kept)
            for i in self.base.kept:
                self.suspects[i] = self.suspects.get(i, 1.0) * (FOUND if i in kept.kept else SUSPECT)
        order = sorted(self._promising(set()), key=lambda part: (self.record.chance(part) < CLEAR, len(part)))
        for kept in order[:LAST_TESTS]:
            self.best = kept
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
        record, first = self.record, FIRST_REPLAYS if self.record.replays else FIRST_RUNS
        while (rate := record.rate(self.whole)).runs < first or rate.fails < 2:
            if rate.runs >= RAREST:
                raise NotReproduced(f"it fails too rarely to be reduced: in {rate}")
            chosen, *hints = record.next_originals(max(1, first - rate.runs))
            yield from self.run(chosen, note="how often does it fail?", ahead=hints)
        self.longest = self._longest() // (2 if record.replays else 1)
        record.begin()

    def _probe(self) -> Asking[E, None]:
        """Does the seed decide whether it fails? Then it fails again without one or another unlikely element."""
        record, line = self.record, Line.over(self.ground, self.whole, 0).order
        if not record.replays or record.often > RARE:
            return
        decides, often, again = DECIDES, record.often, AGAIN * (1 - NEEDED)
        for i in line:
            without = self.whole.without([i])
            if not RULED_OUT < decides < 1 - RULED_OUT or self.ground.refuses(without):
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
        return self.record.runs > EFFORT * (math.log2(max(len(self.whole), 1)) + 5) / self.record.often

    def _longest(self) -> int:
        """Twice the runs that show what is asked for if the result fails as often as the original."""
        runs, share = LONGEST, self.record.share
        while runs < 1000:
            as_often = Rate(round(self.record.often * runs), runs)
            if chance_of_share(as_often, as_often, share) >= self.confidence:
                break
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
        if self.record.replays:
            self.rates = (1 - 2 * UNLIKE) * noise.chances + 2 * UNLIKE * self.noise(self.whole, care).chances
        return current

    def _step(self, line: Line[E], sweep: Sweep, care: Care) -> Asking[E, Sweep]:
        asked = line.without(sweep, sweep.cut)
        if self.ground.refuses(asked):
            return sweep.barred()
        note, cut = line.note(sweep, line.without(sweep)), sweep.frontier.cut
        before = self.record.alone(asked)
        failed = yield from self.search_run(asked, note=note, ahead=line.ahead(sweep))
        alone = self.record.replays and self.record.alone(asked) != before
        if failed and len(asked) < len(self.best) and sweep.frontier.after(cut, True).harmless(cut) > SHOWN:
            self.best = asked
        after = sweep.after(failed, self.record.often if alone else 1.0)
        if after.rest == sweep.rest and self.record.rate(asked).fails > 1 and self.record.chance(asked) > CLEAR:
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
            doubt = self.settled[element] = _doubt(self.record.rate(less), noise, before)
            if not WRONG / len(current) < doubt < care.spare:
                return doubt >= care.spare
            if self.record.rate(less).runs >= ENOUGH:
                doubt = self.settled[element] = self.record.chance(less)
                return doubt >= CLEAR
            yield from self.search_run(less, note=f"{len(current)} of {len(self.whole)} left: is each of them needed?")

    def _validated(self, selection: Selection[E]) -> Asking[E, bool]:
        """Does it fail often enough? After every test that was not passed, the next has to be passed with twice the
        certainty: who tries long enough would pass one by luck."""
        if selection == self.whole:
            return True
        certainty = 1 - (1 - self.confidence) / (LOOKS * 2 ** len(self.refuted))
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
        return [part for part in open_ones if record.chance(part) > LIKELY]


def _doubt(rate: Rate, noise: Noise, before: float) -> float:
    """The chance that something that failed at this rate fails as often as the noise says, rather than hardly."""
    as_often = sum(likely * (noise.chances @ _likelihood(rate, part * noise.rates)) for part, likely in AS_OFTEN)
    leaks = noise.leaks[:, None] * noise.rates[None, :]
    hardly = noise.likely @ _likelihood(rate, leaks) @ noise.chances
    return float(before * as_often / (before * as_often + (1 - before) * hardly))


def _likelihood(rate: Rate, rates: Array) -> Array:
    return np.asarray(rates**rate.fails * (1 - rates) ** (rate.runs - rate.fails))
