"""Fields with very many values: the exact place where triggering begins or ends, by bisection.

Of such a field only some values were tried. Between two neighbours that differ there is a threshold, found in log2 of
their distance; between two that agree, the values are taken to be alike.
"""

from __future__ import annotations

from collections.abc import Generator
from itertools import pairwise

from rootward.search import Answers
from rootward.searches.products.inquiry import Asking, Inquiry


def thresholds(inquiry: Inquiry) -> Generator[Asking, Answers, None]:
    """Extend the sets of fields that were thinned out to all of their values."""
    for i, domain in enumerate(inquiry.problem.domains):
        if domain.thinned and domain.ordered and i in inquiry.sets:
            yield from _extend(inquiry, i)


def _extend(inquiry: Inquiry, i: int) -> Generator[Asking, Answers, None]:
    domain, name = inquiry.problem.domains[i], inquiry.problem.names[i]
    state = {at: place in inquiry.sets[i] for place, at in enumerate(domain.tried)}
    for below, above in pairwise(domain.tried):
        lo, hi = below, above
        while state[below] != state[above] and hi - lo > 1:
            middle = (lo + hi) // 2
            candidate = inquiry.problem.configuration({}, {i: middle})
            [state[middle]] = yield from inquiry.failed_as([candidate], f"where {name} begins to trigger")
            lo, hi = (middle, hi) if state[middle] == state[below] else (lo, middle)
    inquiry.extended[i] = _filled(state)


def _filled(state: dict[int, bool]) -> list[int]:
    """The triggering places: those tried, and those between two neighbours that both trigger."""
    known = sorted(state)
    runs = [range(below, above + 1) for below, above in pairwise(known) if state[below] and state[above]]
    return sorted({at for run in runs for at in run} | {at for at in known if state[at]})
