"""The constants of the search on files."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class FileTuning:
    """The constants of the search on files. How sensitive the results are to them was not measured."""

    max_predicted: int = 16
    """Maximum number of versions that idle workers may try ahead."""
    max_lowered: int = 64
    """Maximum number of digits or bytes of a file that are lowered one by one; of more, only groups. Also the size of
    what is taken to be the header of binary data."""
    original_runs: int = 16
    """Runs that measure how often the original of a flaky failure fails."""
    max_original_runs: int = 48
    """Maximum number of such runs until it failed twice."""
    accept: float = 0.9
    """Probability of failing often enough at which a version is accepted."""
    reject: float = 0.06
    """Probability of failing often enough at which a version is given up."""
    leak: float = 0.03
    """Share of the original's rate at which a version without something needed may still fail."""
    max_runs: int = 30
    """Maximum number of runs that decide about one version."""
    min_confirm_runs: int = 6
    max_confirm_runs: int = 80
    """Least and largest number of runs that compare the rate of a version with that of the original."""
    confirm_batch: int = 3
    checkpoint_confidence: float = 0.85
    """Confidence required to go on from a version, after each stage of the search."""
    max_steps_back: int = 5
    """Maximum number of earlier versions that are confirmed anew if the result fails too rarely."""
    checkpoint_gain: float = 0.25
    """Share of the bytes that must be gone since the last confirmation for another one."""


TUNING = FileTuning()
