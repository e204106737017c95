"""What is left, without single elements: the last question of a reduction."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TypeVar

from rootward.candidate import Selection
from rootward.search import Answers, Ask, Lazily, first_failing
from rootward.searches.reduction.reduction import Reduction

E = TypeVar("E")


def without_one(
    kept: Selection[E], order: Sequence[int], *, best: Reduction[E], note: str
) -> Generator[Ask[Selection[E]], Answers, Selection[E] | None]:
    """The selection without the first of these that it fails without; None if it needs every one of them."""
    singles = Lazily(len(order), lambda i: kept.without([order[i]]))
    found = yield from first_failing(singles, best=best, note=note)
    return None if found is None else singles[found]
