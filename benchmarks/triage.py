"""Measure ``triage``: its speed at the scale of the paper, and how well it groups failing traces of known bugs.

All traces come from simulated control units. They were written independently of the engine: a random specification is
turned into a model file, and also interpreted by a simulator that handles requests as firmware does. Simulated testers
bring the unit into a state and send requests. A bug is a change of the simulator. There are 45 kinds, each placed at
random: in a service, a requirement, a variable, or a timer. Traces of units without a bug must be accepted; that is
counted, too.

Seconds are processor time on one core. The paper (section 7) took 24 minutes for 1000 traces and a model with 12.5k
states and 70k transitions.

Known limits: testers talk to one unit and send one request at a time. A trace belongs to one bug.

    ./dev exec python benchmarks/triage.py [TABLE ...] [--share 0.1]
"""

from __future__ import annotations

import json
import math
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from peers import product_states, trace_grouping, uds_bugs, uds_files, uds_unseen
from peers.bench import Bench, run
from peers.chain import Took
from peers.tables import rows, say
from peers.trace_grouping import Grouped, score, written
from peers.uds_bugs import Bug, Place, WrongValue, drawn
from peers.uds_specs import Spec, document, make
from peers.uds_tester import Line, Tester, lines, trace
from peers.uds_unit import Unit

from rootward.traces.examine import Examiner
from rootward.traces.model.event import Trace
from rootward.traces.model.model import Model
from rootward.traces.running.engine import Engine
from rootward.traces.running.replay import find_witnesses

ROOT = Path(__file__).parents[1]
SERVICES = 23
STATES, TRANSITIONS = 12_500, 70_000
LONG_TRACES_PER_1000, LONG_TRACE_MESSAGES = 4, 2500
CORPORA = ((1000, ("1", "2")), (4000, ("1", "2", "dask")))
"""Numbers of failing traces, with the workers that examine them. ``--share 5`` tries 20,000."""
SHARES = (0.1, 0.5, 1.0)
BUGS = 15
SETS, FIRST, FIRST_UNSEEN = 8, 7000, 9500
LENGTHS = (1000, 2500, 5000, 10_000, 25_000)
SIZES = (3, 10, 23, 46)
BASIC = frozenset({0x10, 0x22, 0x3E})
METHODS = (
    "ours",
    "alike",
    "the paper's equivalence",
    "service + response code",
    "Drain3",
    "TF-IDF + k-means",
)


# Scale


def scale(bench: Bench) -> None:
    """1000 traces, from files to classes"""
    count = bench.count(1000)
    spec = make("scale", SERVICES)
    model = written(spec)
    size = product_states.explore(model, spec, STATES, TRANSITIONS)
    say(
        f"{len(spec.services)} services, {len(model.components)} components. As one automaton, without clocks and "
        "with two values for each writable variable, the model has "
        f"{'' if size.complete else 'at least '}{size.states:,} states and {size.transitions:,} transitions. There "
        f"are {count} recordings, four in five as ASC, the others as BLF. A share of them fails because of one of "
        f"{BUGS} bugs; the paper does not say how many of its traces failed. Targets: under 10 s, under 500 MB."
    )
    found = []
    for share in SHARES:
        with tempfile.TemporaryDirectory() as folder:
            _record(spec, Path(folder), count, share)
            found.append(_run_chain(spec, Path(folder)))
    rows(
        ["traces", "messages", "mean length", "longest trace", "failing", "faults", "proofs accepted", "classes"],
        [
            [
                took.traces,
                f"{took.messages:,}",
                f"{took.messages / took.traces:.0f}",
                took.longest,
                took.failing,
                took.faults,
                f"{took.checked / max(1, took.faults):.2%}",
                took.classes,
            ]
            for took in found
        ],
    )
    rows(
        ["failing", "seconds", "of these, reading files", "messages per second", "memory, MB"],
        [
            [
                took.failing,
                f"{took.seconds:.2f}",
                f"{took.reading:.2f}",
                f"{took.messages / took.seconds:,.0f}",
                f"{took.memory:.0f}",
            ]
            for took in found
        ],
    )


