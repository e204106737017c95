"""The numbers that control a diagnosis, each with its meaning. The steps' shares of the budget are in ``plan.py``."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class DiagnosisTuning:
    """The numbers that the steps use. It was not measured how much the answers depend on them."""

    # Correctness: the evidence that is enough

    missed_chance: float = 0.002
    """Tolerated chance that the verdict on a flaky failure is wrong."""
    min_rate: float = 0.05
    """Minimum rate to plan with; a failure that shows more rarely is treated as if it had this rate."""
    rule_fresh_runs: int = 8
    """Fresh runs that test a condition where it was learnt, before it is used anywhere else."""
    inside_runs: int = 12
    """Random runs inside of a claim."""
    outside_runs: int = 40
    """Random runs outside of a claim. If none of 40 fails, at most 7% of such configurations can fail (95%)."""
    min_outside_runs: int = 14
    """Random runs outside of a certain claim. If none of 14 fails, at most 19% of such inputs can fail (95%)."""
    covered_factor: int = 4
    """A space with at most this many configurations for each known run is covered well without random runs."""
    border_runs: int = 80
    """Maximum number of runs next to the border of a claim, in pairs on either side."""
    sweep_runs: int = 1200
    """Maximum number of runs that try all values of small fields."""
    max_swept: int = 300
    """Maximum number of values of a field, or of combinations of the named fields, of which each is tried: a byte has
    256."""
    spread_values: int = 12
    """Values of a number with many values that are tried where the other conditions hold."""
    constant_runs: int = 40
    """Maximum number of runs beside the constants of a claim and their multiples."""
    sign_runs: int = 16
    """Maximum number of runs in which a number has the other sign."""
    analogy_runs: int = 16
    """Maximum number of runs that look for the same form elsewhere."""
    end_runs: int = 28
    """Maximum number of runs with a named field, or all others, at an end of the range."""
    max_corners: int = 16
    """Maximum number of runs with two exceptional values."""
    unit_runs: int = 16
    """Maximum number of runs with another option and a constant in another unit."""
    multiple_runs: int = 80
    """Maximum number of runs in which a number is a multiple of another."""
    option_runs: int = 100
    """Maximum number of runs that try pairs of options."""
    plain_runs: int = 24
    """Maximum number of runs of a part of the claim with everything else at its simplest value."""
    max_options: int = 40
    """Maximum number of values of a field whose values count as options."""
    period_runs: int = 24
    """Maximum number of runs in the periods of a field."""
    neighbour_runs: int = 12
    """Maximum number of runs in which two numbers are equal or neighbours."""
    domain_runs: int = 24
    """Maximum number of runs with values that the user's world mentions."""
    unnamed_runs: int = 24
    """Maximum number of runs with such values in all fields that the claim does not name."""
    text_runs: int = 80
    """Maximum number of runs with other values of unordered fields."""
    field_places: int = 2
    """Places in which the border of a field must be confirmed before a claim is certain."""
    quantity_places: int = 3
    """Places in which the border of a quantity must be confirmed."""
    contrived_places: int = 8
    """Places in which the border of a contrived quantity must be confirmed."""
    max_plain_fields: int = 3
    """A quantity of more fields than this is contrived."""
    near_runs: int = 16
    """Runs that differ from a failing one in one or two named fields."""
    own_failures: int = 6
    """Failing runs that each term of a certain claim must explain alone."""
    needed_limit: int = 12
    """Maximum number of runs that test if each condition of a claim is needed."""
    needed_runs: int = 2
    """Maximum number of fresh runs for each condition of a claim that test if the condition is needed."""
    approximate_runs: int = 60
    """Random runs from which an approximate rule is learnt, and as many that measure it."""
    max_read_characters: int = 120
    """Each character of an approximate rule beyond so many must make it more accurate by ``character_worth``."""
    character_worth: float = 0.001
    """Accuracy that a further character of a long approximate rule must add."""
    comparison_worth: float = 0.005
    """Accuracy that a further comparison of an approximate rule must add: on 60 runs, as much is chance."""
    max_contradicting_share: float = 0.1
    """Maximum share of the known runs that contradict an approximate rule that was not measured on fresh runs."""
    min_each_verdict: int = 4
    """Failing random inputs, and passing ones, that are needed to measure an approximate rule on random inputs."""
    min_wrong: int = 5
    """Wrong predictions of an approximate rule in the place that is said to have most of them."""
    min_approximation_runs: int = 24
    """With fewer runs, an approximation cannot be measured."""
    approximation_share: float = 0.5
    """Share of the remaining budget that a search in trouble leaves to check its claim, or to approximate it."""
    row_runs: int = 3
    """Minimum number of fresh runs that check each side of a claim about rows."""
    pass_factor: int = 2
    """If a claim depends on a pass, this many times the usual number of runs decides that verdict."""

    # Effort: limits on runs and on what is examined

    max_turns: int = 8
    """Maximum number of passes over the plan."""
    max_failures: int = 4
    """Maximum number of kinds of failures that are explained."""
    max_starts: int = 4
    """Maximum number of starts of an explanation: it starts over if a repeated run changes its verdict."""
    few_fields: int = 8
    """Maximum number of fields that are examined at once; if there are more, those that matter are found first."""
    max_isolated: int = 4
    """Maximum number of fields isolated from one difference: the rule will find the others."""
    max_ordered: int = 8
    """Maximum number of elements whose order is examined."""
    max_causes: int = 6
    """Maximum number of causes of one failure."""
    max_sliced_causes: int = 24
    """Maximum number of causes of one failure, if the condition is learnt slice by slice."""
    max_slice_values: int = 16
    """Maximum number of values of an integer that is fixed in a slice."""
    max_slice_conditions: int = 8
    """Maximum number of comparisons in the condition of a slice; with more, the slice has no simple condition."""
    slice_challenges: int = 100
    """Maximum number of runs that challenge a claim in its slices."""
    slice_pairs: int = 4
    """Pairs of runs on either side of a condition's border that show if other slices share it. As many random runs are
    made there."""
    value_pairs: int = 2
    """Number of these pairs for each value of a fixed field, if several values are tested together."""
    slice_batch: int = 4
    """Number of these runs made at once; the first that contradicts the condition ends them."""
    slice_look: int = 40
    """Maximum number of runs that look for a failure in a slice that has none so far."""
    other_runs: int = 24
    """Runs outside of the known causes that search for another one."""
    other_starts: int = 8
    """Maximum number of passing runs from which the search for another cause starts."""
    simplifying_runs: int = 12
    """Maximum number of runs that search for a simpler example of a cause; nearly always one is enough."""
    max_border_fields: int = 3
    """Maximum number of fields in which both sides of a cause's border are run next to its simplest example."""
    max_narrowed: int = 20
    """Maximum number of times that the range of a constant is narrowed."""
    round_first: int = 4
    """Number of times that the range of a constant is narrowed at its roundest number; after that, it is halved."""
    first_pairs: int = 200
    """Pairs drawn to find runs close to a constant."""
    max_pairs: int = 3000
    """Maximum number of pairs drawn if the first ones contain no such run."""
    max_reused: int = 200
    """Maximum number of earlier runs that a repaired condition is learnt from."""
    max_repairs: int = 6
    """Maximum number of times that a refuted claim is repaired."""
    max_contradicting: int = 8
    """Maximum number of earlier runs that contradict a claim and are examined together."""
    max_repeated: int = 8
    """Maximum number of passing runs among failing ones that are repeated."""
    single_cells: int = 8
    """If at most this many cells are found, each of them is also tried alone."""
    remembered_runs: int = 10_000
    """Maximum number of earlier runs that are read for examples."""
    walk_steps: int = 3
    """Changes to each field that matters in one walk, when fresh runs are chosen."""
    max_witnesses: int = 8
    """Maximum number of failing runs of a term from which challenges start."""
    spare_crossings: int = 4
    """Crossings of a border beyond those that it needs to be confirmed: some cannot be judged, or are not new."""
    draws_per_crossing: int = 8
    """Attempts to cross a border for each crossing that is wanted; they run nothing."""
    max_walk: int = 64
    """Maximum number of steps from a border to the nearest value for which the other conditions hold."""
    max_field_pairs: int = 60
    """Maximum number of pairs of fields that are compared."""
    max_shared_numbers: int = 2
    """Maximum number of values that two numbers get together."""
    max_shared_values: int = 8
    """Maximum number of values that two fields get together."""
    max_period_runs: int = 12
    """Runs in one period of a field, if the period is longer than that."""
    max_redraws: int = 8
    """Maximum number of variations drawn to find one that the constraints allow."""
    first_batch: int = 24
    """Challenges run at once at first; each further batch is twice as large, because a refuted claim ends them."""
    draws_per_run: int = 40
    """Configurations drawn for each fresh run that is wanted."""
    max_listed_values: int = 64
    """Maximum number of values of a list that are tried besides those in a condition."""
    max_similar_text: int = 200
    """Maximum length of a text of which small variations are tried."""
    rest_runs: int = 256
    """A space with at most this many runs left is run completely: not many more than there would be fresh runs."""
    rest_factor: int = 2
    """The space is also run completely if the runs left are at most this many times the number of trials so far."""
    table_runs: int = 1024
    """A space with at most this many runs left is also run completely if the answer would not be certain otherwise."""
    max_space: int = 20_000
    """Maximum number of configurations of a space that is enumerated to find those left."""


TUNING = DiagnosisTuning()
