"""The numbers of questions to compare a search for product sets with.

- ``least``: each answer is yes or no, so q of them distinguish at most ``2**q`` sets. k of N fields matter, and for a
  field with m values the triggering ones may be any subset that contains the failing value and is not all of them:
  ``log2(C(N, k)) + sum(log2(2**(m - 1) - 1))``. No method needs fewer on average.
- ``promised``: ``2 k (2 + log2 N) |X|``, the bound of HPSL (Vernaza, Guttendorf, Wagner and Koopman, Theorem 2), with
  |X| the largest number of values of a field.
- ``singly``: every other value of every field alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rootward.searches.products.problem import Problem


@dataclass(frozen=True)
class QuestionBounds:
    """Numbers of questions. They count the search only, not the runs that measure the precision."""

    least: int
    promised: int
    singly: int
    widest: int
    """|X|, the largest number of values of a field."""

    def to_dict(self) -> dict[str, Any]:
        return {"least": self.least, "promised": self.promised, "singly": self.singly, "widest": self.widest}


def bounds(problem: Problem, relevant: Iterable[int]) -> QuestionBounds:
    """Compute the bounds for a product set over these fields."""
    sizes = [len(problem.domains[i]) for i in relevant]
    total, count = len(problem), len(sizes)
    widest = int(problem.other_counts.max()) + 1
    ways = _log2_choose(total, count) + sum(map(_log2_subsets, sizes))
    promised = 2 * max(count, 1) * (2 + math.log2(total)) * widest
    return QuestionBounds(math.ceil(ways - 1e-9), math.floor(promised), int(problem.other_counts.sum()), widest)


def _log2_choose(total: int, count: int) -> float:
    return math.log2(math.comb(total, count))


def _log2_subsets(size: int) -> float:
    """Return ``log2(2**(size - 1) - 1)``.

    The result is 0 for a field with one value, because it has no subset that could matter.
    """
    return math.log2(2 ** (size - 1) - 1) if size > 1 else 0.0