def _record(spec: Spec, folder: Path, count: int, share: float) -> None:
    """Write ``count`` traces to files; ``share`` of them fail."""
    rng = Random("scale")
    bugs = list(islice((bug for bug in drawn(spec, rng) if _often(spec, bug)), BUGS))
    for number in range(count):
        long = number < math.ceil(LONG_TRACES_PER_1000 * count / 1000)
        size = LONG_TRACE_MESSAGES if long else rng.randint(10, 44)
        seed = rng.random()
        fails = number % 10 < 10 * share
        said = _failing(spec, rng.choice(bugs), rng, size) if fails else lines(spec, Unit(spec, seed), seed, size)
        uds_files.write(folder / f"{number:05}.{'blf' if number % 5 == 4 else 'asc'}", said)


def _shows(spec: Spec, bug: tuple[type[Bug], Place], seed: object, size: int = 30) -> list[Line]:
    """Return a test in which a bug shows, or an empty list if it does not."""
    kind, place = bug
    said = lines(spec, kind(spec, seed, *place), seed, size)
    return said if said != lines(spec, Unit(spec, seed), seed, size) else []


def _often(spec: Spec, bug: tuple[type[Bug], Place]) -> bool:
    return sum(bool(_shows(spec, bug, seed)) for seed in range(12)) > 4


def _failing(spec: Spec, bug: tuple[type[Bug], Place], rng: Random, size: int) -> list[Line]:
    while True:
        if said := _shows(spec, bug, rng.random(), size):
            return said


def corpus(bench: Bench) -> None:
    """Growth with the number of traces"""
    spec = make("scale", SERVICES)
    say(
        f"The same unit with {SERVICES} services; all traces fail. *workers*: 1 is this process alone; *dask* is a "
        "cluster of two workers on this machine, started before. Seconds of the processor count all processes. "
        "Targets: as many seconds per trace for many traces as for 1,000; two workers take at most 0.6 of the time of "
        "one; memory does not grow with the traces, except for what is said about each fault."
    )
    found = []
    for count, every in CORPORA:
        with tempfile.TemporaryDirectory() as folder:
            _record(spec, Path(folder), bench.count(count), 1.0)
            found += [(workers, _run_chain(spec, Path(folder), workers)) for workers in every]
    rows(
        [
            "traces",
            "workers",
            "seconds of the processor",
            "of these, per trace, ms",
            "seconds elapsed",
            "memory, MB",
            "memory of a worker, MB",
            "faults",
            "classes",
        ],
        [
            [
                f"{took.traces:,}",
                workers,
                f"{took.seconds:.1f}",
                f"{took.seconds * 1000 / took.traces:.1f}",
                f"{took.elapsed:.1f}",
                f"{took.memory:.0f}",
                f"{took.worker_memory:.0f}" if workers != "1" else "",
                f"{took.faults:,}",
                took.classes,
            ]
            for workers, took in found
        ],
    )


def _run_chain(spec: Spec, folder: Path, workers: str = "1") -> Took:
    """Run the whole triage in a separate process and return its cost."""
    with tempfile.TemporaryDirectory() as other:
        model = Path(other, "model.yaml")
        model.write_text(document(spec))
        command = [sys.executable, str(Path(__file__).parent / "peers" / "chain.py"), str(model), str(folder), workers]
        return Took(**json.loads(subprocess.check_output(command, text=True)))


# Growth


def length(bench: Bench) -> None:
    """Growth with the length of a trace"""
    say(
        f"One trace of a unit with {SERVICES} services, read from a file. Its bug shows only in the last message, so "
        "the explanation has to consider all messages before it. Target: time grows at most linearly."
    )
    spec = make("scale", SERVICES)
    found = []
    for size in LENGTHS[: bench.count(len(LENGTHS))]:
        with tempfile.TemporaryDirectory() as folder:
            uds_files.write(Path(folder, "long.asc"), _grow(spec, size))
            found.append(_run_chain(spec, Path(folder)))
    rows(
        ["messages", "seconds", "of these, reading files", "µs per message without reading", "faults", "memory, MB"],
        [
            [
                f"{one.messages:,}",
                f"{one.seconds:.2f}",
                f"{one.reading:.2f}",
                f"{(one.seconds - one.reading) * 1e6 / one.messages:.0f}",
                one.faults,
                f"{one.memory:.0f}",
            ]
            for one in found
        ],
    )


class Ageing(WrongValue):
    """A unit that answers correctly until it has received a number of requests."""

    def __init__(self, spec: Spec, seed: object, *place: Any) -> None:
        super().__init__(spec, seed, *place[:2])
        self.from_then = place[2]

    def data(self, call: Any) -> str:
        return super().data(call) if self.asked >= self.from_then else Unit.data(self, call)


