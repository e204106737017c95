"""The runs of a flaky failure: their results so far, the most informative next run, and the proof of a result.

Runs of the original are numbered. A run of a part of the elements either *replays* one of them, with the same seed, or
has a seed of its own. Where the seed decides whether a run fails, the replay of a failing run fails again as long as
nothing needed is missing; one replay then tells as much as one run of a failure that shows every time. So the search
replays failing runs if it can.

A proof must not rest on the runs that chose its result: a part that was selected because it fails with certain seeds
proves nothing by failing with them again. So ``FlakyRecord`` separates two uses. Runs of the original that the search
has replayed (``_searched``) are used up for proofs. A proof counts only runs that were made for it, and replays only
runs of the original that the search never replayed.

There are two proofs. ``prove_by_counting`` runs the part and the original with seeds of their own and compares the
counts. ``prove_by_comparison`` also replays runs; at each step it makes the run that tells most for its price, where
the price includes running the original until it fails (or passes) once more. Both end when the part clearly does or
does not fail often enough. A limit on the runs makes sure that they end: the first stops there, the second demands a
higher chance the longer it takes. For another kind of proof, write a function with the same parameters, and choose it
in ``_FlakySieve._prove`` (flaky_sieve.py).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from rootward.rules.score import Estimate
from rootward.search.ask import Replay
from rootward.searches.reduction.line import Asking
from rootward.searches.reduction.rates import ALONE, WHERE_FAILED, WHERE_PASSED, Comparison, Rate, chance_of_share
from rootward.searches.reduction.sieve_tuning import TUNING
from rootward.space.candidate import Selection

E = TypeVar("E")
Run = Selection[E] | Replay[Selection[E]]


class FlakyRecord(Generic[E]):
    """All runs so far, by selection."""

    def __init__(self, whole: Selection[E], share: float, replays: bool) -> None:
        self.whole, self.share = whole, share
        self.replays = replays
        """True while the seed may decide whether a run fails: then the search replays runs."""
        self.original: dict[int, bool] = {}
        """Number of each run of the original -> True if it failed."""
        self._replayed: dict[Selection[E], dict[int, bool]] = {}
        self._alone: dict[Selection[E], Rate] = {}
        self._searched: dict[int, int] = {}
        """Number of each run of the original that the search may replay -> how often it did. The lowest count comes
        first; -1 puts a run in front of the others."""

    def add(self, run: Run[E], failed: bool) -> None:
        selection = run.candidate if isinstance(run, Replay) else run
        if not isinstance(run, Replay):
            self._alone[selection] = self.rate_with_own_seeds(selection).plus(failed, 1)
        elif selection == self.whole:
            self.original[run.attempt] = failed
        else:
            self._replayed.setdefault(selection, {})[run.attempt] = failed

    # Results so far

    @property
    def runs(self) -> int:
        parts = sum(map(len, self._replayed.values())) + sum(rate.runs for rate in self._alone.values())
        return len(self.original) + parts

    @property
    def parts(self) -> list[Selection[E]]:
        """Every selection that was run, including the original, in a deterministic order."""
        return list(dict.fromkeys([self.whole, *self._replayed, *self._alone]))

    @property
    def failure_rate(self) -> float:
        """The failure rate of the original."""
        rate = self.rate(self.whole)
        return rate.fails / rate.runs

    def rate(self, selection: Selection[E]) -> Rate:
        """Return the number of failures and runs of the selection, including replays."""
        known = self.original if selection == self.whole else self._replayed.get(selection, {})
        return self.rate_with_own_seeds(selection).plus(sum(known.values()), len(known))

    def rate_with_own_seeds(self, selection: Selection[E]) -> Rate:
        """Return the number of failures and runs of the selection, without replays."""
        return self._alone.get(selection, Rate())

    def replay_rate(self, selection: Selection[E]) -> Rate:
        return Rate.of(self._replayed.get(selection, {}).values())

    def chance(self, selection: Selection[E]) -> float:
        """Return the probability that the selection fails often enough, from all its runs so far."""
        if self.replays:
            return self.comparison(selection).chance
        return chance_of_share(self.rate(selection), self.rate(self.whole), self.share)

    def comparison(self, selection: Selection[E]) -> Comparison:
        """Compare the selection with the original, using all runs."""
        return self._comparison(self._replayed.get(selection, {}), self.rate_with_own_seeds(selection))

    def proof(self, selection: Selection[E], before: Rate) -> Comparison:
        """Compare the selection with the original, using only runs that had no part in choosing it.

        ``before`` counts the runs of the selection that were made before the proof, without replays.
        """
        alone, replayed = self.rate_with_own_seeds(selection), self._replayed.get(selection, {})
        unseen = {n: failed for n, failed in replayed.items() if n not in self._searched}
        return self._comparison(unseen, alone.minus(before))

    def _comparison(self, replayed: dict[int, bool], alone: Rate) -> Comparison:
        where_failed = [failed for n, failed in replayed.items() if self.original[n]]
        where_passed = [failed for n, failed in replayed.items() if not self.original[n]]
        return Comparison(
            self.rate(self.whole),
            self.share,
            Rate.of(where_failed),
            Rate.of(where_passed),
            alone,
        )

    # Choosing the next run

    def next_originals(self, count: int) -> list[Replay[Selection[E]]]:
        """Return the next ``count`` runs of the original."""
        return [Replay(self.whole, len(self.original) + n) for n in range(count)]

    def choose_search_run(self, selection: Selection[E]) -> Run[E]:
        """Return the most informative run of the selection.

        This is a replay, as long as enough failing runs stay unused for a proof. Otherwise it is a run with a new seed.
        """
        if selection == self.whole:
            return self.next_originals(1)[0]
        if not self.replays:
            return selection
        known = self._replayed.get(selection, {})
        if left := [n for n in self._searched if n not in known]:
            return Replay(selection, min(left, key=self._searched.__getitem__))
        spare = [n for n, failed in self.original.items() if failed and n not in self._searched | known]
        return Replay(selection, spare[0]) if len(spare) > 1 else selection

    def list_proof_replays(self, selection: Selection[E], *, failed: bool) -> list[Replay[Selection[E]]]:
        """Return replays of those runs of the original that the search has not replayed yet.

        ``failed`` chooses between the failing and the passing runs.
        """
        known = self._searched | self._replayed.get(selection, {})
        return [Replay(selection, n) for n, fails in self.original.items() if fails is failed and n not in known]

    def mark_searched(self, run: Run[E]) -> None:
        """Note that the search makes this run, so that no proof will use it."""
        if isinstance(run, Replay) and run.candidate != self.whole:
            self._searched[run.attempt] = self._searched.get(run.attempt, 0) + 1

    def begin(self) -> None:
        """Choose the first runs for the search to replay."""
        failed = [n for n, failed in self.original.items() if failed] if self.replays else []
        first = TUNING.searched_failures if len(failed) > TUNING.searched_failures else 1
        self._searched = dict.fromkeys(failed[:first], 0)

    def learn(self, refuted: Selection[E]) -> None:
        """Let the search replay first the seeds that refuted a result. They expose similar results soonest."""
        known = self._replayed.get(refuted, {})
        missed = [n for n, failed in known.items() if self.original[n] and not failed][: TUNING.searched_failures]
        self._searched |= {n: -1 for n in missed if n not in self._searched}


# Proofs that a result fails often enough


@dataclass(frozen=True)
class ReductionProof:
    """The result of testing a selection."""

    chance: float
    """Probability that the selection fails often enough."""
    runs: Rate
    """The runs made for the test."""
    again: Rate | None = None
    """The runs among them that replayed a failing run of the original, if runs were replayed."""
    often: Estimate | None = None
    """The selection's estimated failure rate, if runs were replayed: then ``runs`` is a biased sample."""


