"""Does a result fail often enough? A test that goes on until that is settled.

Only runs made for this count: those that led to the result are why it was chosen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from rootward.candidate import Selection
from rootward.rules.score import Estimate
from rootward.searches.reduction.comparison import ALONE, WHERE_FAILED, WHERE_PASSED
from rootward.searches.reduction.ground import Asking
from rootward.searches.reduction.rates import Rate, chance_of_share
from rootward.searches.reduction.record import Record, Run

E = TypeVar("E")
FEWEST, FEWEST_REPLAYS = 6, 4
"""Runs of a result before it can pass."""
BATCH = 3
"""Runs that are asked for at once where they cannot be replays."""
HOPELESS = 0.1
"""The chance of failing often enough at which a test is given up; it grows with the runs, because a result that fails
just as often as was asked for could be tested for ever."""


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
            yield from run(*record.next_originals(BATCH))
        else:
            own = own.plus((yield from run(*[selection] * BATCH)), BATCH)
        chance = chance_of_share(own, record.rate(record.whole), record.share)
        if own.runs >= longest or (own.runs >= FEWEST and not HOPELESS < chance < certainty):
            return Proof(chance, own)


def compared(
    record: Record[E], selection: Selection[E], certainty: float, longest: int, run: Callable[..., Asking[E, int]]
) -> Asking[E, Proof]:
    """By replays of runs that the search has not seen and by runs of its own: at each step, what tells most for its
    price. To get a failing run to replay, the original has to be run until it fails."""
    before, begun = record.alone(selection), record.runs
    while True:
        seen, often = record.proof(selection, before), record.often
        hopeless = HOPELESS + (record.runs - begun) * often / longest
        if seen.runs.runs >= FEWEST_REPLAYS and not hopeless < seen.chance < certainty:
            return Proof(seen.chance, seen.runs, seen.where_failed, seen.estimate)
        ready: dict[int, list[Run[E]]] = {
            WHERE_FAILED: [*record.to_prove(selection, failed=True)],
            WHERE_PASSED: [*record.to_prove(selection, failed=False)],
            ALONE: [selection],
        }
        wanted = {WHERE_FAILED: often, WHERE_PASSED: 1 - often + 0.01}
        price = {kind: 1.0 if ready[kind] else 1 + 1 / wanted[kind] for kind in ready}
        kind = max(ready, key=lambda kind: seen.gain(kind) / price[kind])
        chosen, *hints = ready[kind] or [*record.next_originals(BATCH)]
        yield from run(chosen, ahead=hints)
