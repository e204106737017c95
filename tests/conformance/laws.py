"""The laws, each a function of a ``Case``. A family of searches joins by adding its cases to ``cases.py``.

A case is a search on a small problem whose subject always does the same. The subject is run on a ``Bench``, which
records every run, lets runs finish in scrambled order and can be told to press Ctrl-C at any of them.
"""

from __future__ import annotations

import contextlib
import itertools
import random
import threading
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from rootward.errors import Unresolved
from rootward.lab.events import Event, RunFinished
from rootward.lab.lab import Lab
from rootward.search.ask import Ask, Replay, Search
from rootward.search.finding import Finding
from rootward.space.candidate import key_of, realise
from rootward.space.keys import key
from rootward.store.store import Store
from rootward.subjects.function import Function
from rootward.verdict import FAIL, OTHER, UNRESOLVED, Outcome, Verdict
from tests.properties import thorough

Pools = Mapping[int, Executor]
Fails = Callable[[Any], bool]
"""Whether what a subject gets shows the very failure that the search is about."""


@dataclass(frozen=True, eq=False)
class Case:
    """One search on one problem."""

    name: str
    search: Callable[[], Search[Any, Any]]
    """A new search each time."""
    failing: Any
    """The candidate that fails."""
    subject: Callable[[Any], Any]
    """Deterministic; made by a function, so that worker processes get it by value."""
    check: Callable[[Finding, Fails], None]
    """Raises AssertionError for a finding that is not valid: partial, or complete if it says so."""
    given: bool = True
    """Whether the lab is told what fails; a search may have to find that itself."""

    def __str__(self) -> str:
        return self.name

    @property
    def told(self) -> Any:
        """The failing candidate, as far as the lab is told."""
        return self.failing if self.given else None


# The bench


_benches: dict[int, Bench] = {}
_numbers = itertools.count()


def _bench(number: int) -> Bench:
    return _benches[number]


class Bench:
    """A subject that records its runs. Sent to a thread of a pool, it stays the same object."""

    seeded = False
    inline = True

    def __init__(
        self,
        case: Case,
        *,
        name: str = "",
        subject: Any = None,
        interrupt_at: int | None = None,
        scramble: bool = False,
    ) -> None:
        self.identity = f"bench {case.name} {name}"
        self.case, self.function = case, Function(subject or case.subject)
        self.interrupt_at, self.scramble = interrupt_at, scramble
        self.done: list[tuple[str, int]] = []
        """The key and the seed of each run that was not interrupted."""
        self._started = itertools.count()
        self._lock = threading.Lock()
        self._number = next(_numbers)
        _benches[self._number] = self

    def __reduce__(self) -> Any:
        return _bench, (self._number,)

    def run(self, candidate: Any, *, seed: int, place: Path) -> Outcome:
        if next(self._started) == self.interrupt_at:
            raise KeyboardInterrupt
        name = key(candidate)
        if self.scramble:
            time.sleep(zlib.crc32(name.encode()) % 5 * 0.0003)
        outcome = self.function.call(candidate, seed)
        with self._lock:
            self.done.append((name, seed))
        return outcome

    def by_hand(self, candidate: Any, *, seed: int, place: Path) -> str:
        return f"bench {candidate}"

    def fails(self, candidate: Any) -> bool:
        """Whether the candidate, as a subject gets it, shows the failure of the failing one."""
        wanted, said = (self.function.call(it, 0) for it in (realise(self.case.failing), candidate))
        assert wanted.verdict is FAIL, "the failing candidate of the case does not fail"
        return said.verdict is FAIL and said.signature == wanted.signature

    def check(self, finding: Finding, *, stopped: str | None = None) -> None:
        """The finding is valid, and final unless it says why it was stopped."""
        assert (finding.complete, finding.stopped) == (stopped is None, stopped)
        self.case.check(finding, self.fails)


@dataclass(frozen=True)
class Solved:
    """A finding and what it cost, as far as the width of the lab must not matter."""

    finding: Finding
    asked: int
    charged: int


def solve(bench: Bench, **options: Any) -> Solved:
    """Run the bench's case in a lab of its own."""
    events: list[Event] = []
    wanted = Wanted()
    search = _overheard(bench.case.search(), wanted)
    with Lab(bench, on_event=events.append, **options) as lab:
        finding = lab.run(search, failing=bench.case.told, name="conformance", about=bench.case.name)
    last = events[-1]
    assert isinstance(last, RunFinished)
    assert last.finding == finding
    assert len(bench.done) == len(set(bench.done)), "a trial was run twice"
    runs = Counter(name for name, _ in bench.done)
    assert all(count <= 1 + wanted.again(name) for name, count in runs.items()), "a candidate was run twice"
    return Solved(finding, finding.asked, last.progress.charged)


