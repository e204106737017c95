"""Measure `model learn`: how good a model is that is learned from good recordings alone.

The control units, testers and bugs are those of `triage.py`, but the model is withheld: it is learned from recordings
of the unit without a bug. Then the same failing traces are judged by the learned model, by the model made from the
specification (*by hand*), and by two alternatives that learn from the same recordings:

- *statistics*: for each service, sub-function or identifier, session and security level, the answers that were seen;
  and for each service the longest response time, with a margin of one half.
- *AALpy*: an automaton by passive learning (k-tails), on requests and response codes without data and times. It is told
  which requests come after more than the session timeout. A trace is rejected at the first answer that no transition
  allows.

A bug is found if at least half of its failing traces are rejected. Only bugs count that the model by hand finds.

    ./dev exec python benchmarks/learn.py [TABLE ...] [--share 0.1]
"""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from random import Random
from typing import Any

from peers import uds_unseen
from peers.bench import Bench, run
from peers.tables import rows, say
from peers.trace_grouping import DataSet, data_set, score
from peers.uds_bugs import KINDS
from peers.uds_specs import Spec
from peers.uds_tester import lines, trace
from peers.uds_unit import Unit

from rootward.traces.learning.exchanges import read_exchanges
from rootward.traces.learning.learn import learn_file
from rootward.traces.learning.sessions import SessionWalk
from rootward.traces.model.event import Trace
from rootward.traces.model.model import Model
from rootward.traces.running.engine import Engine
from rootward.traces.running.replay import find_witnesses
from rootward.traces.triage import triage

SETS, FIRST, FIRST_UNSEEN = 8, 7000, 7500
GOOD = (20, 50, 100, 500)
FRESH = 1000
FAILING = 30
"""Maximum number of failing traces per bug."""
TAIL = 2
"""Number of exchanges by which k-tails compares states."""
SILENCE = 2_000_000
"""Microseconds that count as a long silence for AALpy: the session timeout of all units."""
Judge = Callable[[Trace], bool]
"""Says whether a trace is rejected."""


@dataclass(frozen=True)
class Job:
    seed: int
    good: int
    unseen: bool
    peers: bool


@dataclass(frozen=True)
class Judged:
    """The verdicts of one method on one data set."""

    method: str
    good: int
    bugs: int
    found: int
    missed: tuple[str, ...]
    rejected: int
    traces: int
    false: int
    fresh: int
    seconds: float
    lines: int = 0
    rand: float | None = None


def good_traces(spec: Spec, seed: int, count: int, purpose: str) -> list[Trace]:
    """Return traces of the unit without a bug."""
    found = []
    for number in range(count):
        name = f"{seed} {purpose} {number}"
        said = lines(spec, Unit(spec, name), name, Random(name).randint(15, 65))
        found.append(trace(name, said, 2 * spec.pending))
    return found


def judge(job: Job) -> list[Judged]:
    """Judge one data set by all methods."""
    data = data_set(job.seed, FAILING, uds_unseen.KINDS if job.unseen else KINDS)
    known = good_traces(data.spec, job.seed, job.good, "learn")
    fresh = good_traces(data.spec, job.seed, FRESH, "fresh")
    by_hand = {one.name for one in data.traces if model_judge(data.model)(one)}
    found = []
    begin = time.process_time()
    learned = learn_file(known)
    seconds = time.process_time() - begin
    length = learned.text.count("\n")
    rand = _rand(data, learned.model) if job.peers else None
    found.append(_verdicts("learned", job, data, by_hand, model_judge(learned.model), fresh, seconds, length, rand))
    for name, learn in (("statistics", learn_statistics), ("AALpy", learn_automaton)) if job.peers else ():
        begin = time.process_time()
        rejects = learn(known)
        seconds = time.process_time() - begin
        if rejects is not None:
            found.append(_verdicts(name, job, data, by_hand, rejects, fresh, seconds))
    return found


def _verdicts(
    method: str,
    job: Job,
    data: DataSet,
    by_hand: Collection[str],
    rejects: Judge,
    fresh: Iterable[Trace],
    seconds: float,
    length: int = 0,
    rand: float | None = None,
) -> Judged:
    rejected = {one.name for one in data.traces if rejects(one)}
    by_bug: dict[str, list[str]] = defaultdict(list)
    for one in data.traces:
        by_bug[data.bugs[one.name]].append(one.name)
    wanted = {bug for bug, names in by_bug.items() if 2 * sum(name in by_hand for name in names) >= len(names)}
    found = {bug for bug, names in by_bug.items() if 2 * sum(name in rejected for name in names) >= len(names)}
    false = sum(map(rejects, fresh))
    return Judged(
        method,
        job.good,
        len(wanted),
        len(wanted & found),
        tuple(sorted(wanted - found)),
        len(rejected & by_hand),
        len(by_hand),
        false,
        FRESH,
        seconds,
        length,
        rand,
    )


def model_judge(model: Model) -> Judge:
    engine = Engine(model)
    return lambda one: next(find_witnesses(engine, one), None) is not None


def _rand(data: DataSet, model: Model) -> float:
    """Return the adjusted Rand index of the classes of triage with a model."""
    result = triage(model, data.traces)
    classes: dict[str, str] = {}
    for one in result.classes:
        for fault in one.faults:
            classes.setdefault(fault.trace, one.id)
    names = [one.name for one in data.traces if one.name in classes]
    return score([data.bugs[name] for name in names], [classes[name] for name in names]).rand


