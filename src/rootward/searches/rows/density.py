"""How many of a line of suspects are guilty, and so how many to clear at once.

The share of guilty ones is unknown: any order of magnitude is as likely as any other, from hardly one of them to nearly
all; but often there are no more. Each one found and each one cleared teaches it. ``survival(n)`` is the chance that
none of the next n is guilty.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
GRID = 32
NONE = 0.1
"""The chance that there is none at all, or hardly one."""


@dataclass(frozen=True, eq=False)
class Density:
    """Possible shares of guilty ones, and the chance of each."""

    shares: Array
    chances: Array

    @classmethod
    def over(cls, count: int) -> Density:
        """Nothing known of so many suspects."""
        low = math.log(0.3 / max(1, count))
        chances = np.full(GRID, (1 - NONE) / GRID)
        chances[0] += NONE
        return cls(np.exp(np.linspace(low, math.log(0.95), GRID)), chances)

    def survival(self, count: int) -> float:
        return float(self.chances @ (1 - self.shares) ** count)

    def after(self, cleared: int, found: int) -> Density:
        """What so many cleared ones and so many guilty ones teach."""
        logs = np.log(self.chances) + cleared * np.log1p(-self.shares) + found * np.log(self.shares)
        chances = np.exp(logs - logs.max()) + 1e-300
        return replace(self, chances=chances / chances.sum())
