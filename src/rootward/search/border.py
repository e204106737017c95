"""Bisect where the verdict changes.

Two places are known, one that fails and one that does not: two values of a field, two numbers of changes, two points.
Somewhere between them the verdict changes. Asking about a place in between and keeping the half whose ends still differ
finds that border in about log2(n) questions. If the verdict changes more than once, one of the borders is found.

What differs from search to search is only where to ask next, and that is what it passes in: ``places(near, far)`` gives
the places worth asking, the best one first. It stops the bisection by giving none: the two are neighbours, or close
enough. It may give the middle, or a place that halves what is believed about the border. It may give further places to
fall back on if the first cannot be judged, such as its neighbours; if none of them can be, the bisection ends where it
is. The move neither knows what a place is nor compares two of them, so near may be above far.

It yields ``Between``, and is told whether the place is like ``near``. `relay` asks a lab that, `drive` computes it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from itertools import count
from typing import Generic, NamedTuple, TypeVar

P = TypeVar("P")


class Between(NamedTuple, Generic[P]):
    """The place in question, and the two between which the border lies: a caller may prepare what comes next."""

    near: P
    place: P
    far: P


Bisection = Generator[Between[P], bool | None, tuple[P, P]]


def bisect(near: P, far: P, places: Callable[[P, P], Iterable[P]], *, limit: int | None = None) -> Bisection[P]:
    """Narrow the border between two places that differ, and return the last two: one like ``near``, one like ``far``.

    Yields a place and is told whether it is like ``near``, None if that cannot be judged. ``limit``: how often at most
    the two are brought nearer to each other.
    """
    for _ in count() if limit is None else range(limit):
        for place in places(near, far):
            alike = yield Between(near, place, far)
            if alike is not None:
                break
        else:
            break
        near, far = (place, far) if alike else (near, place)
    return near, far


def halfway(near: int, far: int) -> list[int]:
    """The middle of two whole numbers, if any lie between them."""
    return [(near + far) // 2] if abs(far - near) > 1 else []
