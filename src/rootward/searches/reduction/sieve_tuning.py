"""The constants of the sieve, with the meaning of each and how sensitive the result is to it."""

from __future__ import annotations

from dataclasses import dataclass

from rootward.search import failure_rate


@dataclass(frozen=True)
class EvidenceNeeded:
    """The evidence that a sweep over a flaky failure needs for its decisions."""

    theta: float
    """Required probability that nothing needed was removed."""
    fade_chance: float
    """Probability that the failure fades: that it still shows now and then without something needed."""
    keep_threshold: float = 0.85
    """Required probability that the element at the frontier is needed, for the sweep to keep it and go on."""
    remove_threshold: float = 0.85
    """Probability of not being needed at which the final check removes an element."""


@dataclass(frozen=True)
class SieveTuning:
    """The constants of the sieve.

    Measured on 14 lists whose failure shows every time and 14 whose failure is flaky (`tools/sensitivity.py reduction
    --count 14`): 2789 runs, one wrong answer. Five other seeds of the search alone gave 2130 to 2873 runs and one to
    three wrong answers, so only larger differences mean something. Halving or doubling a number kept the runs between
    -10% and +21%, with none to four wrong answers, except for ``seed_decides``: 28% more runs at half of it, 14% more
    at twice. The seven numbers with the largest effects were measured again on the flaky lists with three other seeds:
    31% and 61% more runs for ``seed_decides``, 22% more at half of ``leak_often``. Nothing changed at all with
    ``certain``, ``best_chance``, ``max_first_runs``, ``min_proof_runs``, ``max_last_tests`` and ``max_returns``, and
    less than 0.3% with ``probe_error``, ``fails_again``, ``needed_chance`` and ``proof_batch``: these lists do not test
    them. Not measured: ``cares``, ``replay_rates``, ``rate_kept``, and the numbers for robots (the weights and
    ``path_reach``).
    """

    # Correctness: the evidence required for a decision

    certain: float = 1 - 1e-9
    """Probability required for each decision of a sweep if the failure shows every time. No effect was measured."""
    cares: tuple[EvidenceNeeded, ...] = (
        EvidenceNeeded(0.85, 0.05),
        EvidenceNeeded(0.93, 0.3, remove_threshold=0.93),
        EvidenceNeeded(0.97, 0.5, remove_threshold=0.97),
    )
    """The evidence required by each sweep over a flaky failure; each sweep is more careful than the one before it."""
    lost: float = 0.02
    """Probability, at the start of a sweep over a flaky failure, that something needed is already missing."""
    max_error: float = failure_rate.TUNING.trusted_miss
    """Maximum probability that some element of a flaky result is not needed, for the result to be called minimal: the
    same as for a result that seems steady."""
    error_divisor: int = 2
    """Divisor of the error probability that the user allows: a test that may end after any run passes too easily."""
    best_chance: float = 0.75
    """A selection that failed becomes the best so far if, with more than this probability, nothing needed is missing.
    No effect was measured."""
    clear_chance: float = 0.8
    """Probability of failing often enough at which a selection is accepted even if leaks could explain its failures."""
    likely_chance: float = 0.6
    """Probability of failing often enough at which a selection is worth starting from again."""
    hopeless_chance: float = 0.1
    """Probability of failing often enough at which a test gives up. With replays it grows with the runs, because a
    result that fails exactly as often as required could be tested for ever."""
    probe_below_rate: float = 0.5
    """Failures with a lower rate than this are first tested for whether the seed decides."""
    probe_error: float = 0.1
    """Error probability at which the test for whether the seed decides ends."""

    # Effort: limits on runs and on sizes

    min_found: int = 3
    """Number of needed elements that are found before the sweep of a text may be left for chunks."""
    caution: float = 2.0
    """A sweep is left for chunks if it expects this many times the runs that they cost if none can go."""
    max_parts: int = 8
    """Number of parts up to which each is tried alone, and also left out when a sweep is left."""
    max_last_parts: int = 32
    """The same for what is left after the sweep."""
    min_chunk: int = 4
    """Minimum number of elements in a chunk."""
    worth_another: float = 0.9
    """Chunks of one size are tried again if at most this share of the elements is left."""
    max_pair_distance: int = 4
    """Maximum distance, in the list of elements that cannot be removed alone, of two that are tried as a pair."""
    first_runs: int = 8
    """Number of runs of a flaky original before anything is removed."""
    first_replays: int = 5
    """Number of first runs of a flaky original if runs can be replayed: then fewer are enough."""
    max_first_runs: int = 40
    """Maximum number of runs of the original to see it fail twice; a rarer failure is not reduced. No effect was
    measured."""
    runs_per_doubling: int = 25
    """The sweeps over a flaky failure stop after this * (log2(number of elements) + 5) / (failure rate) runs.
    Without a limit, a failure that fades gradually would take for ever."""
    max_element_runs: int = 20
    """Maximum number of runs without one element in which the original would have failed; then the evidence so far
    decides about that element."""
    max_proof_runs: int = 80
    """Runs after which an undecided test of a result counts as not passed, unless the requested confidence needs more.
    A test that replays runs has no such limit. It gives up when the chance of success is below a threshold, which
    rises with every run; half of this number sets how fast."""
    min_proof_runs: int = 6
    """Minimum number of runs of a result before its test can end. No effect was measured."""
    min_proof_replays: int = 4
    """Like ``min_proof_runs``, for tests that replay runs; lower, because a replay tells more."""
    max_last_tests: int = 4
    """Maximum number of smaller selections to test after no sweep gave a result that passed. No effect was measured."""
    searched_failures: int = 2
    """Number of failing runs of the original that the search replays at first, if that leaves one for a proof."""
    proof_batch: int = 3
    """Number of runs per question in a test, where they are not replays."""
    sweep_patience: int = 12
    """Maximum runs on one frontier, to which 3 * log2(number of undecided elements) is added. Then the sweep keeps the
    next element that may be needed and goes on: some failures fade gradually."""
    max_returns: int = 4
    """Maximum number of times that a sweep goes back to a removal. No effect was measured."""

    # Guesses: beliefs before any run

    required_weight: float = 200.0
    """Weight of the only element that can carry the robot; it is tried last, after everything the robot touched."""
    touched_weight: float = 50.0
    """Weight of an element that the robot touched."""
    linked_weight: float = 12.0
    """Weight of an element in contact with one that the robot touched."""
    sensed_weight: float = 2.0
    """Weight of an element that the robot only sensed."""
    path_weight: float = 3.0
    """Weight added to an element that lies on the robot's path."""
    path_reach: float = 1.0
    """Distance from the path, in metres, at which the added weight has fallen to 1/e."""
    max_needed_chance: float = 0.95
    """Highest probability of being needed that an element can have before it was tried."""
    rate_drift: float = 0.05
    """Share of the prior that is mixed into the belief about a flaky failure's rate at each new frontier."""
    removed_factor: float = 3.0
    """Factor on the weight of elements whose removal seems to have lost the failure."""
    seed_decides: float = 0.5
    """Probability that the seed decides whether a run fails."""
    fails_again: float = 0.95
    """Probability that the replay of a failing run fails, if the seed decides."""
    replay_rates: tuple[float, ...] = (0.0,) * 17 + (0.1, 0.3, 0.6)
    """If the seed decides, the probability of each of the 20 rates of ``sweep.RunNoise`` for replays of failing
    runs."""
    part_differs: float = 0.1
    """Probability that the replays of one part fail at a different rate than those of the other parts."""
    rate_kept: tuple[tuple[float, float], ...] = ((1.0, 0.75), (0.65, 0.25))
    """Shares of the rate that may remain without an element that is not needed, and the probability of each."""
    leak_rarely: float = 0.05
    """Share of the rate at which a run fails without something needed, normally."""
    leak_often: float = 0.45
    """Share of the rate at which a run fails without something needed, if the failure fades
    (probability: ``EvidenceNeeded.fade_chance``)."""
    min_fades: float = 0.15
    """Lowest ``EvidenceNeeded.fade_chance`` if runs are replayed: a replay tells so much that more doubt costs
    little."""
    needed_chance: float = 0.1
    """Probability of being needed, for an element that is removed to find out whether the seed decides."""
    min_doubt: float = 0.3
    """Lowest probability that an element is not needed, before it was removed alone."""
    missing_factor: float = 2.0
    """Factor on the weight of an element that is missing from a result that failed too rarely."""
    present_factor: float = 20.0
    """Factor on the weight of an element that is in a result that failed too rarely."""


TUNING = SieveTuning()
