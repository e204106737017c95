"""Decide whether a version of a file still fails: by one run, or, if the failure is flaky, by as many as it takes.

A steady failure shows in the first run. For a flaky one, three things may be true of a version: it fails as often as
the original, it (nearly) never fails, or something in between. ``FlakyTrials`` weighs them after each run and goes on
until one is likely enough. A version that never fails is found out after a few passes, and one that fails as often is
believed after one or two failures, so this costs a few runs each.

Many small steps down would add up to a failure that is much rarer. So the search asks ``confirm`` now and then: it
compares the rate of the version with that of the original, by runs made for that purpose only.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Iterable
from typing import Any, Protocol

import numpy as np

from rootward.search.ask import Answers, Ask
from rootward.search.repeat import Once
from rootward.searches.reduction.files.tuning import TUNING
from rootward.searches.reduction.rates import Rate, chance_of_share
from rootward.space.candidate import Version
from rootward.verdict import FAIL

ONCE = Once()
Asking = Generator[Ask[Version], Answers, bool]


class Trials(Protocol):
    original: Rate | None

    def start(self, original: Version, best: Any) -> Asking:
        """Run the original. Returns False if it was not seen to fail."""

    def works(self, content: Version, best: Any, note: str, ahead: Iterable[Version]) -> Asking:
        """Return True if the version fails (often enough)."""

    def confirm(self, content: Version, best: Any, confidence: float) -> Asking:
        """Return True if runs made for that purpose show that the version fails often enough."""

    def start_over(self, content: Version) -> None:
        """Forget the runs that confirmed a version, so that the proof rests on new ones."""

    def proof(self, content: Version) -> tuple[Rate, float] | None:
        """Return the runs of the last confirmation, and the probability that they prove; None for steady failures."""


class SteadyTrials:
    """The failure shows in every run."""

    original: Rate | None = None

    def start(self, original: Version, best: Any) -> Asking:
        (outcome,) = yield Ask([original], best=best, note="running the original")
        return outcome is not None and outcome.verdict is FAIL

    def works(self, content: Version, best: Any, note: str, ahead: Iterable[Version]) -> Asking:
        (outcome,) = yield Ask([content], best=best, note=note, ahead=ahead)
        return outcome is not None and outcome.verdict is FAIL

    def confirm(self, content: Version, best: Any, confidence: float) -> Asking:
        yield from ()
        return True

    def start_over(self, content: Version) -> None:
        pass

    def proof(self, content: Version) -> None:
        return None


class FlakyTrials:
    """The failure shows in some of the runs."""

    def __init__(self, share: float, original: Rate | None = None) -> None:
        self.share, self.original = share, original
        self._seen: dict[str, Rate] = defaultdict(Rate)
        self._confirmed: dict[str, Rate] = defaultdict(Rate)
        self._doubt = 0

    def start(self, original: Version, best: Any) -> Asking:
        if self.original is not None:
            return True
        rate = Rate()
        while rate.runs < TUNING.original_runs or (rate.fails < 2 and rate.runs < TUNING.max_original_runs):
            batch = [original] * min(4, TUNING.original_runs)
            answers = yield Ask(batch, fresh=True, repeat=ONCE, best=best, note="how often does the original fail?")
            rate = rate.plus(sum(one is not None and one.verdict is FAIL for one in answers), len(answers))
        self.original = rate
        return rate.fails >= 2

    def works(self, content: Version, best: Any, note: str, ahead: Iterable[Version]) -> Asking:
        seen = self._seen[content.key]
        accept = 1 - (1 - TUNING.accept) / 2**self._doubt
        while seen.runs < TUNING.max_runs:
            chance = self._chance_kept(seen)
            if seen.runs and (chance >= accept or chance <= TUNING.reject):
                return bool(chance >= accept)
            (outcome,) = yield Ask([content], fresh=True, repeat=ONCE, best=best, note=note, ahead=[content])
            seen = self._seen[content.key] = seen.plus(outcome is not None and outcome.verdict is FAIL, 1)
        return self._chance_kept(seen) >= 0.5

    def _chance_kept(self, seen: Rate) -> float:
        """Return the probability that a version with these runs fails often enough."""
        assert self.original is not None
        rates = (np.arange(40) + 0.5) / 40
        logs = self.original.fails * np.log(rates) + (self.original.runs - self.original.fails) * np.log1p(-rates)
        likely = np.exp(logs - logs.max())
        likely /= likely.sum()
        parts = np.linspace(0.05, 0.95, 10)
        passes = seen.runs - seen.fails

        def chance(factor: float) -> float:
            now = np.maximum(factor * rates, 1e-3)
            return float(likely @ (now**seen.fails * (1 - now) ** passes))

        same, none = 0.5 * chance(1.0), 0.4 * chance(TUNING.leak)
        between = [0.1 * chance(part) / len(parts) for part in parts]
        enough = same + sum(one for one, part in zip(between, parts, strict=True) if part >= self.share)
        return float(enough / (same + none + sum(between)))

    def confirm(self, content: Version, best: Any, confidence: float) -> Asking:
        assert self.original is not None
        rate = self._confirmed[content.key]
        while rate.runs < TUNING.max_confirm_runs:
            chance = chance_of_share(rate, self.original, self.share)
            if rate.runs >= TUNING.min_confirm_runs and (chance >= confidence or chance <= 1 - confidence):
                break
            batch = [content] * TUNING.confirm_batch
            answers = yield Ask(batch, fresh=True, repeat=ONCE, best=best, note="does it still fail as often?")
            rate = rate.plus(sum(one is not None and one.verdict is FAIL for one in answers), len(answers))
            self._confirmed[content.key] = rate
        if bool(chance_of_share(rate, self.original, self.share) >= confidence):
            return True
        self._seen[content.key] = Rate(0, TUNING.max_runs)  # so it is not believed again
        self._doubt += 1
        return False

    def start_over(self, content: Version) -> None:
        self._confirmed.pop(content.key, None)

    def proof(self, content: Version) -> tuple[Rate, float] | None:
        assert self.original is not None
        rate = self._confirmed.get(content.key)
        return None if rate is None else (rate, chance_of_share(rate, self.original, self.share))
