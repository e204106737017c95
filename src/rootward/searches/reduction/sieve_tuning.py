"""The numbers that steer the sieve, each with what it limits or means."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Care:
    """How much evidence is enough for a sweep over a flaky failure."""

    theta: float
    """How sure the sweep must be that nothing needed was removed."""
    fades: float
    """The chance that it still fails now and then without what is needed."""
    enough: float = 0.85
    """How sure the sweep must be that the element it came to is needed."""
    spare: float = 0.85
    """The probability at which an element counts as not needed at the end."""


@dataclass(frozen=True)
class Tuning:
    """The numbers of the sieve.

    Measured on 14 lists whose failure shows every time and 14 whose failure is flaky (`tools/sensitivity.py reduction
    --count 14`): 2789 runs, one wrong answer. Five other seeds of the search alone gave 2130 to 2873 runs and one to
    three wrong answers, so only larger changes mean something. Halving or doubling a number kept the runs between -10%
    and +21%, with none to four wrong answers, except for ``seed_decides``: 28% more runs at half of it, 14% more at
    twice. The seven numbers that stood out were tried with three other seeds on the flaky lists: 31% and 61% more for
    ``seed_decides``, 22% more at half of ``leak_often``. Nothing changed at all
    with ``certain``, ``best_chance``, ``max_first_runs``, ``min_proof_runs``, ``max_last_tests`` and ``max_returns``,
    and less than 0.3% with ``probe_error``, ``fails_again``, ``needed_chance`` and ``proof_batch``: these problems say
    nothing about them. Not measured: ``cares``, ``replay_rates``, ``rate_kept``, and what concerns robots (the weights
    and ``path_reach``).
    """

    # Correctness: the evidence that is enough to decide

    certain: float = 1 - 1e-9
    """The probability at which a sweep believes what it found, where the failure shows every time. No effect was
    measured."""
    cares: tuple[Care, ...] = (Care(0.85, 0.05), Care(0.93, 0.3, spare=0.93), Care(0.97, 0.5, spare=0.97))
    """The evidence that each sweep over a flaky failure needs; each is more careful than the one before it."""
    lost: float = 0.02
    """The chance, at every sweep over a flaky failure, that the failure is lost already."""
    max_error: float = 0.03
    """The chance of error at which every element of a flaky result is said to be needed."""
    error_divisor: int = 2
    """Divisor of the chance of error that was asked for: a test that is looked at after every run passes too easily."""
    best_chance: float = 0.75
    """The chance that nothing needed is missing at which a selection that failed becomes the best so far. No effect was
    measured."""
    clear_chance: float = 0.8
    """The chance of failing often enough at which a selection is accepted whatever else would explain its failures."""
    likely_chance: float = 0.6
    """The chance of failing often enough at which a selection is worth starting from again."""
    hopeless_chance: float = 0.1
    """The chance of failing often enough at which a test is given up. With replays it grows with the runs, because a
    result that fails exactly as often as was asked for could be tested for ever."""
    probe_below_rate: float = 0.5
    """Failures that show more rarely than this are first tested for whether the seed decides."""
    probe_error: float = 0.1
    """The chance of error at which that test ends."""

    # Effort: limits on runs and on sizes

    max_pair_distance: int = 4
    """Maximum distance, among the elements that cannot go alone, of two that are tried together."""
    first_runs: int = 8
    """Runs of a flaky original before anything is left out."""
    first_replays: int = 5
    """The same where runs can be replayed: fewer are enough."""
    max_first_runs: int = 40
    """Runs in which the original has to fail twice; otherwise it fails too rarely to be reduced. No effect was
    measured."""
    runs_per_doubling: int = 25
    """Runs worth spending on a flaky failure for each doubling of the number of elements, and for five more, if it
    fails every time; at half that rate, twice as many. A failure that fades rather than ends would take for ever."""
    max_element_runs: int = 10
    """Runs without one element after which that element is judged as it stands."""
    max_proof_runs: int = 80
    """Runs after which a result that is neither good nor bad enough is taken for bad, unless the confidence that was
    asked for needs more. With replays, half as many set how fast a test loses hope."""
    min_proof_runs: int = 6
    """Minimum number of runs of a result before it can pass its test. No effect was measured."""
    min_proof_replays: int = 4
    """The same with replays, each of which tells more."""
    max_last_tests: int = 4
    """Maximum number of smaller selections that are tested when no sweep came to a good end. No effect was measured."""
    searched_failures: int = 2
    """Failing runs of the original that the search replays at first, if that leaves one for a proof."""
    proof_batch: int = 3
    """Runs asked for at once in a test, where they cannot be replays."""
    sweep_patience: int = 12
    """Runs, and three more for each doubling of the line, after which a sweep keeps the next element unless that is
    clearly needless: some failures fade rather than end."""
    max_returns: int = 4
    """Maximum number of times that a sweep goes back for something it removed. No effect was measured."""

    # Guesses: beliefs before anything is seen

    required_weight: float = 200.0
    """The weight of the only element that can carry the robot: it comes last, after whatever the robot touched."""
    touched_weight: float = 50.0
    """The weight of an element that the robot touched."""
    linked_weight: float = 12.0
    """The weight of an element in contact with one that the robot touched."""
    sensed_weight: float = 2.0
    """The weight of an element that the robot only sensed."""
    path_weight: float = 3.0
    """The weight added to an element that lies on the robot's path."""
    path_reach: float = 1.0
    """The distance from the path, in metres, at which that weight fades."""
    max_needed_chance: float = 0.95
    """Highest probability of being needed that an element can have before it was tried."""
    rate_drift: float = 0.05
    """The share of doubt about the rate of a flaky failure that is mixed in from one frontier to the next."""
    removed_factor: float = 3.0
    """Factor on the weight of elements whose removal turned out to have cost the failure."""
    seed_decides: float = 0.5
    """The chance that the seed decides whether it fails ..."""
    fails_again: float = 0.95
    """... and the chance that the replay of a failing run then fails."""
    replay_rates: tuple[float, ...] = (0.0,) * 17 + (0.1, 0.3, 0.6)
    """The same in more detail: the chance of each of the 20 rates of ``sweep.Noise``."""
    part_differs: float = 0.1
    """The chance that a part behaves unlike the other parts."""
    rate_kept: tuple[tuple[float, float], ...] = ((1.0, 0.75), (0.65, 0.25))
    """The share of the rate that is left without an element that is not needed, and the chance of that share."""
    leak_rarely: float = 0.05
    """The share of the rate at which it fails without what is needed, as a rule ..."""
    leak_often: float = 0.45
    """... and if the failure fades, which has the chance ``Care.fades``."""
    min_fades: float = 0.15
    """Lowest ``Care.fades`` if runs are replayed: one of them tells so much that more doubt costs little."""
    needed_chance: float = 0.1
    """The chance that the element left out to learn whether the seed decides is needed."""
    min_doubt: float = 0.3
    """Lowest chance that an element is not needed, before it was left out by itself."""
    missing_factor: float = 2.0
    """Factor on the weight of an element that a result which failed too rarely lacks ..."""
    present_factor: float = 20.0
    """... and of one that it has."""


TUNING = Tuning()
