"""The numbers that steer the search for a failure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class StagesTuning:
    """The numbers of ``stages``.

    18 hidden bugs of six kinds, in interfaces of 6 to 60 fields (`tools/sensitivity.py exploration --count 3`), took
    1683 runs until the first failure, and one was not found within 1000. Halving ``first_cube`` changed the runs by
    -0.3% and found that one, too; doubling it changed them by +2.5%. Halving or doubling ``batch``, ``max_known``,
    ``max_redraws``, ``max_combinations`` or ``max_field_pairs`` changed nothing. The others, which decide when a search
    ends and what it keeps, were not measured.
    """

    # Effort: limits on runs

    max_runs: int = 2000
    """Maximum number of runs of a search, unless given."""
    min_further_runs: int = 12
    """Minimum number of runs after the first failure, unless given. Between the limits, the search makes as many
    as it took to find the first failure."""
    max_further_runs: int = 60
    """Maximum number of runs after the first failure, unless given."""
    batch: int = 16
    """Number of candidates in one question; as many again may be tried ahead. No effect was measured."""
    first_cube: int = 8
    """Number of points of the first Latin hypercubes; later ones are finer."""
    max_known: int = 500
    """Number of candidates in a row that are known or cannot be repaired after which the search stops looking for new
    ones. No effect was measured."""
    max_redraws: int = 60
    """Maximum number of times that the fields of a rule are drawn again before a candidate is given up. No effect was
    measured."""

    # Effort: limits on computation and memory

    max_listed: int = 10_000
    """Maximum size of a space of which all configurations are run."""
    max_combinations: int = 150_000
    """Maximum number of combinations for a covering array, which then takes a second or two. No effect was measured."""
    max_field_pairs: int = 400
    """Maximum number of pairs of fields whose pairs of values are all counted; of more pairs, a random sample is
    counted. No effect was measured."""
    kept_inputs: int = 3
    """Number of inputs to keep of each failure."""


TUNING = StagesTuning()
