"""Repeat runs to see if they have the same verdict again.

A flaky failure sometimes passes by chance, and a subject may have changed since its history was recorded. One such run
misleads a search badly: it looks like an exception to a simple condition, or like a second cause, and the run alone
does not show that it is neither. So a search repeats a few runs before it concludes much from them. It chooses which:
those that contradict the current belief, passes among failures, or a few of each verdict when the explanation grows
suspiciously long.

A run with a changed verdict is not to be relied on. A run that could not be judged the second time says nothing. The
number of runs needed to catch a flaky failure is computed in `repeat`, its rate is measured in `failure_rate`.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from typing import Any, TypeVar

from rootward.search.ask import Answers, Ask, has_failed

C = TypeVar("C")


def run_again(
    runs: Sequence[tuple[C, bool]], *, best: Any, note: str, fresh: bool = True
) -> Generator[Ask[C], Answers, list[C]]:
    """Repeat runs, given as (candidate, failed) pairs, and return the candidates whose verdict changed.

    With ``fresh``, the next seed is used even if the lab knows the verdict. Set it to False for runs made outside of
    this lab: the lab has no run of its own yet, and the one it makes is worth remembering.
    """
    outcomes = yield Ask([one for one, _ in runs], fresh=fresh, best=best, note=note)
    return select_changed(runs, map(has_failed, outcomes))


def select_changed(runs: Iterable[tuple[C, bool]], now: Iterable[bool | None]) -> list[C]:
    """Return the candidates whose verdict changed.

    ``runs`` are pairs (candidate, True if it failed before). ``now`` says for each pair whether the candidate failed
    this time, or None if that could not be judged.
    """
    return [one for (one, before), after in zip(runs, now, strict=True) if after not in (None, before)]
