"""The sieve for flaky failures: those that do not show in every run.

A single run of a flaky failure proves little: it may pass although nothing needed is missing, or fail once more by
luck although the failure has become rare. So the search weighs every run by rates, and proves its result separately.

What it believes: how often the original fails (measured first), how likely a run fails with and without everything
needed (``RunNoise`` in sweep.py), and for each element how likely it is not needed. It may also believe that the seed
decides whether a run fails; for rare failures it tests that first.

What it asks, step by step:

1. Run the original until its failure rate is known roughly (``_measure``). If seeds may decide, find out (``_probe``).
2. Sweep as for steady failures, but with noise (``_sweep``). If seeds decide, it replays failing runs with fewer
   elements (record.py), because a replay tells most. The sweep goes back if the failure seems lost.
3. Prove the result with runs made for that alone (``_prove``): at the stated confidence, it fails at least ``share``
   times as often as the original. If the proof fails, go back to the smallest tested selection that contains the
   result and did fail often enough, and sweep again with more care.
4. Check that each remaining element is needed (``_remove_singles``). A smaller result has to pass a proof as well.

Why it ends: there are at most ``len(TUNING.cares)`` sweeps. They stop when the runs exceed a limit that depends on the
size of the list and on the rate (``is_exhausted``). After that, a few promising selections are tested; if none passes,
the whole list is returned, not minimal. Each proof ends too (record.py).

To be more or less careful, change ``TUNING.cares`` (sieve_tuning.py). Another source of evidence about a selection
belongs into ``FlakyRecord.chance``; another way to choose the next run into ``FlakyRecord.choose_search_run``.
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
from rootward.searches.reduction.record import FlakyRecord, ReductionProof, Run, prove_by_comparison, prove_by_counting
from rootward.searches.reduction.reduction import Reduction, count_left
from rootward.searches.reduction.sieve_tuning import TUNING, EvidenceNeeded
from rootward.searches.reduction.surroundings import Way
from rootward.searches.reduction.sweep import Array, RunNoise, Sweep
from rootward.space.candidate import Selection
from rootward.verdict import FAIL

E = TypeVar("E")


def sieve_flaky(
    ground: Ground[E], *, share: float, confidence: float, replays: bool = False, stop_at: float = 1.0
) -> Search[Selection[E], Reduction[E]]:
    """Reduce the failing list to a part that fails at least ``share`` times as often as the whole list.

    This holds with probability ``confidence``. ``replays`` says that the seed may decide whether a run fails. The
    search ends early once the share ``stop_at`` of the elements is removed.
    """
    return (yield from _FlakySieve(ground, share, confidence, replays, stop_at).search())


class _FlakySieve(Generic[E]):
    """The state of one search: its runs, its beliefs, and the best selections so far."""

    def __init__(self, ground: Ground[E], share: float, confidence: float, replays: bool, stop_at: float) -> None:
        self.ground, self.confidence = ground, confidence
        self.whole = ground.elements.all
        self.target_size = (1 - stop_at) * len(self.whole) if stop_at < 1 else -1.0
        """The number of elements that is small enough, or -1 to go on until nothing more can be removed."""
        self.record = FlakyRecord(self.whole, share, replays)
        self.doubts: dict[int, float] = {}
        """Element -> probability, from the sweeps, that it is not needed."""
        self.suspects: dict[int, float] = {}
        """Element -> factor on its weight, from results that failed too rarely."""
        self.best = self.whole
        """The smallest selection that probably fails often enough."""
        self.valid = self.whole
        """The smallest selection that has passed a proof."""
        self.base = self.whole
        """The selection from which the next sweep starts."""
        self.checked: dict[int, float] = {}
        """Element -> probability that it is not needed, for elements that were removed alone."""
        self.passed: dict[Selection[E], ReductionProof] = {}
        """The proofs that succeeded."""
        self.refuted: list[Selection[E]] = []
        """The selections whose proof failed."""
        self.rates: Array | None = None
        """Probability of each failure rate of replays that have everything needed, once a sweep has learnt it."""
        self.proof_limit = TUNING.max_proof_runs
        self.trajectories: dict[Selection[E], Way] = {}
        """The trajectory of the last failing run of each selection."""

    # Running

    def run(self, *runs: Run[E], note: str, ahead: Iterable[Run[E]] = ()) -> Asking[E, int]:
        """Make these runs and return how many of them failed."""
        answers = yield Ask(runs, fresh=True, best=self.finding(self.best, minimal=False), note=note, ahead=ahead)
        failed = 0
        for run, outcome in zip(runs, answers, strict=True):
            assert outcome is not None
            self.record.add(run, outcome.verdict is FAIL)
            if outcome.verdict is FAIL:
                failed += 1
                self.ground.learn(outcome)
                if not self.ground.surroundings.trajectory_given:
                    selection = run.candidate if isinstance(run, Replay) else run
                    self.trajectories[selection] = self.ground.surroundings.trajectory
        return failed

    def search_run(self, selection: Selection[E], *, note: str, ahead: Iterable[Selection[E]] = ()) -> Asking[E, bool]:
        """Make the most informative run of the selection, and return True if it failed."""
        chosen = self.record.choose_search_run(selection)
        self.record.mark_searched(chosen)
        return bool((yield from self.run(chosen, note=note, ahead=map(self.record.choose_search_run, ahead))))

    def finding(self, selection: Selection[E], *, minimal: bool) -> Reduction[E]:
        proof, record = self.passed.get(selection), self.record
        no_rate = record.replays and selection != self.whole  # replays are a biased sample of all runs
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
            way=self.trajectories.get(selection, ()),
        )

    def noise(self, selection: Selection[E], care: EvidenceNeeded) -> RunNoise:
        """Return the uncertainty of a search run of the selection."""
        fades = max(care.fade_chance, TUNING.min_fades) if self.record.replays else care.fade_chance
        general = RunNoise.from_counts(
            *self.record.rate(self.whole), leaks=(TUNING.leak_rarely, TUNING.leak_often), likely=(1 - fades, fades)
        )
        if not self.record.replays:
            own = RunNoise.from_counts(*self.record.rate(selection), leaks=(0.0,), likely=(1.0,)).rate_chances
            return replace(general, rate_chances=(own + general.rate_chances) / 2)
        before = (1 - TUNING.seed_decides) * general.rate_chances + TUNING.seed_decides * np.array(TUNING.replay_rates)
        chances = before if self.rates is None else self.rates
        if selection != self.whole:
            chances = chances * _likelihood(self.record.replay_rate(selection), general.rates)
            chances = (1 - TUNING.part_differs) * chances / chances.sum() + TUNING.part_differs * before
        return replace(general, rate_chances=chances / chances.sum(), rate_prior=before)

    # The search

    def search(self) -> Search[Selection[E], Reduction[E]]:
        yield from self._measure()
        yield from self._probe()
        for care in TUNING.cares:
            if self.is_exhausted:
                break
            kept = yield from self._sweep(self.base, care)
            if (yield from self._prove(kept)):
                return (yield from self._finish(kept, care))
            self.base = self.best = self._find_ancestor(kept)
            self.record.learn(kept)
            for i in self.base.kept:
                self.suspects[i] = self.suspects.get(i, 1.0) * (
                    TUNING.present_factor if i in kept.kept else TUNING.missing_factor
                )
        order = sorted(
            self._list_promising(set()), key=lambda part: (self.record.chance(part) < TUNING.clear_chance, len(part))
        )
        for kept in order[: TUNING.max_last_tests]:
            self.best = kept
            if (yield from self._prove(kept)):
                return (yield from self._finish(kept, TUNING.cares[-1]))
        return self.finding(self.whole, minimal=False)

    def _finish(self, kept: Selection[E], care: EvidenceNeeded) -> Asking[E, Reduction[E]]:
        """Remove single elements from a proven selection, as long as each smaller selection can be proven, too.

        Return the finding.
        """
        self.valid = self.best = kept
        while len(kept) > self.target_size:
            less = yield from self._remove_singles(kept, care)
            if less == kept:
                doubt = sum(self.checked.get(i, TUNING.min_doubt) for i in kept.free)
                return self.finding(kept, minimal=doubt <= TUNING.max_error)
            if not (yield from self._prove(less)):
                break
            kept = self.valid = self.best = less
        return self.finding(self.valid, minimal=False)

    def _measure(self) -> Asking[E, None]:
        """Run the original until its failure rate is known roughly; raise NotReproduced if it fails too rarely."""
        record, first = self.record, TUNING.first_replays if self.record.replays else TUNING.first_runs
        while (rate := record.rate(self.whole)).runs < first or rate.fails < 2:
            if rate.runs >= TUNING.max_first_runs:
                raise NotReproduced(
                    f"the failure is too rare to reduce: it showed in {rate}, and at least 2 failures are needed"
                )
            chosen, *hints = record.next_originals(max(1, first - rate.runs))
            yield from self.run(chosen, note="measuring how often it fails", ahead=hints)
        self.proof_limit = self._compute_proof_limit() // (2 if record.replays else 1)
        record.begin()

    def _probe(self) -> Asking[E, None]:
        """Find out whether the seed decides whether a run fails.

        To do so, replay failing runs without an element that is unlikely to be needed. If the seed decides, they fail
        again.
        """
        record, line = self.record, Line.build(self.ground, self.whole, 0).order
        if not record.replays or record.failure_rate > TUNING.probe_below_rate:
            return
        decides, often, again = (
            TUNING.seed_decides,
            record.failure_rate,
            TUNING.fails_again * (1 - TUNING.needed_chance),
        )
        for i in line:
            without = self.whole.without([i])
            if not TUNING.probe_error < decides < 1 - TUNING.probe_error or self.ground.refuses(without):
                break
            failed = yield from self.search_run(without, note="checking whether the same seed fails again")
            this, other = (again, often) if failed else (1 - again, 1 - often)
            decides = decides * this / (decides * this + (1 - decides) * other)
        record.replays = decides > 0.5
        if not record.replays:
            yield from self._measure()

    @property
    def is_exhausted(self) -> bool:
        """True if the search has spent more runs than a smaller result would be worth."""
        doublings = math.log2(max(len(self.whole), 1))
        return self.record.runs > TUNING.runs_per_doubling * (doublings + 5) / self.record.failure_rate

    def _compute_proof_limit(self) -> int:
        """Return the maximum number of runs of a proof.

        Normally that is ``TUNING.max_proof_runs``. This may be too few to prove even a result that fails as often as
        the original. Then the maximum is twice the number of runs that are enough for such a proof.
        """
        runs, share = TUNING.max_proof_runs, self.record.share
        while runs < 1000:
            as_often = Rate(round(self.record.failure_rate * runs), runs)
            if chance_of_share(as_often, as_often, share) >= self.confidence:
                break
            runs *= 2
        return 2 * runs if runs > TUNING.max_proof_runs else TUNING.max_proof_runs

    def _sweep(self, current: Selection[E], care: EvidenceNeeded) -> Asking[E, Selection[E]]:
        noise = self.noise(current, care)
        for level in range(self.ground.depth):
            line = Line.build(self.ground, current, level)
            weights = [weight * self.suspects.get(i, 1.0) for i, weight in zip(line.order, line.weights, strict=True)]
            sweep = Sweep.start(
                line.order, weights, noise, theta=care.theta, enough=care.keep_threshold, lost=TUNING.lost
            )
            while not sweep.done and not self.is_exhausted:
                sweep = yield from self._step(line, sweep, care)
                if len(self.best) <= self.target_size:
                    return self.best
            self.doubts.update(sweep.doubts)
            current, noise = line.without(sweep), sweep.frontier.updated_noise
        if self.record.replays:
            doubt = 2 * TUNING.part_differs
            self.rates = (1 - doubt) * noise.rate_chances + doubt * self.noise(self.whole, care).rate_chances
        return current

    def _step(self, line: Line[E], sweep: Sweep, care: EvidenceNeeded) -> Asking[E, Sweep]:
        asked = line.without(sweep, sweep.cut)
        if self.ground.refuses(asked):
            return sweep.rule_out_cut()
        note, cut = line.note(sweep, line.without(sweep)), sweep.frontier.cut
        before = self.record.rate_with_own_seeds(asked)
        failed = yield from self.search_run(asked, note=note, ahead=line.predict_selections(sweep))
        alone = self.record.replays and self.record.rate_with_own_seeds(asked) != before
        if (
            failed
            and len(asked) < len(self.best)
            and sweep.frontier.after(cut, True).chance_harmless(cut) > TUNING.best_chance
        ):
            self.best = asked
        after = sweep.after(failed, self.record.failure_rate if alone else 1.0)
        if (
            after.rest == sweep.rest
            and self.record.rate(asked).fails > 1
            and self.record.chance(asked) > TUNING.clear_chance
        ):
            return after.accept_cut(cut, self.noise(asked, care))
        return after

    def _remove_singles(self, current: Selection[E], care: EvidenceNeeded) -> Asking[E, Selection[E]]:
        """Remove single elements that are not needed, the most doubtful first.

        After each removal, all remaining elements are checked again.
        """
        asking = True
        while asking:
            asking = False
            for i in sorted(current.free, key=lambda i: -self.doubts.get(i, TUNING.min_doubt)):
                if self.is_exhausted:
                    return current
                less = current.without([i])
                if self.ground.refuses(less):
                    self.checked[i] = 0.0
                elif (yield from self._is_removable(current, less, i, care)):
                    current, asking = less, True
                    self.doubts |= self.checked  # what held among more elements may not hold among fewer
                    self.checked.clear()
                    break
        return current

    def _is_removable(
        self, current: Selection[E], less: Selection[E], element: int, care: EvidenceNeeded
    ) -> Asking[E, bool]:
        """Run the selection without the element and return True if it fails often enough."""
        noise = self.noise(current, care)
        before = self.checked.get(element, min(0.5, max(TUNING.min_doubt, self.doubts.get(element, TUNING.min_doubt))))
        while True:
            doubt = self.checked[element] = _chance_unneeded(self.record.rate(less), noise, before)
            if not TUNING.max_error / len(current) < doubt < care.remove_threshold:
                return doubt >= care.remove_threshold
            if self.record.rate(less).runs * self.record.failure_rate >= TUNING.max_element_runs:
                doubt = self.checked[element] = self.record.chance(less)
                return doubt >= TUNING.clear_chance
            yield from self.search_run(less, note=f"{count_left(current)}, checking that each is needed")

    def _prove(self, selection: Selection[E]) -> Asking[E, bool]:
        """Test with new runs that the selection fails often enough, and return True if it does.

        After every failed proof, the allowed error is halved, because with enough attempts one would succeed by luck.
        """
        if selection == self.whole:
            return True
        certainty = 1 - (1 - self.confidence) / (TUNING.error_divisor * 2 ** len(self.refuted))
        run = partial(self.run, note=f"{count_left(selection)}, testing that they still fail often enough")
        test = prove_by_comparison if self.record.replays else prove_by_counting
        proof = yield from test(self.record, selection, certainty, self.proof_limit, run)
        if proof.chance >= certainty:
            self.passed[selection] = proof
            return True
        self.refuted.append(selection)
        self.best = self.valid
        return False

    def _find_ancestor(self, kept: Selection[E]) -> Selection[E]:
        """Return the smallest known selection that contains ``kept`` and seems to fail often enough.

        If there is none, return the whole list.
        """
        return min(self._list_promising(set(kept.kept)), key=len, default=self.whole)

    def _list_promising(self, inside: set[int]) -> list[Selection[E]]:
        """Return the known selections that contain ``inside`` and probably fail often enough.

        Parts of a refuted selection are left out.
        """
        record, min_fails = self.record, 1 if self.record.replays else 2
        wider = [part for part in record.parts if inside < set(part.kept) and record.rate(part).fails >= min_fails]
        not_refuted = [part for part in wider if not any(set(part.kept) <= set(bad.kept) for bad in self.refuted)]
        return [part for part in not_refuted if record.chance(part) > TUNING.likely_chance]


def _chance_unneeded(rate: Rate, noise: RunNoise, before: float) -> float:
    """Return the probability that an element is not needed.

    ``rate`` counts the failures and runs without the element. ``before`` is the probability before these runs.
    """
    as_often = sum(
        likely * (noise.rate_chances @ _likelihood(rate, part * noise.rates)) for part, likely in TUNING.rate_kept
    )
    leaks = noise.leaks[:, None] * noise.rates[None, :]
    hardly = noise.leak_chances @ _likelihood(rate, leaks) @ noise.rate_chances
    return float(before * as_often / (before * as_often + (1 - before) * hardly))


def _likelihood(rate: Rate, rates: Array) -> Array:
    return np.asarray(rates**rate.fails * (1 - rates) ** (rate.runs - rate.fails))
