"""Bisect the border at which the verdict changes.

The search starts from two places, one that fails and one that does not: two values of a field, two numbers of changes,
two points. Somewhere between them the verdict changes. It asks about a place in between, keeps the half whose ends
still differ, and so finds the border in about log2(n) questions. If the verdict changes more than once, it finds one of
the borders.

Callers differ only in the place to ask about next, so they pass that in: ``places(near, far)`` returns the places worth
asking about, the best one first. That may be the middle, or the place that halves the caller's belief about the border.
Further places are fallbacks for when the first cannot be judged, such as its neighbours. The bisection ends when
``places`` returns nothing (the two are neighbours, or close enough), when none of the returned places can be judged, or
when ``limit`` is reached. It neither knows what a place is nor compares two of them, so near may be above far.

The generator yields a ``BorderStep`` and is sent True if the place behaves like ``near``, False if it behaves like
``far``, None if it could not be judged. Use `relay` to have a lab answer, `drive` to compute the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from itertools import count
from typing import Generic, NamedTuple, TypeVar

P = TypeVar("P")


class BorderStep(NamedTuple, Generic[P]):
    """A place to judge, between two places that enclose the border.

    From these a caller knows both places that may be asked about next, and can run them in advance.
    """

    near: P
    place: P
    far: P


Bisection = Generator[BorderStep[P], bool | None, tuple[P, P]]


def bisect(near: P, far: P, places: Callable[[P, P], Iterable[P]], *, limit: int | None = None) -> Bisection[P]:
    """Narrow the border between two places, and return the closest two places found on either side of it.

    The first behaves like ``near``, the second like ``far``. ``limit`` is the maximum number of times the interval is
    narrowed.
    """
    for _ in count() if limit is None else range(limit):
        for place in places(near, far):
            alike = yield BorderStep(near, place, far)
            if alike is not None:
                break
        else:
            break
        near, far = (place, far) if alike else (near, place)
    return near, far


def midpoint(near: int, far: int) -> list[int]:
    """Return a list with the middle of two integers. It is empty if no integer lies between them."""
    return [(near + far) // 2] if abs(far - near) > 1 else []
