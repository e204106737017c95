"""ddmin, as Zeller and Hildebrandt describe it ("Simplifying and Isolating Failure-Inducing Input", 2002).

Split the list into n parts. If one part alone fails, continue with it and n = 2; else if the list without one part
fails, continue with that and n - 1; else double n, until the parts are single elements. The result is 1-minimal:
without any single one of its elements it no longer fails. The worst case takes about |c|^2 + 3|c| tests; with a single
culprit, the best case takes 2 log2 |c|.

The paper requires that the empty list does not fail. That is asked first, because a subject that always fails (say, a
command that cannot start) would otherwise lead to a meaningless single element.

Pinned elements are part of every test. In a tree, an element is removed with everything below it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence
from typing import TypeVar

from rootward.search.ask import Answers, Ask, LazyCandidates, Search, first_failing
from rootward.searches.reduction.reduction import Reduction, count_left
from rootward.space.candidate import Elements, Selection

E = TypeVar("E")


def ddmin(elements: Elements[E]) -> Search[Selection[E], Reduction[E]]:
    """Reduce the failing list to a 1-minimal part."""
    return Reduction(selection=(yield from reduce_units(elements.all, lambda kept: kept.free)))


def reduce_units(
    kept: Selection[E], units: Callable[[Selection[E]], Sequence[int]], max_parts: float = math.inf
) -> Generator[Ask[Selection[E]], Answers, Selection[E]]:
    """Reduce the ``units`` of a failing selection with ddmin and return the selection that is left.

    Elements that are not units are kept. With ``max_parts``, it ends before the list is cut into more parts.
    """
    n = 2
    nothing = kept.without(units(kept))
    if len(nothing) == len(kept):
        return kept
    if (yield from first_failing([nothing], best=Reduction(selection=kept), note="trying to remove everything")) == 0:
        return nothing
    while len(present := units(kept)) >= 2:
        n = min(n, len(present))  # in a tree, more than one part may have gone at once
        best = Reduction(selection=kept)
        parts, complements = split(kept, present, n)
        note = f"{count_left(kept)}, split into {n} parts"
        found = yield from first_failing(parts, best=best, note=note)
        if found is not None:
            kept, n = parts[found], 2
            continue
        found = yield from first_failing(complements, best=best, note=note)
        if found is not None:
            kept, n = complements[found], max(n - 1, 2)
        elif n < min(len(present), max_parts):
            n = min(len(present), 2 * n)
        else:
            break
    return kept


def split(
    kept: Selection[E], units: Sequence[int], n: int
) -> tuple[LazyCandidates[Selection[E]], LazyCandidates[Selection[E]]]:
    """Split the units into ``n`` parts of similar size.

    Return the selections that keep only one part, and the selections that lack one part.
    """
    bounds = [len(units) * i // n for i in range(n + 1)]
    whole, positions = kept.elements, kept.kept
    if whole.parents is None and len(units) == len(kept):  # a faster way to the same selections
        parts = LazyCandidates(n, lambda i: Selection(whole, positions[bounds[i] : bounds[i + 1]]))
        return parts, LazyCandidates(n, lambda i: Selection(whole, positions[: bounds[i]] + positions[bounds[i + 1] :]))
    parts = LazyCandidates(n, lambda i: kept.without([*units[: bounds[i]], *units[bounds[i + 1] :]]))
    return parts, LazyCandidates(n, lambda i: kept.without(units[bounds[i] : bounds[i + 1]]))


def remove_one(
    kept: Selection[E], order: Sequence[int], *, best: Reduction[E], note: str
) -> Generator[Ask[Selection[E]], Answers, Selection[E] | None]:
    """Return the selection without the first element of ``order`` that can be removed; None if all are needed.

    Methods that do not guarantee 1-minimality call this at the end, until it returns None.
    """
    singles = LazyCandidates(len(order), lambda i: kept.without([order[i]]))
    found = yield from first_failing(singles, best=best, note=note)
    return None if found is None else singles[found]
