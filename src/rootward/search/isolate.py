"""Isolate the smallest difference that changes the verdict.

A run has one verdict; with a list of changes applied it has the other one. Usually few of these changes matter. Apply
them one after another, in a fixed order: with none of them the verdict is the old one, with all of them the new one, so
it flips somewhere in between, and bisection (`border`) finds a change that flips it. This change is needed: the changes
before it do not flip the verdict without it. Keep it, drop all changes after it, and repeat with those before it, until
the kept changes are enough on their own. This is the isolation of delta debugging: it takes about k (log2 n + 1)
questions to find k changes among n.

Each change found is needed, given those that were applied with it. If more changes never undo the effect of fewer, the
result is sufficient and minimal. If they can, it may not be sufficient; the question about all kept changes shows that.

The generators yield a ``ChangeSet``, a part of the changes, and are sent True if applying this part alone changes the
verdict, False if not. If a run cannot be judged, the caller may count it as a pass or as a failure and answer
accordingly; the answer None ends the isolation.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from rootward.search.border import BorderStep, bisect, midpoint
from rootward.search.relay import relay

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ChangeSet(Generic[T]):
    """A question: does the verdict change if exactly these changes are applied?"""

    changes: list[T]
    ahead: tuple[list[T], ...] = ()
    """Two sets of changes that may be asked about next: the first if these change the verdict, the second if not."""


def isolate(
    changes: Sequence[T], *, limit: int | None = None, confirm: bool = True
) -> Generator[ChangeSet[T], bool | None, list[T]]:
    """Return changes that are each needed and together enough to change the verdict.

    It must be known that the verdict changes if all changes are applied, and does not change if none is. ``limit`` is
    the maximum number of changes to find, for a search that only needs a place to begin. With ``confirm``, the changes
    found are asked about even when no others are left. The answer then makes no difference, but a search that counts
    its questions, or repeats runs on its own, may rely on the question.
    """
    found: list[T] = []
    left = list(changes)
    while left and (limit is None or len(found) < limit):
        end = yield from turning_point(left, found)
        if end is None:
            break
        found.append(left[end - 1])
        left = left[: end - 1]
        if (left or confirm) and (yield ChangeSet([*found])):
            break
    return found


def turning_point(changes: Sequence[T], kept: Sequence[T] = ()) -> Generator[ChangeSet[T], bool | None, int | None]:
    """Return a number n such that the first n changes change the verdict and the first n - 1 do not.

    Return None if a question could not be judged. The changes ``kept`` are applied in any case.
    """

    judged = True

    def part(count: int) -> list[T]:
        return [*kept, *changes[:count]]

    def ask(one: BorderStep[int]) -> Generator[ChangeSet[T], bool | None, bool | None]:
        nonlocal judged
        ahead = part((one.near + one.place) // 2), part((one.place + one.far) // 2)
        decides = yield ChangeSet(part(one.place), ahead)
        judged = decides is not None
        return not decides if judged else None

    _, end = yield from relay(bisect(0, len(changes), midpoint), ask)
    return end if judged else None
