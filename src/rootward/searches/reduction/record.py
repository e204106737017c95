"""The runs of a flaky failure: what they said so far, which run tells most next, and the proof of a result.

Runs of the original are numbered. A run with a part of the elements either *replays* one of them, with its seed, or has
a seed of its own. Where the seed decides whether it fails, the replay of a run that failed fails again as long as
nothing needed is missing: one run then tells as much as if the failure showed every time. So the search replays. But a
part that was chosen because it fails with some seeds proves nothing by failing with them again: a proof counts only
runs that were made for it, and replays only runs that the search never did.
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


class Record(Generic[E]):
    """All runs, by what was run."""

    def __init__(self, whole: Selection[E], share: float, replays: bool) -> None:
        self.whole, self.share = whole, share
        self.replays = replays
        """Whether the seed may decide if it fails."""
        self.original: dict[int, bool] = {}
        """Whether each run of the original failed."""
        self._replayed: dict[Selection[E], dict[int, bool]] = {}
        self._alone: dict[Selection[E], Rate] = {}
        self._searched: dict[int, int] = {}
        """The runs of the original that the search replays, and how often it did so."""

    def add(self, run: Run[E], failed: bool) -> None:
        selection = run.candidate if isinstance(run, Replay) else run
        if not isinstance(run, Replay):
            self._alone[selection] = self.alone(selection).plus(failed, 1)
        elif selection == self.whole:
            self.original[run.attempt] = failed
        else:
            self._replayed.setdefault(selection, {})[run.attempt] = failed

    # What was seen

    @property
    def runs(self) -> int:
        parts = sum(map(len, self._replayed.values())) + sum(rate.runs for rate in self._alone.values())
        return len(self.original) + parts

    @property
    def parts(self) -> list[Selection[E]]:
        """Everything that was run, the original included, each once and always in the same order."""
        return list(dict.fromkeys([self.whole, *self._replayed, *self._alone]))

    @property
    def often(self) -> float:
        """How often the original fails."""
        rate = self.rate(self.whole)
        return rate.fails / rate.runs

    def rate(self, selection: Selection[E]) -> Rate:
        """In all runs of it."""
        known = self.original if selection == self.whole else self._replayed.get(selection, {})
        return self.alone(selection).plus(sum(known.values()), len(known))

    def alone(self, selection: Selection[E]) -> Rate:
        """In runs with seeds of its own."""
        return self._alone.get(selection, Rate())

    def replayed(self, selection: Selection[E]) -> Rate:
        return Rate.of(self._replayed.get(selection, {}).values())

    def chance(self, selection: Selection[E]) -> float:
        """That it fails often enough, as far as it was run."""
        if self.replays:
            return self.comparison(selection).chance
        return chance_of_share(self.rate(selection), self.rate(self.whole), self.share)

    def comparison(self, selection: Selection[E]) -> Comparison:
        """With the original, by all runs."""
        return self._comparison(self._replayed.get(selection, {}), self.alone(selection))

    def proof(self, selection: Selection[E], before: Rate) -> Comparison:
        """With the original, by runs that have nothing to do with why it was chosen; ``before``: its own until then."""
        alone, replayed = self.alone(selection), self._replayed.get(selection, {})
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

    # What to run next

    def next_originals(self, count: int) -> list[Replay[Selection[E]]]:
        """The next runs of the original."""
        return [Replay(self.whole, len(self.original) + n) for n in range(count)]

    def to_search(self, selection: Selection[E]) -> Run[E]:
        """What tells most about a part: a replay, as long as that leaves some for a proof, else a run of its own."""
        if selection == self.whole:
            return self.next_originals(1)[0]
        if not self.replays:
            return selection
        known = self._replayed.get(selection, {})
        if left := [n for n in self._searched if n not in known]:
            return Replay(selection, min(left, key=self._searched.__getitem__))
        spare = [n for n, failed in self.original.items() if failed and n not in self._searched | known]
        return Replay(selection, spare[0]) if len(spare) > 1 else selection

    def to_prove(self, selection: Selection[E], *, failed: bool) -> list[Replay[Selection[E]]]:
        """Replays of runs of the original that failed, or did not, and that the search has not seen."""
        known = self._searched | self._replayed.get(selection, {})
        return [Replay(selection, n) for n, said in self.original.items() if said is failed and n not in known]

    def searching(self, run: Run[E]) -> None:
        """The search is about to make this run: it is lost for proofs."""
        if isinstance(run, Replay) and run.candidate != self.whole:
            self._searched[run.attempt] = self._searched.get(run.attempt, 0) + 1

    def begin(self) -> None:
        """Give the search its first runs to replay."""
        failed = [n for n, failed in self.original.items() if failed] if self.replays else []
        first = TUNING.searched_failures if len(failed) > TUNING.searched_failures else 1
        self._searched = dict.fromkeys(failed[:first], 0)

    def learn(self, refuted: Selection[E]) -> None:
        """What was refuted is found out soonest with the seeds that refuted it: let the search begin with them."""
        known = self._replayed.get(refuted, {})
        missed = [n for n, failed in known.items() if self.original[n] and not failed][: TUNING.searched_failures]
        self._searched |= {n: -1 for n in missed if n not in self._searched}


# The proof: does a result fail often enough? A test that goes on until that is settled.


@dataclass(frozen=True)
class Proof:
    """What the test said."""

    chance: float
    """That it fails often enough."""
    runs: Rate
    """Those made to test it ..."""
    again: Rate | None = None
    """... and among them, if runs were replayed, those with seeds with which the original failed."""
    often: Estimate | None = None
    """How often it fails, if that is not just the rate of those runs."""


def counted(
    record: Record[E], selection: Selection[E], certainty: float, longest: int, run: Callable[..., Asking[E, int]]
) -> Asking[E, Proof]:
    """By runs with seeds of its own: how often both fail."""
    own = Rate()
    while True:
        if record.rate(record.whole).runs < own.runs:
            yield from run(*record.next_originals(TUNING.proof_batch))
        else:
            own = own.plus((yield from run(*[selection] * TUNING.proof_batch)), TUNING.proof_batch)
        chance = chance_of_share(own, record.rate(record.whole), record.share)
        settled = not TUNING.hopeless_chance < chance < certainty
        if own.runs >= longest or (own.runs >= TUNING.min_proof_runs and settled):
            return Proof(chance, own)


def compared(
    record: Record[E], selection: Selection[E], certainty: float, longest: int, run: Callable[..., Asking[E, int]]
) -> Asking[E, Proof]:
    """By replays of runs that the search has not seen and by runs of its own: at each step, what tells most for its
    price. To get a failing run to replay, the original has to be run until it fails."""
    before, begun = record.alone(selection), record.runs
    while True:
        seen, often = record.proof(selection, before), record.often
        hopeless = TUNING.hopeless_chance + (record.runs - begun) * often / longest
        if seen.runs.runs >= TUNING.min_proof_replays and not hopeless < seen.chance < certainty:
            return Proof(seen.chance, seen.runs, seen.where_failed, seen.estimate)
        ready: dict[int, list[Run[E]]] = {
            WHERE_FAILED: [*record.to_prove(selection, failed=True)],
            WHERE_PASSED: [*record.to_prove(selection, failed=False)],
            ALONE: [selection],
        }
        wanted = {WHERE_FAILED: often, WHERE_PASSED: 1 - often + 0.01}
        price = {kind: 1.0 if ready[kind] else 1 + 1 / wanted[kind] for kind in ready}
        kind = max(ready, key=lambda kind: seen.gain(kind) / price[kind])
        chosen, *hints = ready[kind] or [*record.next_originals(TUNING.proof_batch)]
        yield from run(chosen, ahead=hints)
