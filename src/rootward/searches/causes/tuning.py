"""The numbers that steer ``bayes``, each with what it limits or means. What BugDoc's algorithms need is with them."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Tuning:
    """The numbers of ``bayes``.

    Measured on six synthetic pipelines, for one cause and for all (`tools/sensitivity.py causes --count 6`): 460 runs,
    two wrong answers. ``quiet_runs`` is a price for certainty: -17% runs at half of it, +35% at twice; so is
    ``challenges``, with +14% at twice. Halving or doubling ``likely_chance``, ``drawn_instances``, ``walkers``,
    ``another_conjunction`` or ``plain_chance`` changed the runs by less than 13%, ``settled_chance`` by 0.4% and
    ``min_information`` by nothing; no change led to a third wrong answer. The others were not measured.
    """

    # Correctness: the evidence that is enough to decide

    likely_chance: float = 0.88
    """The chance at which an answer is challenged."""
    settled_chance: float = 0.95
    """The chance that an answer must have in the end if it rests on few runs."""
    settled_among_chance: float = 0.96
    """The chance that an answer must have where one cause is wanted and several are likely at work."""
    few_runs: int = 20
    """New runs below which an answer rests on few runs."""
    max_misfit: float = 20.0
    """What the likeliest rule may get wrong, in nats, before it is said not to explain the runs."""
    challenges: int = 4
    """Runs that try to refute a cause which explains all failing runs."""
    challenges_doubtful: int = 8
    """The same if more than half of the runs fail, which hides what passes; twice as many with many parameters."""
    challenges_among: int = 24
    """The same if other causes are at work."""
    challenges_hidden: int = 48
    """The same if more than three quarters of the runs fail as well, or if the cause is that everything fails."""
    challenge_divisor: int = 3
    """Divisor of the last two if all causes are wanted: runs made for other causes challenge each of them, too."""
    quiet_runs: int = 20
    """Runs in a row without a failure, for each known cause, that end the search for other causes."""
    certain_price: float = 60.0
    """The price, in nats, of a run that a rule gets wrong though it cannot be wrong."""

    # Effort: limits on runs, sizes and computation

    max_parameters: int = 64
    """Parameters above which those that matter are found by splitting first."""
    min_runs_per_bit: int = 4
    """Known runs for each bit of a parameter's name, and failing runs, from which on the runs themselves say which of
    many parameters are worth a thought."""
    max_suspects: int = 24
    """Maximum number of parameters that known runs make suspect."""
    max_first_runs: int = 100
    """Runs that look for a failure if none is known."""
    max_unjudged: int = 24
    """Runs in a row that cannot be judged after which the search gives up."""
    min_information: float = 0.01
    """Bits that a run must be expected to tell to be worth making. No effect was measured."""
    ahead_runs: int = 7
    """Runs that workers with nothing else to do may begin."""
    ahead_share: float = 0.85
    """Share of the best run's bits from which on a run that was begun ahead is preferred to it."""
    climbs: int = 3
    """Times that the best question is improved by changing one setting."""
    thought_runs: int = 1000
    """Known runs of each verdict from which new ones are made up; of more, a spread sample."""
    believed_runs: int = 800
    """Runs of each verdict of a long history that are believed at first."""
    drawn_instances: int = 64
    """Instances of each kind from which a question is chosen."""
    drawn_around: int = 16
    """Likely conjunctions around which instances are drawn."""
    max_paired_values: int = 1000
    """Values of all parameters together up to which new pairs of values count when a cause is challenged."""
    imagined_causes: int = 2000
    """Causes drawn from the prior that the search for other causes tries to meet."""
    offered_instances: int = 400
    """Random instances from which it chooses."""
    min_offered: int = 40
    """Instances outside of the known causes below which others are made one by one."""
    walkers: int = 32
    """Rules that are changed at random to find likelier ones."""
    sweeps: int = 3
    """Times that every part of each of them is drawn anew after new runs; three times as many at first."""
    max_rules: int = 300
    """Maximum number of rules that are believed at a time."""
    expanded_rules: int = 4
    """Likeliest rules whose neighbours are looked at."""
    neighbour_gap: float = 8.0
    """Nats below the likeliest rule at which such a neighbour is dropped ..."""
    rule_gap: float = 20.0
    """... and any other rule."""
    first_conjunctions: int = 4
    """Conjunctions that a rule may have at first."""
    max_conjunctions: int = 10
    """Conjunctions that a rule may have if fewer do not explain what failed."""
    max_pair_blocks: int = 12
    """Blocks of values above which pairs of them are not considered as a condition."""
    max_interval_blocks: int = 24
    """Blocks of values above which intervals are not considered as a condition."""
    max_blocks: int = 64
    """Blocks into which the values of an ordered parameter are put if they are more."""
    bound_fineness: int = 1000
    """How many times smaller the gap between a failing and a passing float is made by bisection."""
    bound_starts: int = 3
    """Failing runs that are moved across a bound to find one that passes there."""
    bound_checks: int = 4
    """Other failing runs with which a bound is tried."""

    # Guesses: beliefs before anything is seen

    another_conjunction: float = math.log(0.25)
    """The logarithm of the chance that a rule has one more conjunction."""
    plain_chance: float = 0.9
    """The chance that a condition is a single comparison; the rest is for intervals and pairs."""


TUNING = Tuning()
