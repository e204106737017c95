"""The numbers that steer a diagnosis, each with what it limits or means. Shares of the budget are in ``plan.py``."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Tuning:
    """The numbers of the steps. Not measured: how much they matter for the answers is not known."""

    # Correctness: the evidence that is enough

    missed_chance: float = 0.002
    """The chance that a verdict on a failure that does not show every time is wrong."""
    steady_runs: int = 5
    """Runs that show that the failure shows every time; of a subject with a seed, `search.flaky` says how many."""
    min_rate: float = 0.05
    """The rate that a failure which shows more rarely is taken to have."""
    rule_fresh_runs: int = 8
    """Fresh runs that try a condition where it was learnt, before it is believed anywhere else."""
    inside_runs: int = 12
    """Fresh runs inside of a claim."""
    outside_runs: int = 16
    """Fresh runs outside of a claim."""
    border_runs: int = 8
    """Fresh runs at the border of a claim."""
    needed_runs: int = 2
    """Fresh runs that show that one condition of a claim is needed."""
    row_runs: int = 3
    """Minimum number of fresh runs that check each side of a claim about rows."""
    pass_factor: int = 2
    """How many times as many runs decide whether a pass is believed on which a claim depends."""

    # Effort: limits on runs and on what is looked at

    max_turns: int = 8
    """Passes over the plan."""
    max_failures: int = 4
    """Kinds of failures that are explained."""
    max_starts: int = 4
    """Times that the explanation begins anew because runs that it rested on do otherwise when they are repeated."""
    few_fields: int = 8
    """Fields that are looked at all at once; of more, those that matter are looked for first."""
    max_field_values: int = 20
    """Values that are tried of a field when those that matter are looked for."""
    max_field_text: int = 40
    """Length of a text above which it is not among them."""
    max_isolated: int = 4
    """Fields that are singled out of one difference: the rule will tell more."""
    max_ordered: int = 8
    """Elements up to which their order is looked into."""
    max_causes: int = 6
    """Causes of one failure."""
    other_runs: int = 48
    """Runs outside of what is known that look for another cause."""
    other_starts: int = 8
    """Passing runs from which these start."""
    max_narrowed: int = 20
    """Times that the range of a constant is narrowed."""
    round_first: int = 4
    """How many of these times, at first, the roundest number in the range is taken; then the range is halved."""
    first_pairs: int = 200
    """Pairs of a failing and a passing run among which the nearest is looked for ..."""
    max_pairs: int = 3000
    """... and if there seems to be none."""
    max_repairs: int = 4
    """Times that a claim which runs refute is repaired."""
    max_contradicting: int = 8
    """Runs of earlier steps that contradict a claim and are looked into together."""
    max_repeated: int = 8
    """Passing runs among failing ones that are repeated."""
    single_cells: int = 8
    """Cells of a table up to which each is also tried by itself."""
    remembered_runs: int = 10_000
    """Earlier runs that are looked at for examples."""
    walk_steps: int = 3
    """Steps of a walk that each field that matters may take, when fresh runs are made."""
    draws_per_run: int = 40
    """Configurations drawn for each fresh run that is wanted."""
    max_listed_values: int = 64
    """Values of a list that are tried beside those in a condition."""
    max_similar_text: int = 200
    """Length of a text up to which similar ones are made of it."""
    rest_runs: int = 48
    """Runs left in a space up to which all are made: about as many as fresh runs would be."""
    rest_divisor: int = 4
    """Part of the runs made before, as its inverse, up to which all that are left are made if that is more."""
    max_space: int = 20_000
    """Configurations of a space up to which it is looked through for what is left."""


TUNING = Tuning()
