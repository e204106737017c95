"""Find the smallest difference that decides.

One run has a verdict, and with some changes put in it has the other one. Few of these changes usually matter. Put them
in one after another, in a fixed order: with none of them nothing has changed, with all of them the verdict is the other
one, so somewhere it turns, and bisection finds a change that turns it (`border`). That one is needed: without it, the
changes before it do not do it. Keep it in place, drop all changes that come after it, and do the same with those before
it, until what was kept is enough alone. This is the isolation of delta debugging: k changes among n take about
k (log2 n + 1) questions.

Each change found is needed, given the ones that were put in with it. If more changes never undo what fewer did, the
result is enough and none of it can be spared. If they can, it may not be enough: the question about all of the kept
changes tells.

The moves yield a ``Part`` of the changes and are told whether it decides, that is, whether with it alone the verdict is
the other one. A search that must treat a run that cannot be judged as a pass, or as a failure, says so in its answer;
the answer None ends the isolation.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from rootward.search.border import Between, bisect, halfway
from rootward.search.relay import relay

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Part(Generic[T]):
    """A question: do these changes, put in together, decide?"""

    changes: list[T]
    ahead: tuple[list[T], ...] = ()
    """The parts of which one is asked about next: one if these decide, one if they do not."""


def isolate(
    changes: Sequence[T], *, limit: int | None = None, confirm: bool = True
) -> Generator[Part[T], bool | None, list[T]]:
    """Return changes that are needed and, together, enough; all of the changes are known to be enough, none is not.

    ``limit``: how many to find at most, for a search that only wants to know where to begin. ``confirm``: ask about
    the changes found even when no others are left. The answer makes no difference then; a search that counts what it
    asked, or repeats runs by itself, may rely on the question.
    """
    found: list[T] = []
    left = list(changes)
    while left and (limit is None or len(found) < limit):
        end = yield from turning_point(left, found)
        if end is None:
            break
        found.append(left[end - 1])
        left = left[: end - 1]
        if (left or confirm) and (yield Part([*found])):
            break
    return found


def turning_point(changes: Sequence[T], kept: Sequence[T] = ()) -> Generator[Part[T], bool | None, int | None]:
    """Return how many of the changes, put in from the first on, decide, where one fewer does not; None if a question
    in between could not be judged. ``kept``: changes that are in place anyhow."""

    judged = True

    def part(count: int) -> list[T]:
        return [*kept, *changes[:count]]

    def ask(one: Between[int]) -> Generator[Part[T], bool | None, bool | None]:
        nonlocal judged
        ahead = part((one.near + one.place) // 2), part((one.place + one.far) // 2)
        decides = yield Part(part(one.place), ahead)
        judged = decides is not None
        return not decides if judged else None

    _, end = yield from relay(bisect(0, len(changes), halfway), ask)
    return end if judged else None
