"""The numbers that steer ``boundaries``, each with what it limits or means.

Bits measure evidence and price alike: a boundary seen within a narrow bracket earns a comparison as many bits as the
bracket halves its axis, and a long formula or an odd constant costs some.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Tuning:
    """The numbers of ``boundaries``.

    Measured on three conditions of a grammar and three named bugs (`tools/sensitivity.py conditions --count 3`): 1053
    runs, one wrong answer. ``quiet_runs`` and ``fresh_runs`` are a price for certainty: -11% and -6% runs at half of
    them, +14% and +11% at twice. Halving or doubling ``min_crossings``, ``close_share``, ``round_runs``,
    ``first_landmarks``, ``rival_bits`` or ``unmoved_bits`` changed the runs by less than 9%, ``max_constant_bits`` by
    nothing; no change led to a second wrong answer, and some had none, which six problems cannot tell from chance. The
    others were not measured.
    """

    # Correctness: the evidence that is enough to decide

    quiet_runs: int = 36
    """Runs in a row as predicted that end the search: then a cell that is wrong is a rare one."""
    quiet_runs_alike: int = 80
    """The same as long as all verdicts are alike: one verdict everywhere is a strong claim."""
    fresh_runs: int = 20
    """Fresh runs that measure the answer, unless told otherwise."""
    max_checks: int = 4
    """Times that an answer is measured; one that fresh runs refute is repaired first."""
    min_crossings: int = 3
    """Crossings where a cut predicted them after which it is believed; one fewer if there are many cuts."""
    final_share: float = 0.001
    """Share of its value within which a constant must be known in the end."""
    close_share: float = 0.02
    """Share of its value within which a boundary is close enough until then, if nothing better is believed."""
    known_bits: float = 8
    """Bits of a bracket above which its boundary counts as known, and its place is tried on other fields."""
    seen_closely_bits: float = 8
    """Bits of a bracket from which on its boundary was looked at closely."""
    placed_bits: float = 6
    """Bits of a bracket above which it says where the boundary is."""
    max_bracket_bits: float = 40.0
    """Bits that a bracket counts at most."""

    # Effort: limits on runs

    max_runs: int = 500
    """Runs after which the search gives up: there is no simple explanation."""
    max_cuts: int = 30
    """Comparisons above which the search gives up."""
    many_cuts: int = 8
    """Comparisons above which each gets fewer runs of its own."""
    puzzling_cuts: int = 14
    """Comparisons above which some runs are repeated once: perhaps the subject tosses a coin."""
    repeated_runs: int = 5
    """Failing runs, and passing runs, that are repeated then."""
    max_idle_rounds: int = 12
    """Rounds in a row without a new run after which there is nothing left to ask."""
    max_first_runs: int = 128
    """Runs that look for a failure if none is given."""
    round_runs: int = 6
    """Runs in a round without surprises: the model is made anew after each."""
    min_question: int = 4
    """Minimum number of points in a question. If the budget ends within a question, its points count for nothing."""
    question_divisor: int = 8
    """Part of the points known, as its inverse, that a question may have if that is more."""
    max_confirmations: int = 4
    """Attempts to confirm a cut that is hard to confirm."""
    first_landmarks: int = 4
    """Landmarks of each field before the corners are run, which tell more than further landmarks."""
    max_fields_thoroughly: int = 4
    """Fields above which only the most telling opening points are worth their runs."""
    short_axis: int = 12
    """Steps of an axis below which it is run value by value."""
    max_shifts: int = 6
    """Distances by which an integer is moved to see whether a period decides."""
    max_shift: int = 4096
    """The largest of these distances: further away, values are as usual as its own."""
    max_end_points: int = 60
    """Points at the ends of other fields."""
    max_strides: int = 8
    """Halvings of the way between two points, in all numbers at once; a walk makes the rest exact."""
    max_period_questions: int = 10
    """Questions about which of several periods it is."""
    max_bisections: int = 24
    """Questions about one boundary."""
    max_listed_values: int = 16
    """Values that are tried of a field without an order."""
    strata: int = 16
    """Values that are drawn together, one from each part of the axis."""

    # Effort: limits on computation

    max_rivals: int = 16
    """Rivals of a cut that are kept, the best ones."""
    contested_cuts: int = 12
    """First cuts that get rivals: they explain most, and to find rivals takes long."""
    revised_cuts: int = 2
    """First cuts that are put in question, each by as many of its rivals."""
    max_fits: int = 6
    """Times that a model which cannot tell two runs apart is fitted again with them as a bracket."""
    max_numbers_together: int = 4
    """Numeric fields up to which all of them may act together."""
    max_pairs: int = 40
    """Pairs of fields that are fitted together: a fit must stay fast beside a run."""
    max_triples: int = 20
    """Triples of fields that are fitted together; each has more expressions than a pair."""
    logic_attempts: int = 6
    """Times that a description of the runs is sought, each with other prices."""
    max_negated_terms: int = 400
    """Terms that turning a description of the passing runs around may make."""
    pool: int = 100
    """Random points that compete for the next runs."""
    max_surroundings: int = 5
    """Surroundings of a crossing that are compared."""
    max_crossing_draws: int = 40
    """Surroundings that are drawn where a crossing is hard to find."""
    max_lines: int = 24
    """Lines across a cut that are compared."""
    max_redraws: int = 3
    """Other values that are tried for a field before it stays as it is."""

    # Guesses: what conditions look like

    rival_bits: float = 14.0
    """Bits by which a rival of a cut may be worse and still be worth a run."""
    unmoved_bits: float = 21.0
    """Bits that a relation of fields pays while its boundary was not seen to move."""
    max_constant_bits: float = 17
    """Constants that cost more bits than this are implausible: the boundary follows another field. No effect was
    measured."""
    pattern_bits: float = 20.0
    """Bits that a periodic feature may earn by each bracket, once lines show its pattern."""
    pattern_saves: int = 3
    """Boundaries that a period must save to be a pattern ..."""
    pattern_hint: int = 2
    """... and to be worth a question."""
    echo_belief: float = 2.0**-4
    """The belief in a place that is known from another boundary."""
    arbitrary_belief: float = 2.0**-5
    """The belief that a boundary is at no special place at all."""
    tiny_number: float = 1e-3
    """Size below which floats are told apart by magnitude alone."""
    max_filler: int = 1001
    """Numbers below this are given to fields that do not matter, round ones first."""


TUNING = Tuning()
