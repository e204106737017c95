"""The numbers that steer the search for a failure, each with what it limits or means."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Tuning:
    """The numbers of ``stages``.

    18 hidden bugs of six kinds, in interfaces of 6 to 60 fields (`tools/sensitivity.py exploration --count 3`), took
    1683 runs until the first failure, and one was not met within 1000. Half of ``first_cube`` changed the runs by -0.3%
    and met that one, too; twice as much by +2.5%. Halving or doubling ``batch``, ``max_known``, ``max_redraws``,
    ``max_combinations`` or ``max_field_pairs`` changed nothing. The others, which say when a search ends and what it
    keeps, were not measured.
    """

    # Effort: limits on runs

    max_runs: int = 2000
    """Runs of a search, unless given."""
    min_further_runs: int = 12
    """Runs after the first failure: as many as it took to meet it, but at least these ..."""
    max_further_runs: int = 60
    """... and at most these."""
    batch: int = 16
    """Candidates in one question; as many more may be tried ahead. No effect was measured."""
    first_cube: int = 8
    """Points of the first Latin hypercubes; later ones are finer."""
    max_known: int = 500
    """Candidates in a row that were tried already, or are barred, after which nothing new is expected. No effect was
    measured."""
    max_redraws: int = 60
    """Times that the fields which a rule names are drawn anew before a candidate is given up. No effect was
    measured."""

    # Effort: limits on computation and memory

    max_listed: int = 10_000
    """Configurations of a space up to which all of them are run, one after another."""
    max_combinations: int = 150_000
    """Combinations up to which a covering array is made: that takes a second or two. No effect was measured."""
    max_field_pairs: int = 400
    """Pairs of fields up to which all pairs of their values are followed; of more, a random sample is. No effect was
    measured."""
    kept_inputs: int = 3
    """Inputs that are kept of each failure."""


TUNING = Tuning()
