"""Scores: how well a rule predicts failures, each rate with its confidence interval.

A rule predicts a failure where it holds. OTHER is not the failure being diagnosed and counts as not failing; UNRESOLVED
is left out. Intervals: ``wilson``, ``clopper-pearson`` (never too narrow) and ``hoeffding``, the bound that HPSL
states, ``sqrt(-ln(1 - confidence) / 2T)`` to either side: each bound holds with the requested confidence, both
together with a slightly lower one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from rootward.errors import InputError
from rootward.verdict import Verdict

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rootward.space.candidate import Configuration


class Estimate(NamedTuple):
    """A rate with its confidence interval. If nothing was observed, the value is NaN and the interval is 0..1."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, hits: int, trials: int, *, confidence: float = 0.95, method: str = "wilson") -> Estimate:
        """Estimate the rate from the number of ``hits`` in a number of ``trials``."""
        if method not in METHODS:
            raise InputError(f"interval method {method!r}: expected one of {', '.join(METHODS)}")
        if not 0 < confidence < 1:
            raise InputError(f"confidence {confidence!r}: expected a number between 0 and 1")
        if trials == 0:
            return cls(math.nan, 0.0, 1.0)
        value = hits / trials
        low, high = METHODS[method](hits, trials, confidence)
        # Rounding may put an end slightly on the wrong side of the value, or outside 0..1.
        return cls(value, min(value, max(0.0, low)), max(value, min(1.0, high)))

    def __str__(self) -> str:
        if math.isnan(self.value):
            return "not observed"
        return f"{self.value:.2f} ({self.low:.2f}..{self.high:.2f})"


def _wilson(hits: int, trials: int, confidence: float) -> tuple[float, float]:
    from statistics import NormalDist

    z = NormalDist().inv_cdf((1 + confidence) / 2)
    middle, scale = hits + z * z / 2, trials + z * z
    half = z * math.sqrt(hits * (trials - hits) / trials + z * z / 4)
    return (middle - half) / scale, (middle + half) / scale


def _clopper_pearson(hits: int, trials: int, confidence: float) -> tuple[float, float]:
    from scipy.special import betaincinv  # scipy.stats has the interval itself, but takes a second to import

    beyond, others = (1 - confidence) / 2, trials - hits
    low = betaincinv(hits, others + 1, beyond) if hits else 0.0
    return float(low), float(1 - betaincinv(others, hits + 1, beyond)) if others else 1.0


def _hoeffding(hits: int, trials: int, confidence: float) -> tuple[float, float]:
    half = math.sqrt(-math.log1p(-confidence) / (2 * trials))
    return hits / trials - half, hits / trials + half


METHODS = {"wilson": _wilson, "clopper-pearson": _clopper_pearson, "hoeffding": _hoeffding}


@dataclass(frozen=True, slots=True)
class Score:
    """Counts of right and wrong predictions, and the rates that follow from them."""

    hits: int  # holds, fails
    false_alarms: int  # holds, does not fail
    misses: int  # does not hold, fails
    rejections: int  # does not hold, does not fail
    confidence: float = 0.95
    method: str = "wilson"

    @property
    def trials(self) -> int:
        return self.hits + self.false_alarms + self.misses + self.rejections

    @property
    def precision(self) -> Estimate:
        """The share of failing trials among the trials where the rule holds."""
        return self._estimate(self.hits, self.hits + self.false_alarms)

    @property
    def recall(self) -> Estimate:
        """The share of the failing trials in which the rule holds."""
        return self._estimate(self.hits, self.hits + self.misses)

    @property
    def accuracy(self) -> Estimate:
        """The share of trials that the rule predicts correctly."""
        return self._estimate(self.hits + self.rejections, self.trials)

    @property
    def balanced_accuracy(self) -> Estimate:
        """The mean of recall and specificity: 0.5 for a rule without any information.

        The intervals of recall and of specificity are each computed with half the allowed error rate. So both are right
        at once with the requested confidence (Bonferroni). The ends of the result are the means of their ends.
        """
        stricter = (1 + self.confidence) / 2
        recall = self._estimate(self.hits, self.hits + self.misses, stricter)
        specificity = self._estimate(self.rejections, self.rejections + self.false_alarms, stricter)
        value, low, high = ((one + other) / 2 for one, other in zip(recall, specificity, strict=True))
        return Estimate(math.nan, 0.0, 1.0) if math.isnan(value) else Estimate(value, low, high)

    def _estimate(self, hits: int, trials: int, confidence: float | None = None) -> Estimate:
        return Estimate.of(hits, trials, confidence=confidence or self.confidence, method=self.method)

    def __str__(self) -> str:
        return f"precision {self.precision}, recall {self.recall}, balanced accuracy {self.balanced_accuracy}"


def score(
    holds_many: Callable[[Sequence[Configuration]], NDArray[np.bool_]],
    trials: Iterable[tuple[Configuration, Verdict | bool]],
    *,
    confidence: float,
    method: str,
) -> Score:
    """Compare the predictions of a rule with the verdicts of trials (True means failing)."""
    Estimate.of(0, 0, confidence=confidence, method=method)  # rejects invalid arguments before anything is counted
    kept = [(one, _fails(verdict)) for one, verdict in trials if verdict is not Verdict.UNRESOLVED]
    held = holds_many([configuration for configuration, _ in kept]).tolist()
    pairs = [(holds, fails) for holds, (_, fails) in zip(held, kept, strict=True)]
    hits, false_alarms = pairs.count((True, True)), pairs.count((True, False))
    misses, rejections = pairs.count((False, True)), pairs.count((False, False))
    return Score(hits, false_alarms, misses, rejections, confidence, method)


def _fails(verdict: Verdict | bool) -> bool:
    if isinstance(verdict, bool):
        return verdict
    if not isinstance(verdict, Verdict):
        raise InputError(f"the result of a trial must be a Verdict or a bool (True: it fails), got {verdict!r}")
    return verdict is Verdict.FAIL
