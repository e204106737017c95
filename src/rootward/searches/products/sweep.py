"""Group testing in a line: find the first item that stops the failure.

Items (a field and a new value for it) stand in a line. A run with the items of a window ``[clear, m)`` changed at once
fails exactly if the first stopping item is at ``m`` or later. So a failing run clears the whole window, and every run
is a question about one unknown, the position of the first stopper. Its distribution follows from the chance of each
item to stop the failure. The window to ask for is the one whose answer tells most. For a failure that shows every time
this is a weighted bisection (Hwang's generalised binary splitting, with sizes that follow from what was found so far);
for a flaky one, where a pass proves nothing, it is the Bayesian search on a Z-channel. Nothing else distinguishes the
two.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def information(chance: Floats, rate: float) -> Floats:
    """Return the expected information of runs, in bits.

    ``chance``: that a run triggers the fault; ``rate``: how often a triggered fault shows.
    """
    bits: Floats = entropy(rate * chance) - chance * entropy(np.array([rate]))
    return bits


def entropy(chance: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        bits = -(chance * np.log2(chance) + (1 - chance) * np.log2(1 - chance))
    found: Floats = np.nan_to_num(bits)
    return found


@dataclass
class ItemSweep:
    """One line of items. ``rate``: how often a triggered fault shows."""

    length: int
    rate: float
    clear: int = 0
    """All items before this one are known not to stop the failure."""
    passes: list[tuple[int, int]] = field(default_factory=list)
    """The windows that passed and are not explained yet."""

    def fork(self) -> ItemSweep:
        return ItemSweep(self.length, self.rate, self.clear, list(self.passes))

    @property
    def is_done(self) -> bool:
        return self.clear == self.length

    def weights(self, hazards: Floats, whole: float = 1.0) -> Floats:
        """Return the probability of each position from ``clear`` on to be the first stopper.

        The last entry is the probability that there is no stopper. ``whole``: a factor for the weight of this entry,
        before normalising.
        """
        rest = hazards[self.clear :]
        survival = np.concatenate(([1.0], np.cumprod(1 - rest)))
        weights = survival * np.concatenate((rest, [1.0]))
        for _, end in self.passes:
            weights[end - self.clear :] *= 1 - self.rate
        weights[-1] *= whole
        found: Floats = weights / weights.sum()
        return found

    def window(self, weights: Floats) -> tuple[int, float]:
        """Return the end of the window whose run gives most information, and this information in bits.

        A window begins at ``clear``.
        """
        beyond = 1 - np.cumsum(weights[:-1])  # the chance that the first stopper is not in the window
        bits = information(np.clip(beyond, 0.0, 1.0), self.rate)
        best = int(bits.argmax())
        return self.clear + best + 1, float(bits[best])

    def record_failure(self, end: int) -> None:
        """Record that the window up to ``end`` still failed: nothing in it is a stopper."""
        self.clear = max(self.clear, end)
        self.passes = [window for window in self.passes if window[1] > self.clear]

    def record_pass(self, end: int) -> None:
        self.passes.append((self.clear, end))

    def skip(self) -> None:
        """Skip the item at ``clear`` because it is a stopper.

        It explains all passes so far, so they are forgotten.
        """
        self.clear += 1
        self.passes = []

    @property
    def is_confirmed(self) -> bool:
        """True if the item at ``clear`` passed when it was run alone."""
        return (self.clear, self.clear + 1) in self.passes
