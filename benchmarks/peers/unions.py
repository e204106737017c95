"""Measures of an answer: a union of product sets, compared with the planted truth.

Every answer (a product set, a decision tree, everything) labels some of all configurations as failing. Its parts are
disjoint products, and the truth is a product, so the measures of HPSL's Figure 5 need no sampling: the generalisation
factor (the logarithm of the fraction of all configurations that is labelled), the precision (the fraction of the
labelled ones that do fail) and the number of fields named. Recall is the fraction of the failing configurations that is
labelled.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from peers.planted import Coded

Part = Mapping[int, NDArray[np.bool_]]
"""A product set: for each field that matters, by its number, a truth value for each place of its values."""


@dataclass(frozen=True)
class Quality:
    factor: float  # log10 of the fraction of all configurations that is labelled as failing
    precision: float
    recall: float
    named: int


def quality(coded: Coded, union: Sequence[Part]) -> Quality:
    """Measure disjoint parts; a union of nothing labels nothing and has no precision."""
    if not union:
        return Quality(-math.inf, math.nan, 0.0, 0)
    sizes = np.array([_log_share(coded, part) for part in union])
    hits = np.array([_log_share(coded, _common(part, coded.triggering)) for part in union])
    truth = _log_share(coded, coded.triggering)
    factor, hit = _log_sum(sizes), _log_sum(hits)
    return Quality(factor, 10 ** (hit - factor), 10 ** (hit - truth), len(set().union(*union)))


def _common(one: Part, other: Part) -> Part:
    return {i: one.get(i, True) & other.get(i, True) for i in {*one, *other}}


def _log_share(coded: Coded, part: Part) -> float:
    counts = [(int(kept.sum()), int(coded.sizes[i])) for i, kept in part.items()]
    return sum(math.log10(count / size) if count else -math.inf for count, size in counts)


def _log_sum(logs: NDArray[np.float64]) -> float:
    top = logs.max()
    return float(top + np.log10((10 ** (logs - top)).sum())) if math.isfinite(top) else -math.inf
