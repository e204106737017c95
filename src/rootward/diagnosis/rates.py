"""How often a failure is expected to show, and how many runs it takes not to miss it."""

from __future__ import annotations

from rootward.repeat import Once, Policy, Repeat, runs_to_see
from rootward.rules import Estimate

LEAST = 0.05
"""A failure that shows more rarely than this is taken to show so often."""
MISSED = 0.002
"""How often a verdict on a failure that does not show every time may be wrong."""


class Unsteady(Exception):
    """One configuration both failed and passed, though the failure was taken to show every time."""


def cautious(rate: Estimate) -> float:
    """Rather too rarely: between what was measured and the least that it could be."""
    return (rate.low + rate.value) / 2


def often_enough(rate: float) -> Policy:
    """Run so often that a failure that shows at this rate is hardly ever missed."""
    runs = runs_to_see(rate, missed=MISSED)
    return Once() if runs == 1 else Repeat.k_of_n(1, runs)
