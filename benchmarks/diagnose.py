"""Compare ``diagnose`` with the published methods run one after the other: planted bugs explained, and trials needed.

49 bugs of eight kinds, in interfaces of 20 to 2,000 fields. Each is drawn from two seeds that were not used during
development.

Columns:

- *cause stated*: share of bugs whose true cause is stated. The stated condition must agree with the planted one on
  thousands of points, at the boundary and elsewhere; only the last bits of floats may differ. In lists of messages and
  rows, the elements kept must be exactly those needed, and the order must be reported exactly where it matters.
- *same fields*: the answer of diagnose names the fields that matter, and no others.
- *certain*: share of bugs for which diagnose says it is certain.
- *certain and wrong*: number of bugs for which it is certain of a wrong cause.
- *near*: how many of those wrong causes are right on at least 99.9% of the points.
- *trials*: runs, including that of the failing input; the median, with the worst in parentheses.
- *seconds*: processor time of diagnose; the median, with the worst in parentheses.

The *steps* are the published methods:

- HPSL, then ALO-Trees on the fields that HPSL names.
- BugDoc (Stacked Shortcut, then debugging decision trees), also, if every field has few values. The cheaper correct
  answer counts; if none is correct, the cheaper one.
- Lists are reduced by ddmin first. The steps are not asked about the order.
- With a flaky bug, the steps repeat a trial that does not fail, up to six runs. diagnose is not told that it is flaky.

    ./dev exec python benchmarks/diagnose.py [--kind range] [--bug range-above-20] [--seed 3] [--steps] [--verbose]
"""

from __future__ import annotations

import argparse
import statistics
import time
import traceback
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any

from peers import planted_bugs, planted_lists
from peers.bench import Bench
from peers.bug_truth import Judged, judge_list, judge_rule
from peers.planted_bugs import RATE, Configured, configured
from peers.planted_lists import Listed, listed
from peers.published_chains import Answer, published
from peers.tables import percent, rows, say, spread

import rootward as rw
from rootward.explanation.facts import Before
from rootward.report.sentences.diagnosis import sentences

SEEDS = (102, 103)
LIMIT = 20_000
"""Maximum number of trials of diagnose."""
NEAR = 0.999
KINDS: dict[str, tuple[str, ...]] = {
    **{kind: tuple(templates) for kind, templates in planted_bugs.KINDS.items()},
    "order": tuple(planted_lists.MESSAGES),
    "flaky": (*planted_bugs.FLAKY, *planted_lists.FLAKY),
    "row": tuple(planted_lists.ROWS),
}
SIZES = {"20": (0, 20), "21 to 50": (21, 50), "51 to 200": (51, 200), "201 to 1,000": (201, 1000)}
SIZES |= {"1,001 to 2,000": (1001, 2000), "10,000": (2001, 10**6)}


@dataclass(frozen=True)
class Job:
    """A bug, drawn from a seed."""

    kind: str
    name: str
    seed: int

    def bug(self) -> Configured | Listed:
        rate = RATE if self.kind == "flaky" else 1.0
        make = listed if self.name in planted_lists.MESSAGES | planted_lists.ROWS else configured
        return make(self.name, self.kind, self.seed, rate)

    @property
    def cost(self) -> float:
        """Relative estimate of the duration."""
        return int(self.name.rpartition("-")[2]) * (3 if self.kind == "flaky" else 1)


@dataclass(frozen=True)
class Solved:
    """The answers about a bug."""

    job: Job
    size: int
    ours: Answer
    steps: Answer


def solve(job: Job) -> Solved:
    bug = job.bug()
    return Solved(job, bug.size, diagnosed(bug)[0], published(bug))


def diagnosed(bug: Configured | Listed) -> tuple[Answer, Any]:
    """Run ``diagnose``; return its answer and the whole diagnosis. An exception counts as a wrong answer."""
    start = time.process_time()
    try:
        found = rw.diagnose(bug.study, seed=bug.seed, budget=LIMIT)
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
        return Answer("diagnose", LIMIT, Judged(False, why=why[:300]), "nothing"), traceback.format_exc(limit=-8)
    seconds = time.process_time() - start
    certain = found.certain or any(one.certain for one in found.explanations)
    judged, text = _judge(bug, found)
    steps = tuple((step.name, step.trials) for step in found.steps)
    return Answer("diagnose", found.trials, judged, text, certain, seconds, steps), found


def _judge(bug: Configured | Listed, found: Any) -> tuple[Judged, str]:
    if not found.explanations:
        return Judged(False, why="nothing was found"), "nothing"
    first = found.explanations[0]
    if isinstance(bug, Configured):
        return judge_rule(bug, first.rule), str(first.rule)
    rule = first.rule if first.causes else rw.Rule.always()
    kept = range(len(bug.elements)) if first.reduction is None else first.reduction.selection.kept
    judged = judge_list(bug, kept, rule, order=sum(isinstance(one, Before) for one in first.order))
    return judged, f"{len(kept)} kept; {rule}; {' '.join(sentences(first.order))}"


# Tables


def tables(bench: Bench) -> None:
    jobs = [Job(kind, name, seed) for kind, names in KINDS.items() for name in names for seed in SEEDS]
    solved = bench.map(solve, jobs, lambda job: job.cost)
    print("\n### By kind of bug")
    _say_measures(jobs)
    _table("kind", {kind: [one for one in solved if one.job.kind == kind] for kind in KINDS} | {"all": solved})
    _say_goals(solved)
    print("\n### By size of the interface")
    say("*fields*: the number of fields; for lists, the number of values in all elements.")
    _table("fields", {text: [one for one in solved if low <= one.size <= high] for text, (low, high) in SIZES.items()})
    _print_wrong(solved)


