"""Does a run do the same when it is repeated?

A failure that does not show every time now and then passes by chance, and a subject may have changed since its history
was recorded. One such run misleads a search badly: it looks like an exception to a simple condition, or like a second
cause, and nothing in the run itself shows that it is neither. So before much is concluded from a few runs, repeat them.
Which ones is for the search to say: those that contradict what is believed, passes among failures, or a few of each
verdict when the explanation grows suspiciously long.

What did otherwise is not believed. What could not be judged the second time says nothing. How often a failure must be
looked for, once it is known to be flaky, is said in `repeat`; how often it shows is found out in `flaky`.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from typing import Any, TypeVar

from rootward.search.ask import Answers, Ask, has_failed

C = TypeVar("C")


def run_again(
    runs: Sequence[tuple[C, bool]], *, best: Any, note: str, fresh: bool = True
) -> Generator[Ask[C], Answers, list[C]]:
    """Repeat runs, each given with whether it failed, and return those that did otherwise.

    ``fresh``: with the next seed, even if the lab knows the run. Not so for runs that were made elsewhere: the lab has
    none of its own yet, and the one that it makes is worth remembering.
    """
    outcomes = yield Ask([one for one, _ in runs], fresh=fresh, best=best, note=note)
    return otherwise(runs, map(has_failed, outcomes))


def otherwise(runs: Iterable[tuple[C, bool]], now: Iterable[bool | None]) -> list[C]:
    """Return the runs that did otherwise: each given with whether it failed, and ``now`` whether it does again."""
    return [one for (one, before), after in zip(runs, now, strict=True) if after not in (None, before)]
