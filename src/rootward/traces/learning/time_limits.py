"""Times: a limit that good answers practically never exceed, and the time after which something happens by itself.

The longest time that was seen is no limit: with n more answers, one of them is longer with a probability of one half.
Above a high quantile, times of most systems fall off at least exponentially, so the tail is described by one number,
the mean excess. Its upper confidence bound gives the time that an answer exceeds with the probability `TARGET`. Few
recordings give a wide margin, many a narrow one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log, log10

TAIL = 0.1
"""Share of the times that count as the tail."""
TARGET = 1e-6
"""Probability with which a good answer may exceed its limit. A night has some ten thousands of answers."""
CONFIDENCE = 0.95
MIN_TAIL = 5
"""Fewer times than this do not determine a tail; the limit is then the default of the standard, or above."""


@dataclass(frozen=True)
class TimeLimit:
    """A limit for response times, in microseconds, with its evidence."""

    limit: int
    seen: int
    longest: int
    where: tuple[int, int] | None = None
    """The recording and the request of the longest time."""
    announced: bool = False
    """True if these are the times until NRC 78, which were longer than those until a final answer."""


def time_limit(times: Sequence[int], default: int) -> TimeLimit:
    """Return the limit for these times; ``default`` if there are too few."""
    from scipy.stats import chi2

    ordered = sorted(times)
    longest = ordered[-1] if ordered else 0
    tail = max(MIN_TAIL, int(TAIL * len(ordered)))
    if len(ordered) < 2 * MIN_TAIL:
        return TimeLimit(max(default, _round_up(2 * longest)), len(ordered), longest)
    threshold = ordered[-tail - 1]
    excess = sum(one - threshold for one in ordered[-tail:])
    mean = 2 * excess / float(chi2.ppf(1 - CONFIDENCE, 2 * tail))
    bound = threshold + mean * log(tail / len(ordered) / TARGET)
    return TimeLimit(_round_up(max(bound, longest)), len(ordered), longest)


def split_times(before: Sequence[int], after: Sequence[int]) -> tuple[int, int | None]:
    """Return the longest time at which something had not happened yet, and the shortest at which it had.

    Single observations may be wrong, because an answer may depend on something else, too. So the two are told apart
    where fewest observations contradict. The second is None if it never happened.
    """
    early, late = sorted([0, *before]), sorted(after)
    ends = [*late, max(early[-1], *late, 0) + 1]
    wrong = [(len(early) - bisect_left(early, one) + bisect_left(late, one), -one) for one in ends]
    end = -min(wrong)[1]
    longest = max((one for one in early if one < end), default=0)
    return longest, min((one for one in late if one >= end), default=None)


def widen(low: int, high: int, least: int) -> tuple[int, int]:
    """Widen a span to at least this width, around its middle.

    The clock of the ECU may have been started at any time between a request and its answer, so a time between messages
    is known no better than that.
    """
    missing = max(0, least - (high - low) + 1) // 2
    return max(0, low - missing), high + missing


def _round_up(time: float) -> int:
    """Round up to two digits: a limit pretends to no more precision than it has."""
    if time <= 0:
        return 1000
    unit = 10 ** max(3 if time > 10_000 else 2, floor(log10(time)) - 1)
    return int(-(-time // unit) * unit)
