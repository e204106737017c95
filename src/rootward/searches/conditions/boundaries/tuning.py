"""The constants of ``boundaries``, with the meaning of each and how sensitive the result is to it.

Bits measure both evidence and price. A bracket that is 2**-n of its axis gives n bits of evidence to a comparison that
explains it. A long formula or an odd constant costs bits.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class BoundariesTuning:
    """The constants of ``boundaries``.

    Measured on three conditions of a grammar and three named bugs (`tools/sensitivity.py conditions --count 3`): 1053
    runs, one wrong answer. ``quiet_runs`` and ``fresh_runs`` trade runs for certainty: halving them saved 11% and 6%
    of the runs, doubling them added 14% and 11%. Halving or doubling ``min_crossings``, ``close_share``,
    ``round_runs``, ``first_landmarks``, ``rival_bits`` or ``unmoved_bits`` changed the runs by less than 9%,
    ``max_constant_bits`` not at all. No change led to a second wrong answer; some led to none, which with six problems
    may be chance. The others were not measured.
    """

    # Correctness: the evidence required for a decision

    quiet_runs: int = 36
    """Number of agreeing runs in a row that end the search; after them, only rare cells can still be wrong."""
    quiet_runs_alike: int = 80
    """Number of runs in a row that end the search while all have the same verdict, because that is a strong claim."""
    fresh_runs: int = 20
    """Default number of fresh runs that measure the answer."""
    max_checks: int = 4
    """Maximum number of times that an answer is measured; a refuted one is repaired and measured again."""
    min_crossings: int = 3
    """Number of confirmed crossings after which a cut is believed; one fewer if there are many cuts."""
    final_share: float = 0.001
    """Required precision of a constant at the end, as a share of its value."""
    close_share: float = 0.02
    """Sufficient precision of a boundary before the end, as a share of its value, unless a special number is likely."""
    known_bits: float = 8
    """Brackets above this weight show a known boundary, whose position is tried on other fields."""
    seen_closely_bits: float = 8
    """Brackets from this weight on show their boundary closely."""
    placed_bits: float = 6
    """Only brackets above this weight are used to find out whether the boundary of a field moves."""
    max_bracket_bits: float = 40.0
    """Maximum weight of a bracket."""

    # Effort: limits on runs

    max_runs: int = 500
    """Maximum number of runs; then the search gives up, because there is no simple explanation."""
    min_runs: int = 100
    """Minimum number of runs before the search gives up because the model grows as fast as the verdicts."""
    trend_runs: int = 60
    """Number of last runs over which the growth of the model is measured."""
    min_fits: int = 2
    """Minimum number of fits before these runs."""
    max_cuts: int = 30
    """Maximum number of comparisons; with more, the search gives up."""
    many_cuts: int = 8
    """With more comparisons than this, each gets fewer runs of its own."""
    puzzling_cuts: int = 14
    """With more comparisons than this, some runs are repeated once, because the failure may be flaky."""
    repeated_runs: int = 5
    """Maximum number of failing runs, and of passing runs, that are repeated because the failure may be flaky."""
    max_idle_rounds: int = 12
    """Maximum number of rounds in a row without a new run; then nothing is left to ask."""
    max_first_runs: int = 128
    """Maximum number of runs to find a failure."""
    round_runs: int = 6
    """Number of runs in a round without surprises; the model is fitted again after each round."""
    min_question: int = 4
    """A question may have this number of points. If the budget ends within a question, its points count for nothing."""
    question_divisor: int = 8
    """A question may have as many points as the number of known points divided by this, if that is more."""
    max_confirmations: int = 4
    """Maximum number of attempts to confirm a cut."""
    first_landmarks: int = 4
    """Number of landmarks of each field that are run before the corners, which tell more than further landmarks."""
    max_fields_thoroughly: int = 4
    """With more fields than this, only the most informative opening points are run."""
    short_axis: int = 12
    """Axes with fewer steps than this are run value by value."""
    max_shifts: int = 6
    """Maximum number of distances by which an integer is moved to detect a period."""
    max_shift: int = 4096
    """Maximum distance by which an integer is moved to detect a period: values farther away are no longer typical."""
    max_end_points: int = 60
    """Maximum number of opening points beside a boundary that have another field at an end."""
    max_equal_choices: int = 5
    """Maximum number of values that are given to two alike fields at once."""
    max_strides: int = 8
    """Maximum number of halvings between two points in all numbers at once; a walk makes the rest exact."""
    max_period_questions: int = 10
    """Maximum number of questions to decide between several periods."""
    max_bisections: int = 24
    """Maximum number of questions about one boundary."""
    max_listed_values: int = 16
    """Maximum number of values tried of a field without an order."""
    max_swept_line: int = 64
    """An integer field with two isolated values is run value by value if it has at most this number of values."""
    strata: int = 16
    """Number of parts of an axis; values are drawn in groups, one from each part."""

    # Effort: limits on computation

    max_rivals: int = 16
    """Maximum number of rivals kept for a cut."""
    contested_cuts: int = 12
    """Number of first cuts that get rivals: they explain most, and finding rivals takes long."""
    revised_cuts: int = 2
    """Number of first cuts to reconsider."""
    revised_rivals: int = 1
    """Number of rivals of each of them to start from instead."""
    max_fits: int = 4
    """Maximum number of quick fits in a row; if a model cannot separate two runs, they become a bracket for the
    next."""
    max_moduli: int = 12
    """Maximum number of moduli considered for a field."""
    max_distances: int = 12
    """Number of values of a line whose distances are used to find moduli."""
    min_line: int = 5
    """Lines with fewer points than this show no pattern."""
    min_claims: int = 3
    """A cut that explains fewer brackets than this may be wrong, and other numbers are sought for its fields."""
    min_gain: float = 6.0
    """The same for a cut that gains fewer bits than this."""
    max_numbers_together: int = 4
    """Up to this number of numeric fields, all pairs of them may act together."""
    max_pairs: int = 40
    """Maximum number of pairs of fields to fit together: a fit must be fast compared to a run."""
    max_triples: int = 20
    """Maximum number of triples of fields to fit together; each has more expressions than a pair."""
    max_listed_line: int = 300
    """Maximum number of values of a line whose failing values are considered as a list."""
    max_value_sets: int = 8
    """Maximum number of such lists."""
    logic_attempts: int = 6
    """Number of times that a description of the runs is sought, each with different prices."""
    max_negated_terms: int = 400
    """Maximum number of terms when a description of the passing runs is negated."""
    pool: int = 100
    """Number of random points that compete for the next runs."""
    max_surroundings: int = 5
    """Number of surroundings of a crossing to compare."""
    max_crossing_draws: int = 40
    """Maximum number of surroundings to draw if a crossing is hard to find."""
    max_lines: int = 24
    """Number of lines across a cut to compare."""
    max_redraws: int = 3
    """Maximum number of other values to try for a field before it stays as it is."""

    # Guesses: typical conditions

    rival_bits: float = 14.0
    """Maximum number of bits by which a rival may be worse than its cut."""
    unmoved_bits: float = 21.0
    """Maximum price, in bits, of a relation of several fields whose boundary was not seen to move."""
    contrived_bits: float = 5.0
    """Formulas of several fields that cost more bits than this must gain more than chance would."""
    max_short_bounds: int = 2
    """Number of places of a boundary on a field with few values that are no sign that it moves."""
    unmoved_factor: float = 3.5
    """That price, as a multiple of the bits of the formula and its constant."""
    max_constant_bits: float = 17
    """Constants that cost more bits than this are implausible: the boundary follows another field. No effect was
    measured."""
    pattern_bits: float = 20.0
    """Maximum evidence, in bits, that a periodic feature earns from each bracket, once lines show its pattern."""
    pattern_saves: int = 3
    """Number of changes of the verdict that a period must save to count as a pattern."""
    pattern_hint: int = 2
    """Number of changes of the verdict that a period must save to be worth a question."""
    echo_belief: float = 2.0**-4
    """Belief in a position that is known from another boundary."""
    arbitrary_belief: float = 2.0**-5
    """Belief that a boundary is at no special position."""
    tiny_number: float = 1e-3
    """Intervals of smaller floats than this are halved by position, that is, by magnitude."""
    bits_per_listed: float = 6.0
    """Number of bits of a list of values that cost as much as one bit of a literal."""
    max_filler: int = 1001
    """Fields that do not matter are filled with numbers below this, round ones first."""


TUNING = BoundariesTuning()
