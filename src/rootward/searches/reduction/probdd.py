"""probdd, probabilistic delta debugging, as Wang et al. describe it ("Probabilistic Delta Debugging", 2021).

Each element has a probability p of being needed. The next test removes the set S with the largest expected gain,
|S| * prod(1 - p); for every size, that is the S with the smallest p. If the rest still fails, S is removed for good. If
not, some element of S is needed: each p in S is divided by 1 - prod(1 - p), the probability of that. The search ends
when every p is 0 or 1.

It does end: each p in S grows by a third or more with every such test (if |S| > 1 gains the most, no p in S is above
1 / |S|, so prod(1 - p) >= 1/4), and the p of a single element becomes 1. The published result is 1-minimal only if more
elements never hide the failure, because an element with p = 1 is never tested again. Therefore every single removal is
tested at the end.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from rootward.errors import InputError
from rootward.search.ask import Answers, Ask, Search, first_failing
from rootward.searches.reduction.ddmin import remove_one
from rootward.searches.reduction.reduction import Reduction, count_left
from rootward.space.candidate import Elements, Selection

E = TypeVar("E")
Chances = npt.NDArray[np.float64]


def probdd(elements: Elements[E], *, p0: float = 0.1, check: bool = True) -> Search[Selection[E], Reduction[E]]:
    """Reduce the failing list to a 1-minimal part.

    Without ``check``, the result is that of the published algorithm and may not be 1-minimal. ``p0`` is the probability
    of each element to be needed, before any test.
    """
    if not 0 < p0 < 1:
        raise InputError(f"p0 must be a probability between 0 and 1, not {p0!r}")
    kept, chances = elements.all, np.full(len(elements), p0)
    while len(chosen := choose_removal(kept, chances)):
        candidate = kept.without(chosen.tolist())
        note = f"{count_left(kept)}, trying without {len(chosen):,} of them"
        found = yield from first_failing([candidate], best=Reduction(selection=kept), note=note)
        if found is None:
            chances[chosen] = update_chances(chances[chosen])
        else:
            kept = candidate
    return Reduction(selection=(yield from _remove_singles(kept)) if check else kept, minimal=check)


def choose_removal(kept: Selection[E], chances: Chances) -> npt.NDArray[np.int64]:
    """Return the elements to remove next: those whose removal has the largest expected gain.

    Return none if no gain is expected.
    """
    free = np.array(kept.free, dtype=np.int64)
    ranked = free[np.argsort(chances[free], kind="stable")]
    gains = np.arange(1, len(ranked) + 1) * np.cumprod(1 - chances[ranked])
    best = int(np.argmax(gains)) if len(gains) else 0
    return ranked[: best + 1] if len(gains) and gains[best] > 0 else ranked[:0]


def update_chances(chances: Chances) -> Chances:
    """Return the new probabilities of elements, given that at least one of them is needed."""
    if len(chances) == 1:
        return np.ones(1)
    updated: Chances = np.minimum(1.0, chances / (1 - np.prod(1 - chances)))
    return updated


def _remove_singles(kept: Selection[E]) -> Generator[Ask[Selection[E]], Answers, Selection[E]]:
    """Remove single elements until each one left is needed."""
    while True:
        note = f"{count_left(kept)}, checking that each is needed"
        smaller = yield from remove_one(kept, kept.free, best=Reduction(selection=kept), note=note)
        if smaller is None:
            return kept
        kept = smaller
