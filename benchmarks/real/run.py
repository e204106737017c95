"""Measure ``diagnose`` on failures of public software whose true conditions are known.

The columns are explained in `benchmarks/real_failures.py`, which prints the tables for RESULTS.md. Here, single cases
of the design half can be inspected; of the held-out half only sums, medians and the worst figures are printed.

    ./dev exec python benchmarks/real/run.py [NAME...] [--half design] [--seeds 7] [--seconds 60] [--peers] [--verbose]
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[1])]

from peers.kept_results import fingerprint, run_kept  # noqa: E402
from peers.tables import percent, rows, say, spread  # noqa: E402

import rootward as rw  # noqa: E402
from real import other_methods  # noqa: E402
from real.corpus import DESIGN, HELD_OUT, Case, Verdict, cases  # noqa: E402
from real.judgement import Judgement, judge  # noqa: E402
from real.other_methods import Recorder, Shrunk  # noqa: E402

SEEDS = 7
TRIALS = 3000
"""Maximum number of trials of a diagnosis."""
OUT = Path(__file__).parents[2] / "build" / "real.sqlite"
"""The results are kept here, so that a run can be resumed; those of other sources are ignored."""
NOT_SIMPLE = "no simple condition"
PEERS = {"tree": "decision tree on the same runs", "alo": "ALO-Trees", "hpsl": "HPSL"}
HEADS = ["stated", "certain", "certain and false", "accuracy", "precision", "recall", "trials", "ms"]


@dataclass(frozen=True)
class Job:
    """A case to diagnose with a seed."""

    case: Case
    seed: int
    seconds: float | None = None
    peers: bool = False


@dataclass(frozen=True)
class Claim:
    """The condition that a diagnosis states for one failure."""

    failure: Verdict
    text: str
    certain: bool
    judged: Judgement


@dataclass(frozen=True)
class Solved:
    """A diagnosis, judged."""

    case: Case
    seed: int
    claims: tuple[Claim, ...] = ()
    """The first is about the failure of the study."""
    trials: int = 0
    cpu: float = math.nan
    """Seconds of processor time of this process, without that of the software."""
    error: str = ""
    peers: Mapping[str, Judgement] = field(default_factory=dict)
    shrunk: Shrunk | None = None

    @property
    def claim(self) -> Claim | None:
        """The claim about the failure of the study."""
        main = self.case.fails(self.case.failing)
        return next((one for one in self.claims if one.failure == main), None)

    @property
    def stated(self) -> bool:
        return self.claim is not None and self.claim.judged.true

    @property
    def certain(self) -> bool:
        return self.claim is not None and self.claim.certain

    @property
    def false(self) -> int:
        """Number of claims that are called certain and are wrong."""
        return sum(one.certain and not one.judged.true for one in self.claims)

    @property
    def ms(self) -> float:
        return 1000 * self.cpu / self.trials if self.trials else math.nan


def solve(job: Job) -> Solved:
    """Diagnose a case and judge the claims; let the other methods answer, too, if asked for."""
    case, software = job.case, Recorder(job.case, [])
    budget = rw.Budget(trials=TRIALS, seconds=job.seconds)
    failure = case.fails(case.failing)
    start = time.process_time()
    try:
        found = rw.diagnose(case.study(software), seed=job.seed, budget=budget)
    except Exception as error:  # an exception is a wrong answer, not the end of the benchmark
        return Solved(case, job.seed, error=f"{type(error).__name__}: {error}"[:300])
    cpu = time.process_time() - start
    claims = tuple(_judge(case, one) for one in found.explanations)
    solved = Solved(case, job.seed, claims, found.trials, cpu)
    if not job.peers:
        return solved
    peers = {"tree": other_methods.judge_tree(case, software.runs, failure, job.seed)}
    for name, answer in (("alo", other_methods.judge_alo), ("hpsl", other_methods.judge_hpsl)):
        try:
            peers[name] = answer(case, failure, job.seed, budget)
        except rw.RootwardError as error:  # the method does not accept such fields
            peers[name] = Judgement(False, counterexample={"error": str(error)})
    shrunk = other_methods.ask_hypothesis(case, failure, job.seed, TRIALS, job.seconds)
    return Solved(case, job.seed, claims, found.trials, cpu, peers=peers, shrunk=shrunk)


def _judge(case: Case, explanation: Any) -> Claim:
    """Judge what is stated about a failure. If the case tells no failures apart, it is about all of them."""
    failure = True if case.fails(case.failing) is True else explanation.signature or True
    judged = judge(case, explanation.rule, failure, unless_hidden=bool(explanation.hidden))
    return Claim(failure, str(explanation.rule), explanation.certain, judged)


def list_sources() -> list[Path]:
    """Return the files that the results depend on, beside Rootward: the cases, the judge and the other methods."""
    here = Path(__file__).parent
    judges = [here.parent / "peers" / f"{name}.py" for name in ("bug_truth", "condition_points")]
    return [*here.glob("*.py"), *(one for one in here.glob("cases/*/*") if one.is_file()), *judges]


# Tables


def table(solved: Sequence[Solved], *, names: bool) -> None:
    """Print one row for each case of the design half, and one for each half. The held-out half has no names."""
    simple = [one for one in solved if one.case.kind != NOT_SIMPLE]
    lines = []
    if names:
        for name in sorted({one.case.name for one in solved if one.case.half == DESIGN}):
            group = [one for one in solved if one.case.name == name]
            lines.append([f"{name} ({group[0].case.kind})", len(group), *_cells(group)])
    for half in (DESIGN, HELD_OUT):
        if group := [one for one in simple if one.case.half == half]:
            lines.append([half, len(group), *_cells(group)])
    lines.append(["all", len(simple), *_cells(simple)])
    if complex_ := [one for one in solved if one.case.kind == NOT_SIMPLE]:
        lines.append([NOT_SIMPLE, len(complex_), *_cells(complex_)])
    rows(["case", "diagnoses", *HEADS], lines)


def _cells(group: Sequence[Solved]) -> list[Any]:
    judged = [one.claim.judged for one in group if one.claim]
    return [
        percent(one.stated for one in group),
        percent(one.certain for one in group),
        sum(one.false for one in group),
        spread((one.accuracy for one in judged), 2, min),
        spread((one.precision for one in judged), 2, min),
        spread((one.recall for one in judged), 2, min),
        spread(one.trials for one in group if one.trials),
        spread((one.ms for one in group), 1),
    ]


def peer_table(solved: Sequence[Solved]) -> None:
    """Print one row for each method that states a condition, and a sentence about Hypothesis."""
    group = [one for one in solved if one.case.kind != NOT_SIMPLE and one.peers]
    ours = [one.claim.judged for one in group if one.claim]
    methods = {"diagnose": ours, **{text: [one.peers[name] for one in group] for name, text in PEERS.items()}}
    heads = ["method", "stated", "accuracy", "precision", "recall"]
    rows(heads, ([name, *_peer_cells(judged, len(group))] for name, judged in methods.items()))
    shrunk = [one.shrunk for one in group if one.shrunk]
    right = sum(one.right for one in shrunk)
    say(
        f"Hypothesis finds {sum(one.found for one in shrunk)} of {len(shrunk)} failures, without the failing input. In "
        f"{right} of them, the arguments that it does not mark as free are exactly the fields that matter."
    )


def _peer_cells(judged: Sequence[Judgement], count: int) -> list[Any]:
    return [
        f"{100 * sum(one.true for one in judged) / count:.4g}%",
        spread((one.accuracy for one in judged), 2, min),
        spread((one.precision for one in judged), 2, min),
        spread((one.recall for one in judged), 2, min),
    ]


def print_wrong(solved: Sequence[Solved], *, verbose: bool) -> None:
    """Print the claims of the design half that are wrong; ``verbose``: all of its claims."""
    for one in solved:
        if one.case.half != DESIGN:
            continue
        where = f"{one.case.name}, seed {one.seed}, {one.trials} trials"
        if one.error:
            print(f"\n- {where}: {one.error}")
        elif one.claim is None:
            print(f"\n- {where}: states no condition of this failure")
        for claim in one.claims:
            if verbose or not claim.judged.true:
                surely = "certain" if claim.certain else "not certain"
                worth = "TRUE" if claim.judged.true else "WRONG"
                print(f"\n- {where}, {surely}, {worth}, accuracy {claim.judged.accuracy:.3f}: `{claim.text[:300]}`")
                if not claim.judged.true:
                    print(f"  wrong at {str(claim.judged.counterexample)[:300]}; true: {one.case.truth.CONDITION}")


def measure(
    names: Sequence[str] = (),
    half: str = DESIGN,
    seeds: int = SEEDS,
    seconds: float | None = None,
    *,
    peers: bool = False,
    verbose: bool = False,
    details: bool = True,
) -> None:
    """Diagnose cases on two processes and print the tables.

    ``details``: also print the rows of single cases, and what was wrong about them. The other methods get one seed.
    """
    chosen = cases(names, half)
    for case in chosen:
        if case.skipped:
            print(f"\n{case.name if case.half == DESIGN else 'A held-out case'} is skipped: {case.skipped}.")
    jobs = [
        Job(case, seed, seconds, peers and seed == 0) for seed in range(seeds) for case in chosen if not case.skipped
    ]
    if not jobs:
        return
    named = {f"{job.case.name}/{job.seed}/{job.seconds}/{job.peers}": job for job in jobs}
    kept = run_kept(OUT, fingerprint(list_sources()), solve, named, 2)
    solved = sorted(kept, key=lambda one: (one.seed, one.case.name))
    print("\n### Claims")
    table(solved, names=details)
    own = statistics.median(one.ms for one in solved if not math.isnan(one.ms)) if solved else math.nan
    say(
        f"{len({one.case.name for one in solved})} cases, {seeds} seeds, at most {TRIALS:,} trials each. "
        f"{sum(one.false for one in solved)} claims are certain and false. Median of Rootward's own processor time: "
        f"{own:.1f} ms for each trial."
    )
    if peers:
        print("\n### Other methods")
        peer_table(solved)
    if details:
        print_wrong(solved, verbose=verbose)


def main() -> None:
    parser = argparse.ArgumentParser(description="See the docstring.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="cases of the design half")
    parser.add_argument("--half", choices=(DESIGN, HELD_OUT, "all"), default=DESIGN)
    parser.add_argument("--seeds", type=int, default=SEEDS, help=f"number of seeds ({SEEDS})")
    parser.add_argument("--seconds", type=float, help="maximum duration of a diagnosis")
    parser.add_argument("--peers", action="store_true", help="run the other methods, too")
    parser.add_argument("--verbose", action="store_true", help="print every claim, not only wrong ones")
    options = parser.parse_args()
    if closed := [case.name for case in cases(options.names) if options.names and case.half != DESIGN]:
        raise SystemExit(f"held-out cases are not shown one by one: {', '.join(closed)}")
    measure(options.names, options.half, options.seeds, options.seconds, peers=options.peers, verbose=options.verbose)


if __name__ == "__main__":
    from real.run import main as run_command

    run_command()
