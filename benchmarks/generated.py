"""Measure ``diagnose`` on 1,000 bugs of a frozen generator, which no search was tuned on.

The generator (`peers/generated_bugs.py`) draws 2 to 40 fields of all kinds, a condition from a wide grammar of what
programmers write, and a failing input. Some bugs are flaky, have two failures, a region that cannot be judged, or
constraints; some have no simple condition at all. A test holds the hash of the generator.

Columns:

- *stated exactly*: share of bugs for which each stated condition agrees with the planted one on thousands of points:
  random ones, both sides of the boundary, corners, and the values named in either condition. Only the last bits of
  floats may differ. Each of two failures is judged by its own condition; points at which it cannot be seen, because the
  other one shows, do not count, nor do points that cannot be judged or are forbidden. If a claim says "unless another
  failure comes first", no point that shows another failure counts.
- *certain*: share of bugs for which at least one condition is claimed with certainty.
- *certain and false*: number of bugs with a certain claim that is false.
- *accuracy of the rest*: balanced accuracy on random points of the conditions that are not stated exactly; the median,
  with the worst in parentheses.
- *trials*: runs of the subject; the median, with the worst in parentheses.
- *CPU ms per trial*: processor time of diagnose, divided by its trials; the median, with the worst in parentheses.

Each diagnosis ends after 5,000 trials or 20 seconds of processor time. Results are kept in a file, so that a run can be
resumed; those of other sources of Rootward or of the generator are ignored.

    ./dev exec python benchmarks/generated.py [--count 60] [--seed 1] [--jobs 1] [--out FILE] [--verbose]
"""

from __future__ import annotations

import argparse
import contextlib
import math
import signal
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from peers import generated_bugs
from peers.bug_truth import judge_generated
from peers.generated_bugs import Generated, Runs, draw_bug
from peers.kept_results import fingerprint, run_kept
from peers.tables import percent, rows, say, spread

import rootward as rw

COUNT = 1000
SEED = 1
MAX_TRIALS = 5000
MAX_SECONDS = 20
"""Maximum processor time of a diagnosis; real time would make the answers depend on the load of the machine."""
OUT = Path(__file__).parents[1] / "build" / "generated.sqlite"
MAX_SHOWN_TEXT = 300
"""Maximum length of a condition in the list of false claims."""


@dataclass(frozen=True)
class Claim:
    """A stated condition, and its judgement."""

    failure: int
    stated: str
    certain: bool
    true: bool
    accuracy: float
    refuted: str
    """A point at which it is wrong; empty if there is none."""


@dataclass(frozen=True)
class Solved:
    """The answer of diagnose about one bug."""

    seed: int
    number: int
    kind: str
    shape: str
    planted: tuple[str, ...]
    shown: int
    claims: tuple[Claim, ...]
    trials: int
    seconds: float
    complete: bool
    forbidden: int
    """Number of runs that the study forbids."""
    error: str = ""

    @property
    def exact(self) -> bool:
        return any(one.failure == self.shown for one in self.claims) and all(one.true for one in self.claims)

    @property
    def certain(self) -> bool:
        return any(one.certain for one in self.claims)

    @property
    def false_claims(self) -> list[Claim]:
        """The certain claims that are false."""
        return [one for one in self.claims if one.certain and not one.true]

    @property
    def milliseconds(self) -> float:
        """Processor time for each trial."""
        return 1000 * self.seconds / self.trials if self.trials else math.nan


def solve(place: tuple[int, int]) -> Solved:
    """Diagnose the bug of a seed and a number. An exception counts as no answer."""
    seed, number = place
    bug = draw_bug(seed, number)
    runs = Runs(bug)
    conditions = tuple(str(one.condition) for one in bug.failures)
    shape = bug.failures[bug.shown].condition.shape
    about = (seed, number, bug.kind, shape, conditions, bug.shown)
    start = time.process_time()
    try:
        with _limit_cpu(MAX_SECONDS):
            found = rw.diagnose(bug.study(runs.subject()), seed=number, budget=MAX_TRIALS)
    except Exception:
        seconds = time.process_time() - start
        return Solved(*about, (), 0, seconds, False, runs.forbidden, traceback.format_exc(limit=-3))
    seconds = time.process_time() - start
    if found.stopped == "interrupted" and seconds < 0.9 * MAX_SECONDS:
        raise KeyboardInterrupt  # by the user, who wants to end the whole run
    claims = tuple(_judge(bug, one) for one in found.explanations if one.causes)
    return Solved(*about, claims, found.trials, seconds, found.complete, runs.forbidden)


@contextlib.contextmanager
def _limit_cpu(seconds: float) -> Iterator[None]:
    """Interrupt the work, as Ctrl-C does, after that much processor time. A shell lets its background jobs ignore
    Ctrl-C, so it is heeded meanwhile."""
    handlers = {
        signal.SIGINT: signal.default_int_handler,
        signal.SIGPROF: lambda number, frame: signal.raise_signal(signal.SIGINT),
    }
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        for number, handler in before.items():
            signal.signal(number, handler)


