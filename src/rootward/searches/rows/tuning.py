"""The numbers that steer the search for bad rows."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class AdaptiveTuning:
    """The numbers of ``adaptive``, and of the orders in which both methods try differences.

    On 12 tables of 300 rows, 1 to 30 of them bad (`tools/sensitivity.py rows --count 12`), adaptive took 271 runs and
    was always right. Halving or doubling ``none_chance`` changed the runs by at most 1.1%, and no answer. The limits on
    computation are not reached there, so they were not measured.
    """

    # Effort: limits on computation

    max_spread_values: int = 10**6
    """Maximum number of values, evenly sampled, that measure the spread of a column."""
    max_kind_values: int = 1000
    """Number of values of a column that decide whether its text is numbers or dates."""
    max_column_pairs: int = 500
    """Maximum number of pairs of columns whose difference is examined."""
    max_pair_numbers: int = 2 * 10**8
    """Maximum number of values in all examined pairs of columns together."""

    # Guesses

    none_chance: float = 0.1
    """Chance, before any further run, that no more differences (or hardly any) are needed."""
    alike_share: float = 0.25
    """A difference in the same column is alike if it has this share of the bits of the smallest needed one."""
    alike_share_elsewhere: float = 0.5
    """The same for a difference in another column of the same type."""
    alike_share_within: float = 0.75
    """The same, in any column, for numbers within the range of the good column, where harmless changes are many."""


TUNING = AdaptiveTuning()
