"""How often something that fails now and then must be run to be seen failing."""

from __future__ import annotations

from rootward import repeat
from rootward.rules import Estimate

MISSED = 0.01
"""The failure may be missed in one of so many tries."""
MOST = 60
"""Nothing is run more often than this."""


def runs_to_see(rate: Estimate) -> int:
    """So many runs miss it with a chance below ``MISSED``, if it fails as rarely as was measured, or more often."""
    if not rate.value < 1:  # always, or not known to be rare
        return 1
    chance = rate.low if rate.low > 0 else rate.value
    return MOST if chance <= 0 else min(MOST, repeat.runs_to_see(chance, missed=MISSED))