def _table(first: str, groups: Mapping[str, Sequence[Solved]]) -> None:
    heads = [
        first,
        "bugs",
        "cause stated: diagnose",
        "cause stated: steps",
        "same fields",
        "certain",
        "certain and wrong",
        "near",
    ]
    heads += ["trials: diagnose", "trials: steps", "ratio of medians", "seconds"]
    rows(heads, ([name, *_cells(group)] for name, group in groups.items() if group))


def _cells(group: Sequence[Solved]) -> list[Any]:
    ours, steps = [one.ours for one in group], [one.steps for one in group]
    wrong = [one for one in ours if one.certain and not one.judged.true]
    return [
        len(group),
        percent(one.judged.true for one in ours),
        percent(one.judged.true for one in steps),
        percent(one.judged.fields for one in ours),
        percent(one.certain for one in ours),
        len(wrong),
        sum(one.judged.agreement >= NEAR for one in wrong),
        spread(one.trials for one in ours),
        spread(one.trials for one in steps),
        f"{statistics.median(one.trials for one in ours) / statistics.median(one.trials for one in steps):.2f}",
        spread((one.seconds for one in ours), 1),
    ]


def _say_measures(jobs: Sequence[Job]) -> None:
    bugs = [job.bug() for job in jobs if job.kind == "disjunction"]
    second = [bug.measures()[1] for bug in bugs if isinstance(bug, Configured)]
    say(
        "A disjunction has two causes, and the failing input shows only the first. The second holds for "
        f"{min(second):.0%} to {max(second):.0%} of random configurations. A flaky bug fails in {RATE:.0%} of the "
        "runs that trigger it."
    )


def _say_goals(solved: Sequence[Solved]) -> None:
    ratios = [one.ours.trials / one.steps.trials for one in solved]
    say(
        f"diagnose states the true cause of {sum(one.ours.judged.true for one in solved)} of {len(solved)} bugs. "
        "Compared bug by bug, the median ratio of its trials to those of the steps is "
        f"{statistics.median(ratios):.2f}; it needs more trials than the steps for "
        f"{sum(ratio > 1 for ratio in ratios)} bugs."
    )


def _print_wrong(solved: Sequence[Solved]) -> None:
    for one in solved:
        if not one.ours.judged.true:
            claim = "certain" if one.ours.certain else "not certain"
            facts = f"{one.job.name}, {one.job.kind}, seed {one.job.seed}, {claim}: {one.ours.judged.why}"
            print(f"\n- Not stated: {facts}. What was stated: `{one.ours.text[:200]}`")


# Single bugs, for inspection


def show(jobs: Sequence[Job], *, steps: bool, verbose: bool) -> None:
    answers = []
    for job in jobs:
        bug = job.bug()
        print(f"\n{job.kind}: {job.name}, seed {job.seed}, {bug.size} fields: {bug.truth}", flush=True)
        if isinstance(bug, Configured):
            named = dict(zip(bug.core.variables, bug.core.space.names, strict=True))
            print(f"  fields: {named}; each cause holds in {[round(one, 4) for one in bug.measures()]}")
        if steps:
            _print_answer(published(bug))
        answer, found = diagnosed(bug)
        answers.append(answer)
        _print_answer(answer)
        if verbose or not answer.steps:
            print(found)
    wrong = sum(one.certain and not one.judged.true for one in answers)
    print(
        f"\n{sum(one.judged.true for one in answers)} of {len(answers)} stated, {sum(one.certain for one in answers)} "
        f"certain, {wrong} certain and wrong; trials: {spread(one.trials for one in answers)}"
    )


def _print_answer(answer: Answer) -> None:
    judged = answer.judged
    worth = f"{'TRUE' if judged.true else 'WRONG'}{', CERTAIN' if answer.certain else ''}"
    print(f"  {answer.method}: {worth}, {answer.trials} trials {dict(answer.steps)}, {answer.seconds:.1f} s")
    print(f"    states {answer.text[:400]}")
    print(f"    agreement {judged.agreement:.5f}, balanced accuracy {judged.accuracy:.5f} {judged.why}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="See the docstring. Without options: the tables.")
    parser.add_argument("--kind", action="append", choices=list(KINDS), help="show bugs of this kind")
    parser.add_argument("--bug", action="append", help="show this bug")
    parser.add_argument("--seed", action="append", type=int, help="draw the bugs from this seed (0)")
    parser.add_argument("--steps", action="store_true", help="run the published steps, too")
    parser.add_argument("--verbose", action="store_true", help="print the whole diagnosis")
    options = parser.parse_args()
    if not (options.kind or options.bug or options.seed):
        print((__doc__ or "").partition("    ./dev")[0].strip())
        with ProcessPoolExecutor(2) as pool:
            tables(Bench(pool, 1.0))
        return
    chosen = [(kind, name) for kind in options.kind or KINDS for name in KINDS[kind]]
    jobs = [
        Job(kind, name, seed)
        for seed in options.seed or [0]
        for kind, name in chosen
        if not options.bug or name in options.bug
    ]
    show(jobs, steps=options.steps, verbose=options.verbose)


if __name__ == "__main__":
    main()
