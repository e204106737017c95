"""A space so small that all of it can be run: then a condition is no guess any more, but a fact."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import islice, product
from typing import Any

from rootward.candidate import Configuration
from rootward.rules import Rule
from rootward.space import Field, Float, Int, Space

FEW = 48
"""So many runs that are left are always made: about as many as fresh runs would be."""
PART = 4
"""More are made if they are no more than one in so many of those before: certainty is worth that, but not any price."""
MOST = 20_000
"""A space with more configurations than this is not even looked through."""


def left(
    space: Space, known: Collection[str], *, never: Rule | None, key: Callable[[Configuration], str], spent: int
) -> list[dict[str, Any]] | None:
    """What has to be run until all of the space is known; None if that is too much after ``spent`` trials."""
    if not countable(space):
        return None
    most = max(FEW, spent // PART)
    found = list(islice((one for one in everything(space, never) if key(one) not in known), most + 1))
    return found if len(found) <= most else None


def everything(space: Space, never: Rule | None = None) -> Iterator[dict[str, Any]]:
    """All configurations of a countable space that may be run."""
    for values in product(*(_members(space[name]) for name in space)):
        one = dict(zip(space, values, strict=True))
        if never is None or not never.holds(one):
            yield one


def parted(runs: Iterable[dict[str, Any]], claim: Rule) -> list[tuple[str, dict[str, Any]]]:
    """The runs with where they lie: first all outside of the claim, then inside."""
    sides = [("inside" if claim.holds(one) else "outside", one) for one in runs]
    return sorted(sides, key=lambda side: side[0] == "inside")


def agrees(claim: Rule, known: Iterable[tuple[Configuration, bool]]) -> bool:
    """Whether all that was run did what the claim says."""
    return all(claim.holds(one) is fails for one, fails in known)


def countable(space: Space) -> bool:
    """Whether all configurations can be looked through; neighbouring floats are never few."""
    dense = any(isinstance(field, Float) and field.step is None for _, field in space.items())
    return not dense and space.size <= MOST


def _members(field: Field) -> Iterable[Any]:
    if isinstance(field, Int):
        return range(field.lo, field.hi + 1)
    if isinstance(field, Float):
        first, last = field.steps
        return map(field.multiple, range(first, last + 1))
    return field.values
