"""ddmin, as Zeller and Hildebrandt describe it ("Simplifying and Isolating Failure-Inducing Input", 2002).

Cut the list into n parts. If one part alone fails, go on with it and n = 2; else if the list without one part fails, go
on with that and n - 1; else double n, until the parts are single elements. The result is 1-minimal: without any single
one of its elements it no longer fails. At worst about |c|^2 + 3|c| tests; with one culprit at best 2 log2 |c|.

The paper requires that nothing at all does not fail; that is asked first, because a test that always fails (a command
that cannot even start, say) would otherwise lead to a meaningless single element.

What is pinned is in every test. In a tree, an element goes with all that lies in it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TypeVar

from rootward.search.ask import Answers, Ask, Lazily, Search, first_failing
from rootward.searches.reduction.reduction import Reduction
from rootward.space.candidate import Elements, Selection

E = TypeVar("E")


def ddmin(elements: Elements[E]) -> Search[Selection[E], Reduction[E]]:
    """The failing list reduced to a 1-minimal part."""
    return Reduction(selection=(yield from ddmin_of(elements.all, lambda kept: kept.free)))


def ddmin_of(
    kept: Selection[E], units: Callable[[Selection[E]], Sequence[int]]
) -> Generator[Ask[Selection[E]], Answers, Selection[E]]:
    """The failing selection with as few of its ``units`` as ddmin finds to be enough; it keeps everything else."""
    total, n = len(kept.elements), 2
    nothing = kept.without(units(kept))
    if len(nothing) == len(kept):
        return kept
    if (yield from first_failing([nothing], best=Reduction(selection=kept), note="does nothing at all fail?")) == 0:
        return nothing
    while len(present := units(kept)) >= 2:
        n = min(n, len(present))  # in a tree, more than one part may have gone at once
        best = Reduction(selection=kept)
        parts, complements = _cut(kept, present, n)
        note = f"{len(kept)} of {total} kept, in {n} parts"
        found = yield from first_failing(parts, best=best, note=note)
        if found is not None:
            kept, n = parts[found], 2
            continue
        found = yield from first_failing(complements, best=best, note=note)
        if found is not None:
            kept, n = complements[found], max(n - 1, 2)
        elif n < len(present):
            n = min(len(present), 2 * n)
        else:
            break
    return kept


def _cut(kept: Selection[E], units: Sequence[int], n: int) -> tuple[Lazily[Selection[E]], Lazily[Selection[E]]]:
    """The selection with one each of n parts of its units, of as equal a size as possible; and without each of them."""
    bounds = [len(units) * i // n for i in range(n + 1)]
    whole, positions = kept.elements, kept.kept
    if whole.parents is None and len(units) == len(kept):  # the same, without looking at each element
        parts = Lazily(n, lambda i: Selection(whole, positions[bounds[i] : bounds[i + 1]]))
        return parts, Lazily(n, lambda i: Selection(whole, positions[: bounds[i]] + positions[bounds[i + 1] :]))
    parts = Lazily(n, lambda i: kept.without([*units[: bounds[i]], *units[bounds[i + 1] :]]))
    return parts, Lazily(n, lambda i: kept.without(units[bounds[i] : bounds[i + 1]]))


def without_one(
    kept: Selection[E], order: Sequence[int], *, best: Reduction[E], note: str
) -> Generator[Ask[Selection[E]], Answers, Selection[E] | None]:
    """The selection without the first of these that it fails without; None if it needs every one of them.

    It makes any reduction 1-minimal: methods that cannot promise that themselves ask it last, until it says None.
    """
    singles = Lazily(len(order), lambda i: kept.without([order[i]]))
    found = yield from first_failing(singles, best=best, note=note)
    return None if found is None else singles[found]