class Wanted:
    """How often a search asks for a candidate to be run even if it is known; each replay counts once."""

    def __init__(self) -> None:
        self._fresh: Counter[str] = Counter()
        self._replays: set[tuple[str, int]] = set()
        self._repeats: dict[str, int] = {}

    def again(self, name: str) -> int:
        replays = sum(replayed == name for replayed, _ in self._replays)
        return self._fresh[name] + replays + self._repeats.get(name, 0)

    def hear(self, ask: Ask[Any]) -> Ask[Any]:
        """The same question; what is tried ahead of the next one is heard when it is looked at."""
        repeats = 0 if ask.repeat is None else ask.repeat.limit - 1
        for candidate in ask.candidates:
            if self._replayed(candidate):
                continue
            name = key(realise(candidate))
            self._fresh[name] += ask.fresh
            self._repeats[name] = max(repeats, self._repeats.get(name, 0))
        return replace(ask, ahead=self._ahead(ask.ahead))

    def _ahead(self, hints: Iterable[Any]) -> Iterator[Any]:
        for hint in hints:
            self._replayed(hint)
            yield hint

    def _replayed(self, candidate: Any) -> bool:
        if isinstance(candidate, Replay):
            self._replays.add((key(realise(candidate.candidate)), candidate.attempt))
        return isinstance(candidate, Replay)


def _overheard(search: Search[Any, Any], wanted: Wanted) -> Search[Any, Any]:
    """The same search, with all that it asks heard."""
    answers = None
    while True:
        try:
            ask = search.send(answers)  # type: ignore[arg-type]
        except StopIteration as end:
            return end.value
        answers = yield wanted.hear(ask)


@cache
def reference(case: Case) -> Solved:
    """The uninterrupted run, one trial after another."""
    bench = Bench(case)
    solved = solve(bench)
    bench.check(solved.finding)
    assert solved.finding.trials == solved.charged == len(bench.done)
    return solved


STOPS = 5 if thorough() else 3
"""How often a search is stopped, each time in a new run."""
ODD = 2
"""How often a search gets odd answers, each time others and at another width."""


def stops(runs: int) -> list[int]:
    """After how many runs to stop a search that takes so many: of a short one all, of a longer one the first, the last
    and others evenly between."""
    last = min(STOPS, runs) - 1
    return sorted({round(i * (runs - 1) / max(last, 1)) for i in range(last + 1)})


# The first law: parallelism changes the time, never the answer


def width_changes_nothing(case: Case, pools: Pools) -> None:
    wanted = reference(case)
    for width, pool in pools.items():
        bench = Bench(case, scramble=True)
        solved = solve(bench, executor=pool)
        assert solved == wanted, width
        assert solved.finding.trials == len(bench.done) >= wanted.charged


def worker_processes_change_nothing(case: Case) -> None:
    wanted = reference(case)
    with Lab(case.subject, jobs=2) as lab:
        finding = lab.run(case.search(), failing=case.told)
    assert (finding, finding.asked, finding.stopped) == (wanted.finding, wanted.asked, None)


# The second law: every question carries the best answer so far


def every_budget_gives_a_valid_finding_whatever_the_width(case: Case, pools: Pools) -> None:
    needed = reference(case).charged
    for budget, pool in zip([*stops(needed), needed, needed + 1], itertools.cycle(pools.values()), strict=False):
        bench = Bench(case)
        wanted = solve(bench, budget=budget)
        bench.check(wanted.finding, stopped="budget" if budget < needed else None)
        assert wanted.finding.trials == wanted.charged == len(bench.done) == min(budget, needed)
        assert solve(Bench(case, scramble=budget % 5 == 0), executor=pool, budget=budget) == wanted


def every_best_is_valid(case: Case) -> None:
    """Drive the generator by hand; what it carries must hold at every question, and it asks in good form."""
    bench, search = Bench(case), case.search()
    answers: list[Outcome | None] | None = None
    while True:
        try:
            ask = search.send(answers)  # type: ignore[arg-type]
        except StopIteration as end:
            bench.check(end.value)
            return
        assert isinstance(ask, Ask)
        assert isinstance(ask.best, Finding)
        bench.check(replace(ask.best, complete=False, stopped="by hand"), stopped="by hand")
        assert isinstance(ask.note, str)
        answers = _answers(bench, ask)


def _answers(bench: Bench, ask: Ask[Any]) -> list[Outcome | None]:
    answers: list[Outcome | None] = []
    for candidate in ask.candidates:
        if answers and answers[-1] is not None and answers[-1].verdict is ask.until:
            break
        item = realise(candidate.candidate if isinstance(candidate, Replay) else candidate)
        outcome = bench.function.call(item, 0)
        differs = bench.case.given and outcome.verdict is FAIL and not bench.fails(item)
        answers.append(replace(outcome, verdict=OTHER) if differs else outcome)
    return answers + [None] * (len(ask.candidates) - len(answers))


