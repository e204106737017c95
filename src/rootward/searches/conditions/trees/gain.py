"""Information gain: by how much a split lowers the weighted entropy of the labels, in bits.

All counts are whole numbers, so a table of ``n * log2(n)`` gives every entropy without computing a logarithm:
a population of n with k failing has ``n`` times the entropy ``table[n] - table[k] - table[n - k]``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def gain(yes: Any, yes_fails: Any, count: int, fails: int) -> Floats:
    """Of splits that put ``yes`` rows, ``yes_fails`` of them failing, on one side; in all there are ``count``."""
    table = _table(1 << count.bit_length())
    no, no_fails = count - yes, fails - yes_fails
    after = table[yes] - table[yes_fails] - table[yes - yes_fails] + table[no] - table[no_fails] - table[no - no_fails]
    before = table[count] - table[fails] - table[count - fails]
    return np.asarray((before - after) / max(count, 1))


@lru_cache(maxsize=4)
def _table(size: int) -> Floats:
    numbers = np.arange(size + 1, dtype=np.float64)
    return numbers * np.log2(np.maximum(numbers, 1))


def gains_of(holds: NDArray[np.bool_], fails: NDArray[np.bool_]) -> Floats:
    """Of several splits, each given as a row of answers."""
    yes, yes_fails = np.count_nonzero(holds, axis=-1), np.count_nonzero(holds[..., fails], axis=-1)
    return gain(yes, yes_fails, len(fails), int(np.count_nonzero(fails)))