def _grow(spec: Spec, size: int) -> list[Line]:
    """Return a long test that ends with a request for the session and a wrong answer."""
    said = lines(spec, Unit(spec, "long"), "long", size)
    asked = sum(kind != "res" for _, kind, _, _ in said)
    tester = Tester(spec, Ageing(spec, "long", 0x22, 0xF186, asked), "long")
    tester.run(size)
    tester.say(0x22, "F186")
    return tester.lines


def states(bench: Bench) -> None:
    """Growth with the number of states"""
    count = bench.count(40)
    say(
        f"Models with more and more services; {count} traces per row, always of the same three services (sessions, "
        "reading, tester present). Target: the cost does not depend on the number of states. *largest product*: "
        "product of the numbers of locations of all components, including states that cannot be reached."
    )
    lines_ = []
    for services in SIZES:
        spec = make("growing", services)
        model = written(spec)
        good = [_basic(spec, Unit(spec, i), i) for i in range(count)]
        bad = [_basic(spec, WrongValue(spec, i, 0x22, 0xF186), i) for i in range(count)]
        product = math.prod(len(part.locations) for part in model.components)
        examiner = Examiner(model)
        localise = partial(_localise, examiner.engine)
        lines_.append(
            [
                f"{len(spec.services)}, {len(model.components)}",
                f"10^{math.log10(product):.0f}",
                f"{_each(localise, good):.0f}",
                f"{_each(examiner.find_faults, bad):.0f}",
            ]
        )
    rows(
        ["services, components", "largest product", "µs per message, conforming", "µs per message, fault explained"],
        lines_,
    )


def _basic(spec: Spec, unit: Unit, seed: int) -> Trace:
    return trace(f"{seed}", lines(spec, unit, f"basic {seed}", 40, BASIC), 2 * spec.pending)


def _localise(engine: Engine, one: Trace) -> None:
    next(find_witnesses(engine, one), None)


