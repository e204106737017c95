"""probdd, probabilistic delta debugging, as Wang et al. describe it ("Probabilistic Delta Debugging", 2021).

Each element has a probability p of being needed. The next test leaves out the set S from which the most is to be
gained, |S| * prod(1 - p): for every size, that is the S of the least p. If it still fails, S is gone. If not, one of S
is needed: each p is divided by 1 - prod(1 - p), the chance of that. It ends when every p is 0 or 1.

A p grows by a third or more with each test that it is in (where |S| > 1 gains the most, no p in it is above 1 / |S|,
so prod(1 - p) >= 1/4), and a single one becomes 1: so it ends. The published result is 1-minimal only if more elements
never hide the failure, because a p of 1 is never looked at again; therefore every single removal is asked at the end.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from rootward.errors import InputError
from rootward.search.ask import Answers, Ask, Search, first_failing
from rootward.searches.reduction.ddmin import without_one
from rootward.searches.reduction.reduction import Reduction
from rootward.space.candidate import Elements, Selection

E = TypeVar("E")
Chances = npt.NDArray[np.float64]


def probdd(elements: Elements[E], *, p0: float = 0.1, check: bool = True) -> Search[Selection[E], Reduction[E]]:
    """The failing list reduced to a 1-minimal part; without ``check``, to what the published algorithm ends with.

    ``p0``: how probable it is for an element to be needed, before anything is known.
    """
    if not 0 < p0 < 1:
        raise InputError(f"p0 is a probability between 0 and 1, not {p0!r}")
    kept, chances = elements.all, np.full(len(elements), p0)
    while len(chosen := gainful(kept, chances)):
        candidate = kept.without(chosen.tolist())
        note = f"{len(kept)} of {len(elements)} kept, without {len(chosen)} of them"
        found = yield from first_failing([candidate], best=Reduction(selection=kept), note=note)
        if found is None:
            chances[chosen] = blamed(chances[chosen])
        else:
            kept = candidate
    return Reduction(selection=(yield from _singly(kept)) if check else kept, minimal=check)


def gainful(kept: Selection[E], chances: Chances) -> npt.NDArray[np.int64]:
    """What to leave out next: the elements from whose removal the most is to be gained; none if nothing is."""
    free = np.array(kept.free, dtype=np.int64)
    ranked = free[np.argsort(chances[free], kind="stable")]
    gains = np.arange(1, len(ranked) + 1) * np.cumprod(1 - chances[ranked])
    best = int(np.argmax(gains)) if len(gains) else 0
    return ranked[: best + 1] if len(gains) and gains[best] > 0 else ranked[:0]


def blamed(chances: Chances) -> Chances:
    """The probabilities of elements of which at least one is now known to be needed."""
    if len(chances) == 1:
        return np.ones(1)
    updated: Chances = np.minimum(1.0, chances / (1 - np.prod(1 - chances)))
    return updated


def _singly(kept: Selection[E]) -> Generator[Ask[Selection[E]], Answers, Selection[E]]:
    """Leave out one element after the other, as long as it fails."""
    while True:
        note = f"{len(kept)} of {len(kept.elements)} kept: is each of them needed?"
        smaller = yield from without_one(kept, kept.free, best=Reduction(selection=kept), note=note)
        if smaller is None:
            return kept
        kept = smaller
