"""What the robot knows of itself, which is never quite true.

A compass and an odometer are each off by an amount that is drawn once per run, and by a little that is drawn anew for
each reading; and the wheels of each side never do exactly what they are told.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Noise:
    """Standard deviations. Of the whole run: compass (rad), odometer (m), pace and drift (shares of speed)."""

    compass: float = 0.03
    odometer: float = 0.04
    pace: float = 0.05
    drift: float = 0.02
    flicker: float = 0.02
    """Of each reading and each command."""


class Senses:
    """The noise of one run."""

    def __init__(self, noise: Noise, seed: int) -> None:
        self._rng, self._noise = np.random.default_rng(seed), noise
        draw = np.clip(self._rng.normal(size=5), -2.0, 2.0)  # the goal stays within reach
        self._heading = draw[0] * noise.compass
        self._x, self._y = draw[1:3] * noise.odometer
        pace, drift = 1 + draw[3] * noise.pace, draw[4] * noise.drift
        self._left, self._right = pace - drift, pace + drift

    def reading(self, x: float, y: float, heading: float) -> tuple[float, float, float]:
        """Where the robot believes to be."""
        a, b, c = self._rng.normal(scale=self._noise.flicker, size=3)
        return x + self._x + a, y + self._y + b, heading + self._heading + c

    def driven(self, wheels: tuple[float, float, float, float]) -> Any:
        """What the wheels do when told this."""
        real = self._rng.normal(1.0, self._noise.flicker, size=4)
        return np.array(wheels) * real * (self._left, self._right, self._left, self._right)