# Alternatives


def learn_statistics(traces: Sequence[Trace]) -> Judge:
    """Learn the answers of each service in each state, and the longest response times."""
    seen: dict[object, set[object]] = defaultdict(set)
    longest: dict[object, int] = defaultdict(int)
    for key, answer, delay, service in (one for some in traces for one in _answers(some)):
        seen[key].add(answer)
        longest[service] = max(longest[service], delay)
    margin = 1.5
    return lambda one: any(
        (key in seen and answer not in seen[key]) or delay > margin * longest.get(service, delay)
        for key, answer, delay, service in _answers(one)
    )


def _answers(one: Trace) -> Iterable[tuple[object, object, int, object]]:
    """Yield each answer with its state, its delay and its service."""
    walk = SessionWalk()
    for exchange in read_exchanges([one]).exchanges[0]:
        delay = exchange.times[0] - exchange.time if exchange.times else 0
        yield (*exchange.case, walk.session, walk.level), exchange.answer, delay, exchange.operation
        walk.take(exchange)


def learn_automaton(traces: Sequence[Trace]) -> Judge | None:
    """Learn an automaton by AALpy's k-tails; None if AALpy is not installed."""
    if find_spec("aalpy") is None:
        return None
    from aalpy.learning_algs import run_k_tails

    automaton = run_k_tails([_word(one) for one in traces], "mealy", TAIL, print_info=False)

    def rejects(one: Trace) -> bool:
        states = {automaton.initial_state}
        for request, answer in _word(one):
            steps = [step for state in states for step in state.transitions.get(request, ())]
            if not steps:
                return False  # never asked in this state: it says nothing about the rest
            states = {state for output, state in steps if output == answer}
            if not states:
                return True
        return False

    return rejects


def _word(one: Trace) -> list[tuple[str, str]]:
    """Return the requests, each with its answer, without data and times. A request after a long silence is another."""
    found = []
    before = 0
    for exchange in read_exchanges([one]).exchanges[0]:
        pause = " after a silence" if exchange.time - before > SILENCE else ""
        quiet = " quiet" if exchange.quiet else ""
        found.append((f"{exchange.operation} {exchange.first}{quiet}{pause}", str(exchange.answer)))
        before = exchange.ends
    return found


# Tables


def _line(method: str, found: Sequence[Judged]) -> list[Any]:
    bugs, seen = sum(one.bugs for one in found), sum(one.found for one in found)
    rands = [one.rand for one in found if one.rand is not None]
    return [
        method,
        f"{seen} of {bugs} ({seen / bugs:.0%})",
        f"{sum(one.rejected for one in found) / sum(one.traces for one in found):.0%}",
        f"{sum(one.false for one in found) / sum(one.fresh for one in found):.2%} "
        f"({max(one.false / one.fresh for one in found):.2%})",
        f"{statistics.mean(rands):.3f} ({min(rands):.3f})" if rands else "–",
        f"{statistics.median(one.lines for one in found):.0f} ({max(one.lines for one in found)})"
        if found[0].lines
        else "–",
        f"{statistics.mean(one.seconds for one in found):.1f}",
    ]


HEADS = ("bugs found", "failing traces", "false alarms", "adjusted Rand index", "lines", "seconds")


def _compare(bench: Bench, first: int, unseen: bool) -> None:
    jobs = [Job(first + i, GOOD[-1], unseen, True) for i in range(bench.count(SETS))]
    found = [one for some in bench.map(judge, jobs, lambda job: job.good) for one in some]
    say(
        f"{len(jobs)} random units, {GOOD[-1]} good recordings each; false alarms on {FRESH:,} other good recordings. "
        "Means over the units, with the worst in parentheses. Targets: 85% of the bugs, 1% false alarms, an adjusted "
        "Rand index of 0.85."
    )
    methods = list(dict.fromkeys(one.method for one in found))
    rows(["method", *HEADS], [_line(name, [one for one in found if one.method == name]) for name in methods])
    missed = [
        f"{bug} (unit {job.seed})" for job, one in zip(jobs, found[:: len(methods)], strict=True) for bug in one.missed
    ]
    print(f"\nMissed: {', '.join(missed) or 'none'}.")


def bugs(bench: Bench) -> None:
    """Learned models, and alternatives"""
    _compare(bench, FIRST, unseen=False)


def unseen(bench: Bench) -> None:
    """Learned models, and bugs of other kinds"""
    _compare(bench, FIRST_UNSEEN, unseen=True)


def sizes(bench: Bench) -> None:
    """Growth with the number of good recordings"""
    count = bench.count(SETS)
    jobs = [Job(FIRST + i, good, False, False) for i in range(count) for good in GOOD]
    found = [one for some in bench.map(judge, jobs, lambda job: job.good) for one in some]
    rows(
        ["good recordings", *HEADS],
        [_line(str(good), [one for one in found if one.good == good]) for good in GOOD],
    )


TABLES = {"bugs": bugs, "unseen": unseen, "sizes": sizes}


if __name__ == "__main__":
    run(__doc__, TABLES)
