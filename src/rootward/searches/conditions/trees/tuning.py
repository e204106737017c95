"""The constants of ``alo``, each with its section in the paper on ALO-Trees, or a note that the paper gives none."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class AloTuning:
    """The constants of ALO-Trees. Their effect was not measured."""

    # Correctness

    min_split: int = 5
    """Minimum number of trials to split a node: "population size is less than 5" (section III-B)."""
    folds: int = 5
    """Number of folds of the cross-validation that chooses a tree. Section III-D gives no number."""

    # Effort

    passive_divisor: int = 5
    """Size of the passive sample: the number of trials divided by this (section III-A-1, which gives no number)."""
    batch_divisor: int = 10
    """Size of a batch: the number of known trials divided by this (section III-A-a, which gives no number)."""
    candidates: int = 300
    """Number of candidates of each of three kinds; the one of highest entropy is run. The paper does not say how it
    maximises over all inputs (section III-A)."""
    max_boundary_points: int = 64
    """Maximum number of boundary points to explain; of more, a sample is used (section III-C, which gives no
    number)."""
    drawn_models: int = 96
    """Maximum number of models that RANSAC draws for each pair of fields (section III-C, which gives no number)."""
    kept_models: int = 8
    """Number of models that RANSAC keeps as questions for each pair of fields."""

    # Guesses

    rare_share: float = 0.1
    """Share of the trials below which a label is rare, so that spheres are sampled: "severely unbalanced" (section
    III-A-2)."""


TUNING = AloTuning()
