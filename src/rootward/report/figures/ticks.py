"""Round numbers: marks of an axis, the length of a scale bar."""

from __future__ import annotations

import math


def at_most(value: float) -> float:
    """The largest of 1, 2, 5, 10, 20, ... and 0.5, 0.2, 0.1, ... that is not above the value."""
    power = 10.0 ** math.floor(math.log10(value))
    return max(step * power for step in (0.5, 1, 2, 5) if step * power <= value * (1 + 1e-9))


def whole(top: int, about: int = 5) -> list[int]:
    """Whole numbers from 0 to at most ``top``, evenly apart, about so many steps."""
    step = max(1, round(at_most(max(top, 1) / about * 1.5)))
    return list(range(0, top + 1, step))


def powers(top: int) -> list[int]:
    """1, 10, 100, ... up to the value, which is the last one."""
    below = [10**i for i in range(len(str(max(top, 1)))) if 10**i < top / 2]
    return [*below, top]