def _each(work: Callable[[Trace], object], traces: Sequence[Trace]) -> float:
    """Return microseconds per message. The first half of the traces is not counted: it fills the caches of the
    model."""
    for one in traces[: len(traces) // 2]:
        work(one)
    rest = traces[len(traces) // 2 :]
    begin = time.process_time()
    for one in rest:
        work(one)
    return (time.process_time() - begin) * 1e6 / sum(len(one.events) for one in rest)


# Grouping


_DATA_SETS: dict[tuple[int, int, int], list[Grouped]] = {}


def _data_sets(bench: Bench, first: int = FIRST) -> list[Grouped]:
    """Return the data sets, made once for all tables."""
    key = first, bench.count(SETS), max(5, bench.count(trace_grouping.MOST))
    if key not in _DATA_SETS:
        _DATA_SETS[key] = bench.map(_group, [(first + i, key[2]) for i in range(key[1])], lambda job: job[1])
    return _DATA_SETS[key]


def _group(job: tuple[int, int]) -> Grouped:
    seed, most = job
    return trace_grouping.grouped(seed, most, uds_unseen.KINDS if seed >= FIRST_UNSEEN else uds_bugs.KINDS)


def grouping(bench: Bench) -> None:
    """Grouping of generated bugs"""
    found = _data_sets(bench)
    say(
        f"{len(found)} random models with {sum(len(set(one.bugs)) for one in found)} bugs and "
        f"{sum(len(one.bugs) for one in found):,} failing traces. {sum(one.same for one in found)} more are left out "
        f"because two bugs give the same answers in a test, and {sum(one.accepted for one in found)} because the "
        f"model accepts them. Of {sum(one.good for one in found):,} traces without a bug, "
        f"{sum(one.false for one in found)} are rejected. Figures are means over the models, with the worst in "
        "parentheses. Targets: no class with two bugs, adjusted Rand index at least 0.95.\n\n"
        "Methods:\n\n"
        "- *ours*: classes of triage. *alike*: its groups before it looks for causes.\n"
        "- *Drain3*: gets the message at the fault.\n"
        "- *TF-IDF + k-means*: gets the number of bugs, and the request and the response at the fault.\n\n"
        "*misplaced*: share of traces that are not of the bug that is the most frequent in their class."
    )
    rows(
        ["method", "classes / bugs", "adjusted Rand index", "homogeneity", "classes with several bugs", "misplaced"],
        [_line(method, found) for method in METHODS],
    )
    rows(
        ["model", "traces", "bugs", "classes", "adjusted Rand index", "classes with several bugs", "seconds"],
        [_row(one) for one in found],
    )
    _worst(found)


def _line(method: str, found: Sequence[Grouped]) -> list[Any]:
    scores = [score(one.bugs, one.labels[method]) for one in found if method in one.labels]
    if not scores:
        return [method, *["not installed"] * 5]
    rand, same = [one.rand for one in scores], [one.homogeneous for one in scores]
    return [
        method,
        f"{sum(one.classes for one in scores) / sum(one.bugs for one in scores):.2f}",
        f"{statistics.mean(rand):.3f} ({min(rand):.3f})",
        f"{statistics.mean(same):.3f} ({min(same):.3f})",
        f"{sum(one.mixed for one in scores)} of {sum(one.classes for one in scores)}",
        f"{sum(one.in_mixed for one in scores) / sum(one.traces for one in scores):.1%}",
    ]


def _row(one: Grouped) -> list[Any]:
    own = score(one.bugs, one.labels["ours"])
    return [one.seed, own.traces, own.bugs, own.classes, f"{own.rand:.3f}", own.mixed, f"{one.seconds:.1f}"]


def _worst(found: Sequence[Grouped], most: int = 6) -> None:
    """Print the bugs that are mixed, and those that are split most."""
    mixed = [(one, *pair) for one in found for pair in trace_grouping.confusions(one)]
    for one, label, bugs in mixed[:most]:
        print(f"\n- Mixed (model {one.seed}): {_count(bugs)}: {one.causes.get(label, '') or 'no cause found'}")
    split = sorted(
        ((one, *pair) for one in found for pair in trace_grouping.splits(one)), key=lambda each: -len(each[2])
    )
    for one, bug, labels in split[:most]:
        causes = Counter({one.causes.get(label, "") or "no cause found": count for label, count in labels.items()})
        print(f"\n- Split (model {one.seed}): {bug} into {len(labels)}: {_count(causes, 3)}")


def _count(counts: Counter[Any], most: int = 4) -> str:
    said = [f"{name} ({count})" for name, count in counts.most_common(most)]
    return ", ".join(said) + (" ..." if len(counts) > most else "")


def unseen(bench: Bench) -> None:
    """Grouping of other kinds of bugs"""
    found = _data_sets(bench, FIRST_UNSEEN)
    say(
        f"{len(uds_unseen.KINDS)} kinds of bugs that are not among those above: rules that are wrong in all services, "
        "bugs that show in one session only, answers with another variable, variables that something else clears. "
        f"{sum(len(set(one.bugs)) for one in found)} bugs, {sum(len(one.bugs) for one in found):,} failing traces, in "
        "new random models. Their authors knew the kinds of changes that triage tries. For each kind, words are fixed "
        "that a right cause contains. *right first*: share of the traces whose class has the right cause first; "
        "*right*: first or as one of several that explain the same. Targets: adjusted Rand index at least 0.95, "
        "right first at least 90%, no class with two bugs."
    )
    rows(
        [
            "model",
            "traces",
            "bugs",
            "classes",
            "adjusted Rand index",
            "classes with several bugs",
            "right first",
            "right",
        ],
        [_unseen_row(one) for one in found],
    )
    total = sum(len(one.bugs) for one in found)
    first, right = (sum(counts) for counts in zip(*(one.count_named() for one in found), strict=True))
    print(f"\nIn all: right first {first / total:.1%}, right {right / total:.1%}.")
    _worst(found)


def _unseen_row(one: Grouped) -> list[Any]:
    own = score(one.bugs, one.labels["ours"])
    first, right = (f"{count / own.traces:.0%}" for count in one.count_named())
    return [one.seed, own.traces, own.bugs, own.classes, f"{own.rand:.3f}", own.mixed, first, right]


def kinds(bench: Bench) -> None:
    """Grouping by kind of bug"""
    say("Number of classes that contain traces of one bug, and number of traces that share a class with another bug.")
    of: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    for one in _data_sets(bench):
        mixed = {label for label, _ in trace_grouping.confusions(one)}
        by_bug: dict[str, list[Hashable]] = defaultdict(list)
        for bug, label in zip(one.bugs, one.labels["ours"], strict=True):
            by_bug[bug].append(label)
        for bug, labels in by_bug.items():
            of[bug.split()[0]].append((len(labels), len(set(labels)), sum(label in mixed for label in labels)))
    rows(
        ["kind", "bugs", "traces", "classes per bug", "traces in a class with another bug"],
        [
            [
                kind,
                len(each),
                sum(n for n, _, _ in each),
                f"{statistics.mean(k for _, k, _ in each):.1f}",
                sum(m for _, _, m in each),
            ]
            for kind, each in sorted(of.items())
        ],
    )


# Explanations


def explanations(bench: Bench) -> None:
    """Length of witnesses and explanations (Figure 5)"""
    found = _data_sets(bench)
    faults = [fault for one in found for fault in one.result.faults]
    accepted = sum(fault.checked for fault in faults) / max(1, len(faults))
    failing = sum(one.result.traces - one.result.conforming - len(one.result.unjudged) for one in found)
    own = sum(not fault.consequence for fault in faults)
    say(
        f"All faults of the traces above. The checker accepted {accepted:.2%} of {len(faults):,} proofs. There are "
        f"{len(faults) / failing:.2f} faults per failing trace, {own / failing:.2f} without faults that are "
        "consequences of earlier ones. The table shows mean numbers of messages, with the highest in parentheses."
    )
    several = [len(one.others) + 1 for each in found for one in each.result.classes]
    print(f"{sum(n > 1 for n in several)} of {len(several)} representative faults have more than one explanation.")
    causes = [one for one in faults if not one.consequence]
    by_kind = {kind: [one for one in causes if one.kind == kind] for kind in dict.fromkeys(f.kind for f in causes)}
    rows(
        ["fault", "faults", "messages up to the fault", "messages in the explanation"],
        [
            [kind, len(some), _mean([one.index + 1 for one in some]), _mean([len(one.kept) for one in some])]
            for kind, some in [*by_kind.items(), ("all", causes)]
            if some
        ],
    )


def _mean(values: Sequence[float]) -> str:
    return f"{statistics.mean(values):.1f} ({max(values):.0f})"


# The paper's method


def reference(bench: Bench) -> None:
    """The paper's chain on Z3, and the engine"""
    sys.path.insert(0, str(ROOT))
    from tests.traces.reference import ctr, paper

    again = bench.count(5)
    say(
        "The counter of the paper's Figure 2 and its three traces. Z3 runs the chain exactly as the paper describes "
        f"it, with formulas and quantifier elimination. Milliseconds per step: the median of {again} runs of Z3 and "
        "of 200 runs of the engine, whose caches are warm."
    )
    model = ctr.ctr()
    examiner = Examiner(model)
    found = []
    for one in (ctr.TEST_1, ctr.TEST_2, ctr.TEST_3):
        steps = paper.steps(one)
        symbolic = _median(partial(paper.Paper(model).run, steps), again, len(steps))
        localised = _median(partial(_localise, examiner.engine, one), 200, len(steps))
        proved = _median(partial(_explain, paper.Paper, model, steps), again, len(steps))
        explained = _median(partial(examiner.find_faults, one), 200, len(steps))
        cells = [f"{symbolic:.1f}", f"{localised:.4f}", f"{proved:.1f}", f"{explained:.3f}"]
        found.append([one.name, len(steps), *cells, f"{proved / explained:,.0f}"])
    rows(
        [
            "trace",
            "steps",
            "localise: Z3",
            "localise: engine",
            "localise, weaken, explain: Z3",
            "localise, weaken, explain: engine",
            "times faster",
        ],
        found,
    )


def _explain(chain: Any, model: Model, steps: Any) -> None:
    """Run the paper's chain on a new instance, because an old one remembers formulas."""
    paper = chain(model)
    paper.explanations(paper.weakened(paper.run(steps)))


def _median(work: Callable[[], object], again: int, steps: int) -> float:
    """Return the median milliseconds per step."""
    taken = []
    for _ in range(again):
        begin = time.process_time()
        work()
        taken.append(time.process_time() - begin)
    return statistics.median(taken) * 1000 / steps


TABLES = {
    "scale": scale,
    "corpus": corpus,
    "length": length,
    "states": states,
    "grouping": grouping,
    "kinds": kinds,
    "unseen": unseen,
    "explanations": explanations,
    "reference": reference,
}


if __name__ == "__main__":
    run(__doc__, TABLES)
