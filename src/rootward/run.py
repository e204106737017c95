"""A search being answered: which trials does it need now, and what do they tell it?

``Run`` does no input or output. Whoever drives it (the lab's executors, or a person at a test bench) takes trials from
``next`` whenever a worker is free and gives them back through ``record``, in any order. The search sees none of that:

* It is answered *in the order of its candidates*. A trial that was run ahead of need counts for nothing until its turn
  comes, so the width of the lab changes the time, never the answer.
* A candidate whose verdict is known is not run again, nor is one that is running just now.
* The budget counts the trials that the search would need one after another. What free workers try ahead is kept and
  remembered, but is not charged: otherwise a wider lab would give a poorer answer for the same budget.
"""

from __future__ import annotations

import heapq
from collections.abc import Generator, Iterable
from dataclasses import dataclass, replace
from typing import Any, Generic

from rootward.candidate import key_of
from rootward.errors import InputError, NotReproduced, RootwardError
from rootward.repeat import Once, Policy
from rootward.search import Answers, Ask, R, Search
from rootward.trial import Trial, seed_of
from rootward.verdict import FAIL, OTHER, Outcome

Name = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Budget:
    """How much may be spent on a run, what earlier sessions of the same run spent included.

    ``trials`` counts the trials that the search needs one after another; ``seconds`` is wall-clock time, after which
    nothing new is started.
    """

    trials: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name, value in (("trials", self.trials), ("seconds", self.seconds)):
            if value is not None and value < 0:
                raise InputError(f"a budget of {value} {name} is negative")

    @classmethod
    def of(cls, value: int | Budget | None) -> Budget:
        """A budget as the verbs take it: None (no limit), a number of trials, or a Budget."""
        return value if isinstance(value, Budget) else cls(trials=value)


class _Case:
    """One candidate of the current question, and what its attempts said so far."""

    __slots__ = ("candidate", "index", "key", "outcome", "policy", "results", "start")

    def __init__(self, candidate: object, key: str, index: int, start: int, policy: Policy) -> None:
        self.candidate, self.key, self.index, self.start, self.policy = candidate, key, index, start, policy
        self.results: list[Outcome] = []
        self.outcome: Outcome | None = None


