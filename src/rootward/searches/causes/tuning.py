"""The numbers that steer ``bayes``. Those of BugDoc's algorithms stand in their own files."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class BayesTuning:
    """The numbers of ``bayes``.

    Measured on six synthetic pipelines, for one cause and for all (`tools/sensitivity.py causes --count 6`): 460 runs,
    two wrong answers. ``quiet_runs`` trades runs for certainty: -17% runs at half of it, +35% at twice; so does
    ``challenges``, with +14% at twice. Halving or doubling ``likely_chance``, ``drawn_instances``, ``walkers``,
    ``another_conjunction`` or ``plain_chance`` changed the runs by less than 13%, ``settled_chance`` by 0.4% and
    ``min_information`` not at all; no change led to a third wrong answer. The others were not measured.
    """

    # Correctness: how much evidence decides

    likely_chance: float = 0.88
    """Chance at which an answer is challenged."""
    settled_chance: float = 0.95
    """Minimum chance of the final answer if it rests on few runs."""
    settled_among_chance: float = 0.96
    """Minimum chance of an answer if one cause is wanted and several are probably at work."""
    min_runs_to_settle: int = 20
    """Number of new runs below which an answer rests on few runs."""
    max_misfit: float = 20.0
    """The best rule counts as not explaining the runs if its log-likelihood is at most minus this number, in nats."""
    challenges: int = 4
    """Number of runs that try to refute a cause that explains all failing runs."""
    challenges_doubtful: int = 8
    """Number of challenges if more than half of the runs fail, which makes passing ones hard to find; doubled for
    many parameters."""
    challenges_among: int = 24
    """Number of challenges if there are failing runs that the cause does not explain."""
    challenges_hidden: int = 48
    """Number of challenges if, in addition, more than three quarters of the runs fail, or if the cause is that
    everything fails."""
    challenge_divisor: int = 3
    """Divisor of ``challenges_among`` and ``challenges_hidden`` if all causes are wanted: the runs for one cause also
    challenge the others."""
    quiet_runs: int = 20
    """Number of passing runs in a row, per known cause, that end the search for other causes."""
    certain_price: float = 60.0
    """Price, in nats, of a run that a rule gets wrong. If the failure is flaky, covering a passing run may cost
    less."""

    # Effort: limits on runs, sizes and computation

    max_parameters: int = 64
    """Number of parameters above which splitting first finds those that matter."""
    min_runs_per_bit: int = 4
    """Minimum number of known runs for each bit of ``log2(number of parameters)``, and minimum number of failing runs,
    to choose among many parameters by the known runs alone."""
    max_suspects: int = 24
    """Maximum number of parameters that are chosen by the known runs alone."""
    max_first_runs: int = 100
    """Maximum number of runs to find a first failure."""
    max_unjudged: int = 24
    """Number of unjudged runs in a row after which the search gives up."""
    min_information: float = 0.01
    """Minimum expected information of a run, in bits. No effect was measured."""
    ahead_runs: int = 7
    """Maximum number of runs that idle workers may start ahead."""
    ahead_share: float = 0.85
    """A run that was started ahead is preferred if it has at least this share of the best run's information."""
    climbs: int = 3
    """Maximum number of times the best question is improved by changing one setting."""
    max_question_runs: int = 1000
    """About how many known runs of each verdict new runs are constructed from. If there are more, an even sample and
    the latest runs are used."""
    believed_runs: int = 800
    """Number of runs of each verdict of a long history that are weighed at first."""
    drawn_instances: int = 64
    """Number of instances of each kind among which a question is chosen."""
    drawn_around: int = 16
    """Number of likely conjunctions around which instances are drawn."""
    max_paired_values: int = 1000
    """Maximum number of values of all parameters together for which new pairs of values count in a challenge."""
    imagined_causes: int = 2000
    """Number of possible causes, drawn from the prior, that the search for other causes tries to meet."""
    offered_instances: int = 400
    """Number of random instances among which the search for other causes chooses."""
    min_offered: int = 40
    """Number of random instances outside of the known causes below which instances are constructed one by one."""
    walkers: int = 32
    """Number of rules in the population that explores likely rules."""
    sweeps: int = 3
    """Number of passes over every option of the walkers after new runs; three times as many at first."""
    max_rules: int = 300
    """Maximum number of rules that are believed at once."""
    expanded_rules: int = 4
    """Number of likeliest rules whose neighbours are examined."""
    neighbour_gap: float = 8.0
    """A neighbour more than this many nats below the likeliest rule is dropped."""
    rule_gap: float = 20.0
    """Any other rule more than this many nats below the likeliest rule is dropped."""
    first_conjunctions: int = 4
    """Maximum number of conjunctions of a rule at first."""
    max_conjunctions: int = 10
    """Maximum number of conjunctions of a rule if fewer do not explain the failures."""
    max_pair_blocks: int = 12
    """Maximum number of blocks of values for which pairs of them are options."""
    max_interval_blocks: int = 24
    """Maximum number of blocks of values for which intervals are options."""
    max_blocks: int = 64
    """Maximum number of values of an ordered parameter that is not cut into blocks. More values are cut into about
    this many blocks."""
    bound_fineness: int = 1000
    """Factor by which bisection reduces the gap between a failing and a passing float."""
    bound_starts: int = 3
    """Maximum number of failing runs that are moved across a bound to find one that passes there."""
    bound_checks: int = 4
    """About how many other failing runs a bound is tried with."""

    # Guesses: beliefs before any run

    another_conjunction: float = math.log(0.25)
    """The logarithm of the chance that a rule has one more conjunction."""
    plain_chance: float = 0.9
    """The chance that a condition is a single comparison; intervals and pairs share the rest."""


TUNING = BayesTuning()
