"""The numbers that steer ``alo``, each with its place in the paper on ALO-Trees, or with a word that it has none."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Tuning:
    """The numbers of ALO-Trees. How much they matter was not measured."""

    # Correctness

    min_split: int = 5
    """Trials below which a node is not split: "population size is less than 5" (section III-B)."""
    folds: int = 5
    """Parts into which cross-validation cuts the trials to choose a tree. Section III-D does not say how many."""

    # Effort

    passive_divisor: int = 5
    """One trial in this many is passive (section III-A-1, without a number there)."""
    batch_divisor: int = 10
    """Trials that a tree was fitted to for each one that is drawn from it together (section III-A-a, without a number
    there)."""
    candidates: int = 300
    """Points of each of three kinds among which the one of highest entropy is taken. The paper does not say how its
    maximum over all inputs (section III-A) is found."""
    max_boundary_points: int = 64
    """Boundary points to explain; of more, a sample is taken (section III-C, without a number there)."""
    drawn_models: int = 96
    """Models that RANSAC draws for each pair of fields (section III-C, without a number there) ..."""
    kept_models: int = 8
    """... and those of them that become questions."""

    # Guesses

    rare_share: float = 0.1
    """Share of the trials below which a label is searched for in spheres: "severely unbalanced" (section III-A-2)."""


TUNING = Tuning()