class Run(Generic[R]):
    """One search, its questions and their answers. See the module's docstring."""

    def __init__(
        self,
        search: Search[Any, R],
        *,
        failing: object = None,
        repeat: Policy | None = None,
        budget: Budget | None = None,
        seed: int = 0,
        known: Iterable[tuple[Trial, bool]] = (),
    ) -> None:
        """``failing``: the candidate to confirm first; its signature is the failure that the search is about.
        ``known``: trials of earlier sessions, each with whether this very run paid for it."""
        self._repeat, self._budget, self._seed = repeat or Once(), budget or Budget(), seed
        self._known: dict[Name, Trial] = {}
        self._foreign: set[Name] = set()
        self._recalled: set[Name] = set()
        self.executed = 0
        for trial, ours in known:
            self._recall(trial, ours)

        self.finding: R | None = None
        self.stopped: str | None = None
        self.asked = self.charged = self.remembered = 0
        self.signature: str | None = None
        self._confirmed = self._broken = False
        self._memo: dict[str, Outcome] = {}
        self._attempts: dict[str, int] = {}
        self._flying: dict[Name, Trial] = {}
        self._charged: set[Name] = set()
        self._ask: Ask[Any] = Ask(())
        self._pointer = self._cutoff = 0
        self._search = self._confirm(failing, search) if failing is not None else search
        self._open(None)
        self._advance()

    # What a driver needs

    @property
    def best(self) -> R | None:
        """The finding, or the best one so far."""
        return self.finding if self.finding is not None else self._ask.best

    @property
    def note(self) -> str:
        return self._ask.note

    @property
    def question(self) -> Ask[Any]:
        """What the search wants to know now."""
        return self._ask

    @property
    def flying(self) -> list[Trial]:
        """The trials that are out, oldest first."""
        return list(self._flying.values())

    @property
    def finished(self) -> bool:
        return self.finding is not None

    def next(self) -> Trial | None:
        """A trial to start now, or None if there is none until another one is recorded."""
        if self.finished or self._broken:
            return None
        while (index := self._pick()) is not None:
            case = self._case(index)
            if case.index != index:
                continue  # the same candidate stands earlier in this question
            if self._settle(case):
                self._cut_after(case)
                continue
            name = case.key, case.start + len(case.results)
            self._waiting[name] = index
            if name in self._flying:
                continue
            if not self._affordable(index):
                heapq.heappush(self._again, index)
                return None
            return self._launch(case, name)
        return self._ahead()

    def record(self, trial: Trial) -> None:
        """Take back a trial with its outcome."""
        self._flying.pop(trial.name, None)
        if trial.name in self._known:
            return
        self._known[trial.name] = trial
        self.executed += 1
        if self.finding is not None:
            self.finding = replace(self.finding, trials=self.executed)
            return
        if (index := self._waiting.pop(trial.name, None)) is not None:
            case = self._case(index)
            if self._settle(case):
                self._cut_after(case)
            else:
                heapq.heappush(self._again, index)
        self._advance()

    def drop(self, trial: Trial) -> None:
        """A trial taken from ``next`` will not be run after all."""
        self._flying.pop(trial.name, None)
        if (index := self._waiting.pop(trial.name, None)) is not None:
            heapq.heappush(self._again, index)

    def stop(self, reason: str) -> None:
        """End now, with the best finding so far."""
        if self.finished:
            return
        best = self._ask.best
        if best is None:
            raise RootwardError(f"stopped ({reason}) before the search had any finding: its Ask carries no best")
        self.stopped = reason
        self._search.close()
        self._finish(best, complete=False)

    # The search's side

    def _confirm(self, failing: object, search: Search[Any, R]) -> Search[Any, R]:
        """Run the failing candidate before the search's first question."""
        try:
            first = next(search)
        except StopIteration as end:
            first, done = None, end.value
        best = first.best if first is not None else done
        outcome = (yield Ask([failing], best=best, note="does the failing candidate fail?"))[0]
        if outcome is None or outcome.verdict is not FAIL:
            raise NotReproduced(_not_reproduced(outcome))
        self.signature, self._confirmed = outcome.signature, True
        if first is None:
            return done  # type: ignore[no-any-return]
        answers = yield first
        return (yield from _resume(search, answers))

    def _open(self, answers: Answers | None) -> None:
        """Hand over the answers and take the next question, or the finding."""
        try:
            self._ask = next(self._search) if answers is None else self._search.send(answers)
        except StopIteration as end:
            self._finish(end.value, complete=end.value.complete)
            return
        except BaseException:
            self._broken = True
            raise
        self._cases: list[_Case] = []
        self._answers: list[Outcome | None] = []
        self._pointer, self._cutoff = 0, len(self._ask.candidates)
        self._again: list[int] = []
        self._base: dict[str, int] = {}
        self._seen: dict[str, _Case] = {}
        self._waiting: dict[Name, int] = {}
        self._unpaid: set[Name] = set()

    def _finish(self, finding: R, *, complete: bool) -> None:
        self.finding = replace(
            finding,
            complete=complete,
            trials=self.executed,
            asked=self.asked,
            stopped=self.stopped,
            signature=self.signature,
        )

    def _advance(self) -> None:
        """Answer as far as the results go, in order."""
        while not (self.finished or self._broken):
            total = len(self._ask.candidates)
            while len(self._answers) < total:
                case = self._case(len(self._answers))
                decided = self._settle(case)
                if not self._charge(case):
                    self.stop("budget")
                    return
                if not decided:
                    if self._spent():
                        self.stop("budget")
                    return
                self.asked += 1
                self._answers.append(case.outcome)
                if assert_outcome(case).verdict is self._ask.until:
                    break
            self._open(self._answers + [None] * (total - len(self._answers)))

    # Cases

    def _case(self, index: int) -> _Case:
        while len(self._cases) <= index:
            self._cases.append(self._new_case(len(self._cases)))
        return self._cases[index]

    def _new_case(self, index: int) -> _Case:
        candidate = self._ask.candidates[index]
        key = key_of(candidate)
        if self._ask.fresh:
            start = self._base.setdefault(key, self._attempts.get(key, 0))
            self._base[key] += 1
            return _Case(candidate, key, index, start, Once())
        if key in self._seen:
            return self._seen[key]
        case = self._seen[key] = _Case(candidate, key, index, 0, self._repeat)
        case.outcome = self._memo.get(key)
        self.remembered += case.outcome is not None
        return case

    def _settle(self, case: _Case) -> bool:
        """Take in what is known of the case; is it decided?"""
        while case.outcome is None:
            trial = self._known.get((case.key, case.start + len(case.results)))
            if trial is None or trial.outcome is None:
                return False
            case.results.append(self._classify(trial.outcome))
            case.outcome = case.policy.decide(case.results)
        return True

    def _cut_after(self, case: _Case) -> None:
        """What comes after a decided case is not needed if that is what the question goes on until."""
        if assert_outcome(case).verdict is self._ask.until:
            self._cutoff = min(self._cutoff, case.index + 1)

    def _classify(self, outcome: Outcome) -> Outcome:
        """A failure with another signature than the confirmed one is another failure."""
        if self._confirmed and outcome.verdict is FAIL and outcome.signature != self.signature:
            return replace(outcome, verdict=OTHER)
        return outcome

    # Money

    def _charge(self, case: _Case) -> bool:
        """Pay for the results used, at the case's turn; False if the budget does not reach that far."""
        for attempt in range(case.start, case.start + len(case.results)):
            name = case.key, attempt
            if name in self._charged:
                continue
            if name not in self._foreign:
                if self._spent():
                    return False
                self.charged += 1
            self._charged.add(name)
            self._unpaid.discard(name)
            self.remembered += name in self._recalled
        used = case.start + len(case.results)
        if used > self._attempts.get(case.key, 0):
            self._attempts[case.key] = used
        if case.outcome is not None and not self._ask.fresh:
            self._memo[case.key] = case.outcome
        return True

    def _spent(self) -> bool:
        return self._budget.trials is not None and self.charged >= self._budget.trials

    def _affordable(self, index: int) -> bool:
        """The case whose turn it is may always run (``_advance`` has seen to that); others while money is left."""
        if self._budget.trials is None or index == len(self._answers):
            return True
        return self.charged + len(self._unpaid) < self._budget.trials

    # Starting trials

    def _pick(self) -> int | None:
        """The first position of this question that may need a trial."""
        self._pointer = max(self._pointer, len(self._answers))
        while self._again and self._again[0] <= self._pointer:
            index = heapq.heappop(self._again)
            if len(self._answers) <= index < self._cutoff:
                return index
        if self._pointer < self._cutoff:
            self._pointer += 1
            return self._pointer - 1
        return None

    def _launch(self, case: _Case, name: Name) -> Trial:
        trial = Trial(case.candidate, case.key, name[1], seed_of(self._seed, *name))
        self._flying[name] = trial
        self._unpaid.add(name)
        return trial

    def _ahead(self) -> Trial | None:
        """Nothing needs a trial now: run a further attempt of a case that is still open, in case it is needed."""
        if self._ask.fresh or self._repeat.limit == 1:
            return None
        for index in range(len(self._answers), min(self._cutoff, len(self._cases))):
            case = self._cases[index]
            if case.outcome is not None or case.index != index or not self._affordable(index):
                continue
            for attempt in range(len(case.results), self._repeat.limit):
                name = case.key, attempt
                if name not in self._flying and name not in self._known:
                    self._waiting[name] = index
                    return self._launch(case, name)
        return None

    def _recall(self, trial: Trial, ours: bool) -> None:
        self._known[trial.name] = trial
        self._recalled.add(trial.name)
        if ours:
            self.executed += 1
        else:
            self._foreign.add(trial.name)


def assert_outcome(case: _Case) -> Outcome:
    assert case.outcome is not None
    return case.outcome


def _resume(search: Search[Any, R], answers: Answers) -> Generator[Ask[Any], Answers, R]:
    """Go on with a search that has already asked its first question."""
    while True:
        try:
            ask = search.send(answers)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        answers = yield ask


def _not_reproduced(outcome: Outcome | None) -> str:
    said = f"it came out as {outcome.verdict.name}" if outcome else "it was not run"
    runs = f" in {outcome.runs} runs" if outcome and outcome.runs > 1 else ""
    detail = f" ({outcome.detail})" if outcome and outcome.detail else ""
    return f"the failing candidate does not fail: {said}{runs}{detail}"