def prove_by_counting(
    record: FlakyRecord[E], selection: Selection[E], certainty: float, max_runs: int, run: Callable[..., Asking[E, int]]
) -> Asking[E, ReductionProof]:
    """Prove by counting the failures of the selection and of the original, without replays."""
    own = Rate()
    while True:
        if record.rate(record.whole).runs < own.runs:
            yield from run(*record.next_originals(TUNING.proof_batch))
        else:
            own = own.plus((yield from run(*[selection] * TUNING.proof_batch)), TUNING.proof_batch)
        chance = chance_of_share(own, record.rate(record.whole), record.share)
        settled = not TUNING.hopeless_chance < chance < certainty
        if own.runs >= max_runs or (own.runs >= TUNING.min_proof_runs and settled):
            return ReductionProof(chance, own)


def prove_by_comparison(
    record: FlakyRecord[E], selection: Selection[E], certainty: float, max_runs: int, run: Callable[..., Asking[E, int]]
) -> Asking[E, ReductionProof]:
    """Prove with runs of the selection, some of them replays and some with new seeds.

    Only runs of the original that the search has not replayed are used for replays. Each step makes the run that tells
    most for its price. If no failing run is left to replay, the price includes the runs of the original until it fails
    again.
    """
    before, begun = record.rate_with_own_seeds(selection), record.runs
    while True:
        seen, often = record.proof(selection, before), record.failure_rate
        hopeless = TUNING.hopeless_chance + (record.runs - begun) * often / max_runs
        if seen.runs.runs >= TUNING.min_proof_replays and not hopeless < seen.chance < certainty:
            return ReductionProof(seen.chance, seen.runs, seen.where_failed, seen.estimate)
        ready: dict[int, list[Run[E]]] = {
            WHERE_FAILED: [*record.list_proof_replays(selection, failed=True)],
            WHERE_PASSED: [*record.list_proof_replays(selection, failed=False)],
            ALONE: [selection],
        }
        wanted = {WHERE_FAILED: often, WHERE_PASSED: 1 - often + 0.01}
        price = {kind: 1.0 if ready[kind] else 1 + 1 / wanted[kind] for kind in ready}
        kind = max(ready, key=lambda kind: seen.gain(kind) / price[kind])
        chosen, *hints = ready[kind] or [*record.next_originals(TUNING.proof_batch)]
        yield from run(chosen, ahead=hints)
