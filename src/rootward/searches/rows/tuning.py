"""The numbers that steer the search for bad rows, each with what it limits or means."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Tuning:
    """The numbers of ``adaptive``, and of the orders in which both methods try differences.

    On 12 tables of 300 rows, 1 to 30 of them bad (`tools/sensitivity.py rows --count 12`), adaptive took 271 runs and
    was always right; halving or doubling ``none_chance`` changed the runs by 1.1% at most, and no answer. The limits on
    computation are not reached there: not measured.
    """

    # Effort: limits on computation

    max_spread_values: int = 10**6
    """Values, evenly taken, that measure the spread of a column."""
    max_kind_values: int = 1000
    """Values of a column that tell whether its text is numbers or dates."""
    max_column_pairs: int = 500
    """Pairs of columns whose difference is looked at."""
    max_pair_numbers: int = 2 * 10**8
    """Numbers in all these pairs together."""

    # Guesses

    none_chance: float = 0.1
    """The chance that no further difference, or hardly one, is needed."""


TUNING = Tuning()