def _judge(bug: Generated, explanation: Any) -> Claim:
    signatures = [one.signature for one in bug.failures]
    known = explanation.signature in signatures
    failure = signatures.index(explanation.signature) if known else bug.shown
    judged = judge_generated(bug, failure, explanation.rule, unless_hidden=bool(explanation.hidden))
    return Claim(failure, str(explanation.rule), explanation.certain, judged.true, judged.accuracy, judged.why)


# Running, with results kept in a file


def list_sources() -> list[Path]:
    """Return the files that the results depend on, beside Rootward: the generator and the judge."""
    names = ("generated_bugs", "generated_conditions", "bug_truth", "condition_points")
    return [Path(__file__).parent / "peers" / f"{name}.py" for name in names]


def measure(seed: int, count: int, processes: int, out: Path, *, verbose: bool) -> list[Solved]:
    """Return the results of all bugs, in order; those in the file are not measured again, new ones are added to it."""
    jobs = {f"{seed}/{number}": (seed, number) for number in range(count)}
    results = []
    for solved in run_kept(out, fingerprint(list_sources()), solve, jobs, processes):
        results.append(solved)
        if verbose:
            show(solved)
    return sorted(results, key=lambda one: one.number)


def show(solved: Solved) -> None:
    """Print the planted and the stated conditions of a bug."""
    print(
        f"\n{solved.number} {solved.kind}, {solved.trials} trials, {solved.milliseconds:.0f} ms per trial", flush=True
    )
    for place, text in enumerate(solved.planted):
        print(f"  planted{' (seen)' if place == solved.shown else ''}: {text}")
    for claim in solved.claims:
        worth = f"{'TRUE' if claim.true else 'FALSE'}{', CERTAIN' if claim.certain else ''}, {claim.accuracy:.3f}"
        print(f"  stated ({worth}): {claim.stated}\n    {claim.refuted}", flush=True)
    if solved.error:
        print(solved.error)


# Tables


def tables(solved: Sequence[Solved]) -> None:
    print("\n### Generated bugs by kind")
    kinds = {kind: [one for one in solved if one.kind == kind] for kind in generated_bugs.KINDS}
    _table("kind", {**kinds, "all": solved})
    _say_counts(solved)
    print("\n### Generated bugs by shape of the condition")
    plain = [one for one in solved if one.kind != generated_bugs.IRREGULAR]
    _table("shape", {shape: [one for one in plain if one.shape == shape] for shape in generated_bugs.SHAPES})
    _print_false(solved)


def _table(first: str, groups: Mapping[str, Sequence[Solved]]) -> None:
    heads = [first, "bugs", "stated exactly", "certain", "certain and false", "accuracy of the rest", "trials"]
    rows([*heads, "CPU ms per trial"], ([name, *_cells(group)] for name, group in groups.items() if group))


def _cells(group: Sequence[Solved]) -> list[Any]:
    rest = [claim.accuracy for one in group for claim in one.claims if not claim.true]
    return [
        len(group),
        percent(one.exact for one in group),
        percent(one.certain for one in group),
        sum(bool(one.false_claims) for one in group),
        spread(rest, 2, min),
        spread(one.trials for one in group),
        spread((one.milliseconds for one in group), 1),
    ]


def _say_counts(solved: Sequence[Solved]) -> None:
    two = [one for one in solved if one.kind == generated_bugs.TWO]
    both = sum(len({claim.failure for claim in one.claims}) == 2 for one in two)
    early = sum(not one.complete for one in solved)
    say(
        f"Of {len(two)} bugs with two failures, both were explained for {both}. {early} diagnoses ended early, "
        f"{sum(not one.claims for one in solved)} stated no condition, "
        f"{sum(bool(one.error) for one in solved)} raised an error. {sum(one.forbidden for one in solved)} forbidden "
        "configurations were run."
    )


def _print_false(solved: Sequence[Solved]) -> None:
    print("\n### Generated bugs: certain and false\n")
    for one in solved:
        for claim in one.false_claims:
            planted = one.planted[claim.failure][:MAX_SHOWN_TEXT]
            print(f"- seed {one.seed}, bug {one.number}, {one.kind}: planted `{planted}`,")
            print(f"  stated `{claim.stated[:MAX_SHOWN_TEXT]}`; wrong at {claim.refuted}")
    if not any(one.false_claims for one in solved):
        print("None.")


def main() -> None:
    parser = argparse.ArgumentParser(description="See the docstring.")
    parser.add_argument("--count", type=int, default=COUNT, help=f"number of bugs ({COUNT})")
    parser.add_argument("--seed", type=int, default=SEED, help=f"seed of the generator ({SEED})")
    parser.add_argument("--jobs", type=int, default=2, help="number of processes (2)")
    parser.add_argument("--out", type=Path, default=OUT, help="file of the results, to which new ones are added")
    parser.add_argument("--verbose", action="store_true", help="print the planted and the stated conditions")
    options = parser.parse_args()
    print((__doc__ or "").partition("    ./dev")[0].strip(), flush=True)
    tables(measure(options.seed, options.count, options.jobs, options.out, verbose=options.verbose))


if __name__ == "__main__":
    main()
