"""Failing traces of known bugs, grouped by triage and by common alternatives, and scores of the groups.

A data set is a suite of tests run on units with one bug each. A trace belongs to its bug if the model rejects it and no
other bug of the data set gives the same trace in the same test, up to a few milliseconds; such traces could not be told
apart.
"""

from __future__ import annotations

import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from random import Random

from peers.uds_bugs import KINDS, Bug, drawn, named
from peers.uds_specs import Spec, document, make
from peers.uds_tester import Line, lines, trace
from peers.uds_unit import Unit
from peers.uds_unseen import Unseen
from rootward.traces.fault import MISSING, Fault
from rootward.traces.grouping.timing import Timing
from rootward.traces.languages import load_model
from rootward.traces.model.event import Event, Trace
from rootward.traces.model.model import Model
from rootward.traces.output.words import behaviour
from rootward.traces.running.engine import Engine
from rootward.traces.triage import Triage, triage

Run = dict[int, tuple[Line, ...]]
"""The messages, by the number of the test."""
TESTS = 150
MIN_TRACES, MOST = 15, 60
"""Minimum and maximum number of failing traces per bug."""
MAX_BUGS_TRIED = 45
"""Number of bugs tried for a data set."""
SHOWN_MESSAGES = 2
"""Number of messages that the text methods see: the request and the answer at the fault."""


@dataclass(frozen=True)
class DataSet:
    seed: int
    spec: Spec
    model: Model
    traces: tuple[Trace, ...]
    """Traces of units with bugs."""
    bugs: dict[str, str]
    """The bug of each trace, by the name of the trace."""
    good: tuple[Trace, ...]
    """Traces of the unit without a bug."""
    same: int
    """Number of traces left out because two bugs give the same."""
    words: dict[str, tuple[str, ...]]
    """The words that a right cause contains, by bug; only for the bugs that say it."""


