"""ddmin, as Zeller and Hildebrandt describe it ("Simplifying and Isolating Failure-Inducing Input", 2002).

Cut the list into n parts. If one part alone fails, go on with it and n = 2; else if the list without one part fails, go
on with that and n - 1; else double n, until the parts are single elements. The result is 1-minimal: without any single
one of its elements it no longer fails. At worst about |c|^2 + 3|c| tests; with one culprit at best 2 log2 |c|.

The paper requires that nothing at all does not fail; that is asked first, because a test that always fails (a command
that cannot even start, say) would otherwise lead to a meaningless single element.
"""

from __future__ import annotations

from typing import TypeVar

from rootward.candidate import Elements, Selection
from rootward.search import Lazily, Search, first_failing
from rootward.searches.reduction.reduction import Reduction

E = TypeVar("E")


def ddmin(elements: Elements[E]) -> Search[Selection[E], Reduction[E]]:
    """The failing list reduced to a 1-minimal part."""
    kept, n = elements.all, 2
    nothing = elements.pick(())
    if (yield from first_failing([nothing], best=Reduction(selection=kept), note="does nothing at all fail?")) == 0:
        return Reduction(selection=nothing)
    while len(kept) >= 2:
        best = Reduction(selection=kept)
        parts, complements = _cut(kept, n)
        note = f"{len(kept)} of {len(elements)} kept, in {n} parts"
        found = yield from first_failing(parts, best=best, note=note)
        if found is not None:
            kept, n = parts[found], 2
            continue
        found = yield from first_failing(complements, best=best, note=note)
        if found is not None:
            kept, n = complements[found], max(n - 1, 2)
        elif n < len(kept):
            n = min(len(kept), 2 * n)
        else:
            break
    return Reduction(selection=kept)


def _cut(kept: Selection[E], n: int) -> tuple[Lazily[Selection[E]], Lazily[Selection[E]]]:
    """n parts of as equal a size as possible, in order; and what is left without each of them."""
    bounds = [len(kept) * i // n for i in range(n + 1)]
    whole, positions = kept.elements, kept.kept
    parts = Lazily(n, lambda i: Selection(whole, positions[bounds[i] : bounds[i + 1]]))
    return parts, Lazily(n, lambda i: Selection(whole, positions[: bounds[i]] + positions[bounds[i + 1] :]))
