"""The numbers that steer the search for a failure, each with what it limits or means."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Tuning:
    """The numbers of ``stages``."""

    # Effort: limits on runs

    max_runs: int = 2000
    """Runs of a search, unless given."""
    min_further_runs: int = 12
    """Runs after the first failure: as many as it took to meet it, but at least these ..."""
    max_further_runs: int = 60
    """... and at most these."""
    batch: int = 16
    """Candidates in one question; as many more may be tried ahead."""
    first_cube: int = 8
    """Points of the first Latin hypercubes; later ones are finer."""
    max_known: int = 500
    """Candidates in a row that were tried already, or are barred, after which nothing new is expected."""
    max_redraws: int = 60
    """Times that the fields which a rule names are drawn anew before a candidate is given up."""

    # Effort: limits on computation and memory

    max_listed: int = 10_000
    """Configurations of a space up to which all of them are run, one after another."""
    max_combinations: int = 150_000
    """Combinations up to which a covering array is made: that takes a second or two."""
    max_field_pairs: int = 400
    """Pairs of fields up to which all pairs of their values are followed; of more, a random sample is."""
    kept_inputs: int = 3
    """Inputs that are kept of each failure."""


TUNING = Tuning()