def written(spec: Spec) -> Model:
    """Write the model of a specification to a file, and load it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.yaml")
        path.write_text(document(spec))
        return load_model(path)


def data_set(seed: int, most: int = MOST, kinds: Sequence[type[Bug]] = KINDS) -> DataSet:
    """Run the suite of a random unit with 8 to 15 bugs. At most ``most`` failing traces are taken of each."""
    rng, spec = Random(f"data set {seed}"), make(seed)
    wanted = rng.randint(8, 15)
    lengths = [rng.randint(15, 65) for _ in range(TESTS)]
    suite = [lines(spec, Unit(spec, f"{seed} {i}"), f"{seed} {i}", lengths[i]) for i in range(TESTS)]
    run: dict[str, Run] = {}
    words: dict[str, tuple[str, ...]] = {}
    tried = set()
    for (kind, place), _ in zip(drawn(spec, rng, kinds), range(MAX_BUGS_TRIED), strict=False):
        name = named(kind, place)
        if name in tried or len(run) == wanted:
            continue
        tried.add(name)
        said = {i: lines(spec, kind(spec, f"{seed} {i}", *place), f"{seed} {i}", lengths[i]) for i in range(TESTS)}
        failing = {i: tuple(one) for i, one in said.items() if one != suite[i]}
        if len(_distinct_tests(spec, failing, run.values())) >= MIN_TRACES:
            run[name] = failing
            if issubclass(kind, Unseen):
                words[name] = kind.words(spec, *place)
    return _choose(seed, spec, rng, run, suite, most, words)


def _choose(
    seed: int,
    spec: Spec,
    rng: Random,
    run: dict[str, Run],
    suite: list[list[Line]],
    most: int,
    words: dict[str, tuple[str, ...]],
) -> DataSet:
    traces, bugs, same = [], {}, 0
    wait = 2 * spec.pending
    for name, failing in run.items():
        others = [found for bug, found in run.items() if bug != name]
        own = _distinct_tests(spec, failing, others)
        same += len(failing) - len(own)
        for i in rng.sample(own, min(len(own), most, rng.randint(MIN_TRACES, MOST))):
            traces.append(trace(f"{name} / {i}", failing[i], wait))
            bugs[traces[-1].name] = name
    good = tuple(trace(f"good / {i}", one, wait) for i, one in enumerate(suite))
    return DataSet(seed, spec, written(spec), tuple(traces), bugs, good, same, words)


def _distinct_tests(spec: Spec, failing: Run, others: Iterable[Run]) -> list[int]:
    """Return the tests for which no other bug gives the same trace."""
    known = list(others)
    return [
        i
        for i, one in failing.items()
        if all(_observe(spec, other.get(i, ())) != _observe(spec, one) for other in known)
    ]


def _observe(spec: Spec, said: tuple[Line, ...]) -> tuple[object, ...]:
    """Return what a tester would notice: all messages, and which answers are too late."""
    times = [said[0][0], *(line[0] for line in said)] if said else []
    limits = (spec.p2, spec.pending)
    return tuple(
        (kind, sid, payload, sum(time - before > limit for limit in limits) if kind == "res" else 0)
        for before, (time, kind, sid, payload) in zip(times, said, strict=False)
    )


# Groups


@dataclass(frozen=True)
class Grouped:
    """A data set after triage. All lists are in the order of ``names``, the traces that the model rejects."""

    seed: int
    names: list[str]
    bugs: list[str]
    labels: dict[str, list[Hashable]]
    """The group of each trace, by method."""
    faults: dict[str, Fault]
    causes: dict[Hashable, str]
    """The cause that triage states for each class."""
    result: Triage = field(repr=False)
    traces: dict[str, Trace] = field(repr=False)
    accepted: int
    """Number of traces of bugs that the model does not reject."""
    false: int
    """Number of traces of the good unit that the model rejects; ``good`` is their total."""
    good: int
    seconds: float
    messages: int
    same: int
    words: dict[str, tuple[str, ...]]
    """The words that a right cause contains, by bug."""

    def count_named(self) -> tuple[int, int]:
        """Return the number of traces whose class has the right cause first, and alone or not."""
        first = {one.id: behaviour(one.causes[:1]) for one in self.result.classes}
        every = {one.id: behaviour(one.causes) for one in self.result.classes}
        pairs = [(self.words[bug], label) for bug, label in zip(self.bugs, self.labels["ours"], strict=True)]
        in_first = sum(all(word in first.get(label, "") for word in words) for words, label in pairs)
        return in_first, sum(all(word in every.get(label, "") for word in words) for words, label in pairs)


def grouped(seed: int, most: int = MOST, kinds: Sequence[type[Bug]] = KINDS) -> Grouped:
    """Group the failing traces of a data set; the triage also gets the traces without a bug."""
    data = data_set(seed, most, kinds)
    begin = time.process_time()
    result = triage(data.model, [*data.traces, *data.good])
    seconds = time.process_time() - begin
    first: dict[str, Fault] = {}
    for fault in result.faults:
        first.setdefault(fault.trace, fault)
    names = [one.name for one in data.traces if one.name in first]
    own = {(fault.trace, fault.index): one.id for one in result.classes for fault in one.faults}
    faults = [first[name] for name in names]
    traces = {one.name: one for one in data.traces}
    shown = [_last_messages(traces[name], first[name]) for name in names]
    k = len({data.bugs[name] for name in names})
    timing = Timing(Engine(data.model))
    labels: dict[str, list[Hashable]] = {
        "ours": [own.get((one.trace, one.index), "consequence") for one in faults],
        "alike": [one.key for one in faults],
        "the paper's equivalence": [one.occasion and timing.key(one.occasion) for one in faults],
        "service + response code": [_code(one) for one in shown],
    }
    for name, method in (("Drain3", drain), ("TF-IDF + k-means", k_means)):
        if (found := method(shown, k)) is not None:
            labels[name] = found
    false = sum(one.name in first for one in data.good)
    return Grouped(
        seed,
        names,
        [data.bugs[name] for name in names],
        labels,
        {name: first[name] for name in names},
        {one.id: one.cause for one in result.classes},
        result,
        traces,
        len(data.traces) - len(names),
        false,
        len(data.good),
        seconds,
        sum(len(one.events) for one in (*data.traces, *data.good)),
        data.same,
        data.words,
    )


def _last_messages(trace: Trace, fault: Fault) -> tuple[Event, ...]:
    """Return the last messages up to a fault. If an answer is missing, the last one is the unanswered request."""
    index = fault.index + (fault.kind != MISSING)
    if fault.kind == MISSING:
        asked = [i for i in range(min(index, len(trace.events))) if trace.events[i].kind == "req"]
        index = asked[-1] + 1 if asked else index
    return trace.events[max(0, index - SHOWN_MESSAGES) : index]


def _line(shown: Sequence[Event]) -> str:
    """Return the message as a log line, most informative words first: Drain3 sorts messages by their first words."""
    last = shown[-1]
    return f"{last.operation} {last.kind if last.kind == 'res' else 'unanswered'} {last.payload}".strip()


def _code(shown: Sequence[Event]) -> Hashable:
    last = shown[-1]
    code = last.payload if last.payload.startswith("NRC") else "positive" if last.kind == "res" else "nothing"
    return (last.operation, code)


def drain(shown: Sequence[Sequence[Event]], k: int) -> list[Hashable] | None:
    """Group by Drain3 with its default settings, on the message at the fault."""
    if find_spec("drain3") is None:
        return None
    import logging

    from drain3 import TemplateMiner
    from drain3.template_miner_config import TemplateMinerConfig

    logging.getLogger("drain3").setLevel(logging.ERROR)
    miner = TemplateMiner(config=TemplateMinerConfig())
    return [miner.add_log_message(_line(one))["cluster_id"] for one in shown]


def k_means(shown: Sequence[Sequence[Event]], k: int) -> list[Hashable] | None:
    """Group by k-means, with as many groups as there are bugs."""
    if find_spec("sklearn") is None:
        return None
    from sklearn.cluster import KMeans
    from sklearn.feature_extraction.text import TfidfVectorizer

    texts = [" ".join([*(event.text for event in one), _line(one)]) for one in shown]
    table = TfidfVectorizer(token_pattern=r"\S+").fit_transform(texts)
    return list(KMeans(k, n_init=10, random_state=0).fit_predict(table).tolist())


# Measures


@dataclass(frozen=True)
class Score:
    classes: int
    bugs: int
    rand: float
    """The adjusted Rand index."""
    homogeneous: float
    mixed: int
    """Classes with more than one bug."""
    pairs: int
    """Pairs of traces of different bugs in one class."""
    in_mixed: int
    """Number of traces that are not of the most frequent bug in their class."""
    traces: int


def score(bugs: Sequence[str], labels: Sequence[Hashable]) -> Score:
    from sklearn.metrics import adjusted_rand_score, homogeneity_score

    numbers = {label: number for number, label in enumerate(dict.fromkeys(labels))}
    found: dict[Hashable, Counter[str]] = defaultdict(Counter)
    for bug, label in zip(bugs, labels, strict=True):
        found[label][bug] += 1
    flat = [numbers[one] for one in labels]
    return Score(
        len(numbers),
        len(set(bugs)),
        float(adjusted_rand_score(bugs, flat)),
        float(homogeneity_score(bugs, flat)),
        sum(len(one) > 1 for one in found.values()),
        sum((sum(one.values()) ** 2 - sum(n * n for n in one.values())) // 2 for one in found.values()),
        sum(sum(one.values()) - max(one.values()) for one in found.values()),
        len(bugs),
    )


def confusions(one: Grouped, method: str = "ours") -> list[tuple[Hashable, Counter[str]]]:
    """Return the groups that mix bugs, the worst first."""
    found: dict[Hashable, Counter[str]] = defaultdict(Counter)
    for bug, label in zip(one.bugs, one.labels[method], strict=True):
        found[label][bug] += 1
    mixed = [(label, count) for label, count in found.items() if len(count) > 1]
    return sorted(mixed, key=lambda pair: -(sum(pair[1].values()) - max(pair[1].values())))


def splits(one: Grouped, method: str = "ours") -> list[tuple[str, Counter[Hashable]]]:
    """Return the bugs in several groups, the worst first."""
    found: dict[str, Counter[Hashable]] = defaultdict(Counter)
    for bug, label in zip(one.bugs, one.labels[method], strict=True):
        found[bug][label] += 1
    return sorted(((bug, count) for bug, count in found.items() if len(count) > 1), key=lambda pair: -len(pair[1]))