def an_interruption_at_any_run_gives_a_valid_finding(case: Case, pools: Pools) -> None:
    needed = reference(case).charged
    for n in stops(needed):
        bench = Bench(case, interrupt_at=n)
        bench.check(solve(bench).finding, stopped="interrupted")
        assert len(bench.done) == n
    for n, pool in zip(stops(needed)[1::2] or [0], itertools.cycle(pools.values()), strict=False):
        bench = Bench(case, interrupt_at=n)
        finding = solve(bench, executor=pool).finding
        # A run ahead of need may be the interrupted one, and come home when the search has already ended.
        bench.check(finding, stopped=None if finding.complete else "interrupted")
        assert finding.trials == len(bench.done)


def odd_answers_are_tolerated(case: Case, pools: Pools) -> None:
    """Other failures and candidates that cannot be judged, at random, instead of what the subject says."""
    for seed, pool in zip(range(ODD), itertools.cycle(pools.values()), strict=False):
        subject = _odd(case, seed)
        bench = Bench(case, subject=subject)
        wanted = solve(bench)
        bench.check(wanted.finding)
        assert solve(Bench(case, subject=subject, scramble=True), executor=pool) == wanted


def _odd(case: Case, seed: int) -> Callable[[Any], Any]:
    failing = key(realise(case.failing))

    def subject(candidate: Any) -> Any:
        name = key(candidate)
        chance = random.Random(f"{seed} {name}").random()
        if name == failing or chance < 0.5:
            return case.subject(candidate)
        if chance < 0.6:
            raise Unresolved("odd")
        if chance < 0.7:
            return Outcome(FAIL, signature="quite another failure")
        if chance < 0.8:
            raise LookupError("odd")
        return UNRESOLVED if chance < 0.9 else Verdict.OTHER

    return subject


# The third law: resume is replay


def replay_runs_nothing(case: Case, pools: Pools, folder: Path) -> None:
    widest = max(pools)
    for width, pool in {1: None, widest: pools[widest]}.items():
        options = {"executor": pool, "store": folder / "replay.db"}
        first = Bench(case, name=f"{width}", scramble=pool is not None)
        wanted = solve(first, **options)
        again = Bench(case, name=f"{width}")
        solved = solve(again, **options)
        assert solved == wanted
        assert again.done == []
        assert solved.finding.trials == wanted.finding.trials == len(first.done)


def resumed_after_any_stop(case: Case, folder: Path) -> None:
    wanted = reference(case)
    with contextlib.closing(Store(folder / "resume.db")) as store:
        for n, by_hand in zip(stops(wanted.charged), itertools.cycle([True, False]), strict=False):
            first = Bench(case, name=f"stopped at {n}", interrupt_at=n if by_hand else None)
            partial = solve(first, store=store, budget=None if by_hand else n)
            first.check(partial.finding, stopped="interrupted" if by_hand else "budget")
            assert partial.finding.trials == len(first.done) == n
            second = Bench(case, name=f"stopped at {n}")
            assert solve(second, store=store) == wanted
            assert not set(first.done) & set(second.done), "a trial was run again"
            assert len(first.done) + len(second.done) == wanted.charged


def resumed_in_parallel(case: Case, pools: Pools, folder: Path) -> None:
    """Stopped in one lab and resumed in another of another width, again and again."""
    wanted = reference(case)
    done: list[tuple[str, int]] = []
    pool = itertools.cycle([*pools.values(), None])
    for budget in (*stops(wanted.charged), None):
        bench = Bench(case, scramble=True)
        solved = solve(bench, executor=next(pool), budget=budget, store=folder / "resume.db")
        assert solved == (solve(Bench(case), budget=budget))
        done += bench.done
    assert len(done) == len(set(done)), "a trial was run again"
    assert solved.finding.trials == len(done)


def summary(case: Case) -> list[Any]:
    """What must be the same in every process, whatever its hash seed: the questions, by key, and the finding."""
    asked: list[Any] = []

    def overheard() -> Search[Any, Any]:
        search, answers = case.search(), None
        while True:
            try:
                ask = search.send(answers)  # type: ignore[arg-type]
            except StopIteration as end:
                return end.value
            asked.append([str(ask.until), ask.fresh, ask.note, *map(_name, ask.candidates)])
            answers = yield ask

    with Lab(Bench(case)) as lab:
        return [asked, lab.run(overheard(), failing=case.told).to_dict()]


def _name(candidate: Any) -> str:
    """What is asked for, the same in every process."""
    return f"{key_of(candidate.candidate)} {candidate.attempt}" if isinstance(candidate, Replay) else key_of(candidate)
