"""How sure a predicted label is, judged by the trials nearby and not by the predictor.

The predictor is confident far from every trial. So two heuristics are used instead: *partition*, how near the point is
to trials of its predicted label (support), and *boundary*, how much nearer it is to them than to the others (no
confusion). The information that a trial would give is the entropy of their geometric mean.

The paper prints partition as ``(1 + 1/d) / 2``, which is above 1 as soon as ``d < 1`` and infinite at a known trial,
though it stands for a probability and though entropy is said to be zero at a known trial. Here it is as printed where
that is a probability, and 1 nearer by.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def partition(same: Floats) -> Floats:
    """The chance that the predicted label is right, by the distance to the nearest trial that has it."""
    return (1 + 1 / np.maximum(same, 1)) / 2


def boundary(same: Floats, other: Floats) -> Floats:
    """The same chance by both distances: to the nearest trial with the predicted label, and to one without.

    A set without trials is infinitely far away. If no trial has the predicted label, nothing speaks for or against it
    (1/2) but at a trial itself, where it is wrong.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        chance = np.where(np.isinf(other), 1.0, other / (same + other))
    unknown = np.where(other == 0, 0.0, 0.5)
    # Both distances are zero only if equal trials were labelled differently.
    return np.where(np.isinf(same), unknown, np.where((same == 0) & (other == 0), 0.5, chance))


def certainty(same: Floats, other: Floats) -> Floats:
    """The chance that the predicted label is the true one."""
    return np.sqrt(partition(same) * boundary(same, other))


def entropy(chance: Floats) -> Floats:
    """In bits, of something that happens with this chance."""
    inner = np.clip(chance, 1e-300, 1 - 1e-16)
    bits = -inner * np.log2(inner) - (1 - inner) * np.log2(1 - inner)
    return np.where((chance <= 0) | (chance >= 1), 0.0, bits)


def information(same: Floats, other: Floats) -> Floats:
    """What running the point is expected to tell: nothing, at a known trial."""
    return entropy(certainty(same, other))
