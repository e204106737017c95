"""The numbers that steer ``columns``, each with what it limits or means."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Tuning:
    """The numbers of ``columns``.

    Chosen on random product sets of many shapes. Measured on six of these, six flaky ones (rate 0.7) and six with two
    interacting fields (`tools/sensitivity.py products --count 6`): 2384 runs, no wrong answer. Halving or doubling a
    number changed the runs by less than 2% (twice of ``few_fields``, on 12 steady sets, by 5%) and no answer, except
    for ``interaction_values``: -4.5% at half of it, +18.5% at twice. ``max_values`` and
    ``foreseen_questions`` were measured on 12 steady sets only, where they made no difference above 0.1%.
    """

    # Correctness: error probabilities

    settled_error: float = 0.01
    """The chance of error at which a value is taken to stop the failure, until the end; see ``Knowledge.error``.
    Half or twice of it changed nothing; a hundredth cost 15% more runs on three flaky sets."""
    missed_chance: float = 1e-4
    """The chance to take a triggering configuration for one that does not trigger, where the failure is flaky."""
    confirming_runs: int = 8
    """Random members of a second set that must fail before it is reported."""

    # Effort: limits on runs and on sizes

    max_values: int = 128
    """Values that are tried of a field; of a field with more, thresholds between them are found by bisection."""
    aligned_rounds: int = 3
    """Rounds in which all fields with the same values get the same one: fields that must differ show themselves."""
    few_fields: int = 4
    """Fields that matter up to which all are checked at a stopping value, however short the search was."""
    max_explained: int = 3
    """Contradictions of the same kind that are explained; more of them add little."""
    vary_turns: int = 6
    """Times that everything is varied around a stopping value that triggered in some company nobody remembers."""
    interaction_values: int = 6
    """Values of each of two interacting fields that are tried with each other."""
    interaction_runs: int = 36
    """Combinations that are tried of more than two interacting fields. No effect was measured."""
    foreseen_questions: int = 15
    """Questions for which what comes after either answer is worked out for idle workers: four answers deep."""

    # Guesses: beliefs before anything is seen

    expected_fields: float = 3
    """Fields that are expected to matter before anything is known."""
    whole_line_stoppers: float = 0.35
    """Stoppers in the line, on average, below which it is tried as a whole."""
    line_chance: float = 0.25
    """The chance to stop the failure from which on a value is not put in the line with others."""
    max_unfairness: float = 0.3
    """Distance of a value's chance from a coin toss from which on it does not share a run with the line."""


TUNING = Tuning()
