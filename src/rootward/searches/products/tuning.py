"""The numbers that steer ``columns``."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ColumnsTuning:
    """The numbers of ``columns``.

    Chosen on random product sets of many shapes. Measured on six of these, six flaky ones (rate 0.7) and six with two
    interacting fields (`tools/sensitivity.py products --count 6`): 2384 runs, no wrong answer. Halving or doubling a
    number changed the runs by less than 2% (doubling ``max_checked_fields``, on 12 steady sets, by 5%) and no answer,
    except for ``interaction_values``: -4.5% at half of it, +18.5% at twice. ``max_values`` and ``foreseen_questions``
    were measured on 12 steady sets only, where they made no difference above 0.1%.
    """

    # Correctness: error probabilities

    settled_error: float = 0.01
    """Chance of error at which a value counts as stopping the failure during the search. At the end, the chances of
    all stopping values together must be at most ``Knowledge.error``. Halving or doubling this number changed nothing; a
    hundredth cost 15% more runs on three flaky sets."""
    missed_chance: float = 1e-4
    """Chance to mistake a triggering configuration for one that does not trigger, if the failure is flaky."""
    confirming_runs: int = 8
    """Number of random members of a second set that must fail before it is reported."""

    # Effort: limits on runs and on sizes

    max_values: int = 128
    """Maximum number of values of a field to try; in a field with more, bisection finds thresholds between them."""
    aligned_rounds: int = 3
    """Number of rounds in which fields with the same values all get the same one, which reveals fields that must
    differ."""
    max_checked_fields: int = 4
    """If at most this many fields matter, each is checked at a stopping value, however short the search was."""
    max_explained: int = 3
    """Maximum number of contradictions of the same kind to explain; more of them add little."""
    vary_turns: int = 6
    """Number of times to vary everything around a stopping value that once triggered, if the other values of that run
    are not known."""
    interaction_values: int = 6
    """Number of values of each of two interacting fields to combine."""
    interaction_runs: int = 36
    """Number of combinations of more than two interacting fields to try. No effect was measured."""
    foreseen_questions: int = 15
    """Number of questions whose two possible successors are computed for idle workers: four answers deep."""

    # Guesses: beliefs before any run

    expected_fields: float = 3
    """Number of fields that are expected to matter before anything is known."""
    whole_line_stoppers: float = 0.35
    """If fewer stoppers than this are expected in the line, fields with the same values get the same one (see
    ``aligned_rounds``): such a line is likely to be tried as a whole."""
    line_chance: float = 0.25
    """Values whose chance to stop the failure is at least this are not put into the line with others."""
    max_unfairness: float = 0.3
    """Values whose chance differs from a coin toss by at least this do not share a run with the line."""


TUNING = ColumnsTuning()
