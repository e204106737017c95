"""A search being answered: which trials does it need now, and what do they tell it?

``Run`` does no input or output. Whoever drives it (the lab's executors, or a person at a test bench) takes trials from
``next`` whenever a worker is free and gives them back through ``record``, in any order. The search sees none of that:

* It is answered *in the order of its candidates*. A trial that was run ahead of need counts for nothing until its turn
  comes, so the width of the lab changes the time, never the answer.
* A candidate whose verdict is known is not run again, nor is one that is running just now.
* Its budget is charged in the same order (budget.py), so it does not depend on the width either.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import replace
from typing import Any, Generic, cast

from rootward.errors import InputError, NotReproduced, RootwardError
from rootward.lab.budget import Account, Budget
from rootward.lab.question import Case, Question
from rootward.search.ask import Answers, Ask, R, Replay, Search
from rootward.search.finding import Finding
from rootward.search.repeat import Once, Policy
from rootward.space.candidate import key_of
from rootward.store.trial import Name, Trial, replayed, seed_of
from rootward.verdict import FAIL, OTHER, Outcome


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
        alike: Callable[[Outcome, Outcome], bool] | None = None,
    ) -> None:
        """``failing``: the candidate to confirm first; its signature is the failure that the search is about.
        ``known``: trials of earlier sessions, each with whether this very run paid for it. ``alike``: whether two
        failures are the same; those of one signature, unless given."""
        recalled = list(known)
        self._known: dict[Name, Trial] = {trial.name: trial for trial, _ in recalled}
        self._recalled = set(self._known)
        self._limit = (budget or Budget()).trials
        self._account = Account(self._limit, free={trial.name for trial, ours in recalled if not ours})
        self._repeat, self._seed = repeat or Once(), seed
        self._failing = "" if failing is None else key_of(failing)
        self._replays: set[str] = set()
        """The keys of replays: their seeds are those of the failing candidate."""
        self._memo: dict[tuple[Policy, str], Outcome] = {}
        self._attempts: dict[str, int] = {}
        """How many attempts of each candidate the questions before this one have taken ..."""
        self._reached: dict[str, int] = {}
        """... and where this one got: it counts from the next on, or fresh numbers would depend on the width."""
        self._flying: dict[Name, Trial] = {}
        self._broken = False

        self.finding: R | None = None
        self.stopped: str | None = None
        self._reference: Outcome | None = None
        self._alike = alike or _same_signature
        self.executed = sum(ours for _, ours in recalled)
        self.asked = self.remembered = 0
        self._search = self._confirm(failing, search) if failing is not None else search
        self._question = Question(Ask(()), self._new_case)
        self._hints: Iterator[Any] = iter(())
        self._open(None)
        self._advance()

    # What a driver needs

    @property
    def best(self) -> R | None:
        """The finding, or the best one so far, which does not claim to be final."""
        if self.finding is not None or self.question.best is None:
            return self.finding
        so_far = {"trials": self.executed, "asked": self.asked, "signature": self.signature}
        return cast(R, replace(self.question.best, complete=False, **so_far))

    @property
    def signature(self) -> str | None:
        """The failure that the search is about, where it has a name."""
        return self._reference.signature if self._reference else None

    @property
    def note(self) -> str:
        return self.question.note

    @property
    def question(self) -> Ask[Any]:
        """What the search wants to know now."""
        return self._question.ask

    @property
    def flying(self) -> list[Trial]:
        """The trials that are out, oldest first."""
        return list(self._flying.values())

    @property
    def known(self) -> list[Trial]:
        """All trials with an outcome, without their candidates."""
        return list(self._known.values())

    @property
    def charged(self) -> int:
        """How many trials the budget was charged for."""
        return self._account.total

    @property
    def finished(self) -> bool:
        return self.finding is not None

    @property
    def certain(self) -> int:
        """How many candidates were not looked at yet and will be needed, whatever the others do."""
        return self._question.certain

    def next(self) -> Trial | None:
        """A trial to start now, or None if there is none until another one is recorded."""
        if self.finished or self._broken:
            return None
        while (case := self._question.pick()) is not None:
            if self._settle(case):
                continue
            name = case.needed
            self._question.waiting[name] = case.index
            if name in self._flying:
                continue
            if not self._affordable(case):
                self._question.again(case.index)
                return None
            return self._launch(case.candidate, name)
        return self._ahead() or self._later()

    def record(self, trial: Trial) -> None:
        """Take back a trial with its outcome."""
        self._flying.pop(trial.name, None)
        if trial.name in self._known:
            return
        self._known[trial.name] = trial.bare
        self.executed += 1
        if self.finding is not None:
            self.finding = replace(self.finding, trials=self.executed)
            return
        index = self._question.waiting.pop(trial.name, None)
        if index is not None and not self._settle(self._question.case(index)):
            self._question.again(index)
        self._advance()

    def drop(self, trial: Trial) -> None:
        """A trial taken from ``next`` will not be run after all."""
        self._flying.pop(trial.name, None)
        if (index := self._question.waiting.pop(trial.name, None)) is not None:
            self._question.again(index)

    def stop(self, reason: str) -> None:
        """End now, with the best finding so far."""
        if self.finished:
            return
        if self.question.best is None:
            raise RootwardError(f"stopped ({reason}) before the search had any finding: its Ask carries no best")
        self.stopped = reason
        self._search.close()
        self._finish(self.question.best, complete=False)

    # The search's side

    def _confirm(self, failing: object, search: Search[Any, R]) -> Search[Any, R]:
        """Run the failing candidate before the search's first question."""
        try:
            first = next(search)
        except StopIteration as end:
            first, done = None, end.value
        best = first.best if first is not None else done
        outcome = yield from self._reproduce(failing, best, () if first is None else first.ahead)
        if outcome.verdict is not FAIL:
            raise NotReproduced(_not_reproduced(outcome))
        self._reference = outcome
        self._memo[self._repeat, key_of(failing)] = outcome
        if first is None:
            return done  # type: ignore[no-any-return]
        answers = yield first
        return (yield from _resume(search, answers))

    def _reproduce(self, failing: object, best: R, ahead: Iterable[Any]) -> Generator[Ask[Any], Answers, Outcome]:
        """What the failing candidate does. That it once did not fail is not believed: it is run again to see."""
        key, note = key_of(failing), "does the failing candidate fail?"
        [outcome] = yield Ask([failing], best=best, note=note, ahead=ahead)
        assert outcome is not None
        remembered = all((key, attempt) in self._recalled for attempt in range(outcome.runs))
        while outcome.verdict is not FAIL and remembered:
            outcomes: list[Outcome] = []
            while (decided := self._repeat.decide(outcomes)) is None:
                answers = yield Ask([failing], fresh=True, best=best, note=note)
                outcomes += [answer for answer in answers if answer is not None]
                remembered &= (key, self._attempts[key] - 1) in self._recalled
            outcome = decided
        return outcome

    def _open(self, answers: Answers | None) -> None:
        """Hand over the answers and take the next question, or the finding."""
        self._attempts |= self._reached
        self._reached.clear()
        try:
            ask = next(self._search) if answers is None else self._search.send(answers)
        except StopIteration as end:
            if not isinstance(end.value, Finding):
                raise InputError(f"a search returns a Finding, not {end.value!r:.80}") from None
            self._finish(cast(R, end.value), complete=end.value.complete)
            return
        except BaseException:
            self._broken = True
            raise
        if not isinstance(ask, Ask):
            raise InputError(f"a search yields an Ask, not {ask!r:.80}")
        self._question = Question(ask, self._new_case)
        self._hints = iter(ask.ahead)
        self._seen: dict[str | Name, Case] = {}
        self._base: dict[str, int] = {}
        self._account.release()

    def _finish(self, finding: R, *, complete: bool) -> None:
        self.finding = replace(
            finding,
            complete=complete,
            trials=self.executed,
            asked=self.asked,
            stopped=self.stopped or finding.stopped,
            signature=self.signature,
        )

    def _advance(self) -> None:
        """Answer as far as the results go, in order."""
        while not (self.finished or self._broken):
            question = self._question
            while not question.answered:
                case = question.case(question.turn)
                decided = self._settle(case)
                if not self._charge(case) or (self._account.spent and not decided):
                    self.stop("budget")
                    return
                if not decided:
                    return
                self.asked += 1
                question.answer(case)
            self._open(question.answers)

    # Cases

    @property
    def _policy(self) -> Policy:
        """How many runs decide a verdict of this question."""
        return self.question.repeat or self._repeat

    def _new_case(self, index: int) -> Case:
        candidate = self.question.candidates[index]
        if isinstance(candidate, Replay):
            name = self._replayed(candidate)
            return self._seen.setdefault(name, Case(candidate.candidate, name[0], index, name[1], Once()))
        key = key_of(candidate)
        if self.question.fresh:
            start = self._base.setdefault(key, self._attempts.get(key, 0))
            self._base[key] += 1
            return Case(candidate, key, index, start, Once())
        if key in self._seen:
            return self._seen[key]
        case = self._seen[key] = Case(candidate, key, index, 0, self._policy)
        case.outcome = self._memo.get((self._policy, key))
        self.remembered += case.outcome is not None
        return case

    def _replayed(self, replay: Replay[Any]) -> Name:
        """The trial of a replay. It has a key of its own."""
        key = replayed(key_of(replay.candidate), self._failing)
        if key != self._failing:
            self._replays.add(key)
        return key, replay.attempt

    def _settle(self, case: Case) -> bool:
        """Take in what is known of the case; is it decided?"""
        while case.outcome is None:
            trial = self._known.get(case.needed)
            if trial is None or trial.outcome is None:
                return False
            case.results.append(self._classify(trial.outcome))
            case.outcome = case.policy.decide(case.results)
        self._question.decided(case)
        return True

    def _classify(self, outcome: Outcome) -> Outcome:
        """A failure that is not like the confirmed one is another failure."""
        if self._reference is not None and outcome.verdict is FAIL and not self._alike(outcome, self._reference):
            return replace(outcome, verdict=OTHER)
        return outcome

    def _charge(self, case: Case) -> bool:
        """Pay for the results used, at the case's turn; False if the budget does not reach that far."""
        if not case.results:
            return True
        for name in case.used:
            if self._account.knows(name):
                continue
            if not self._account.charge(name):
                return False
            self.remembered += name in self._recalled
        reached = self._reached.get(case.key, self._attempts.get(case.key, 0))
        self._reached[case.key] = max(reached, case.needed[1])
        if case.outcome is not None and case.policy is self._policy:
            self._memo[case.policy, case.key] = case.outcome
        return True

    # Starting trials

    def _affordable(self, case: Case) -> bool:
        """The case whose turn it is may always run (``_advance`` has seen to that); others while money is left."""
        return case.index == self._question.turn or self._account.ample

    def _launch(self, candidate: object, name: Name) -> Trial:
        key, attempt = name
        seed = seed_of(self._seed, self._failing if key in self._replays else key, attempt)
        trial = Trial(candidate, key, attempt, seed)
        self._flying[name] = trial
        self._account.reserve(name)
        return trial

    def _ahead(self) -> Trial | None:
        """Nothing needs a trial now: run a further attempt of a case that is still open, in case it is needed."""
        if self.question.fresh or self._policy.limit == 1:
            return None
        for case in self._question.undecided():
            for attempt in range(len(case.results), self._policy.limit if self._account.ample else 0):
                name = case.key, attempt
                if case.policy is self._policy and name not in self._flying and name not in self._known:
                    self._question.waiting[name] = case.index
                    return self._launch(case.candidate, name)
        return None

    def _later(self) -> Trial | None:
        """This question needs no more workers: start what the search says it may ask next."""
        started = self.executed + len(self._flying)
        spare = self._account.ample and (self._limit is None or started < self._limit)
        for hint in self._hints if spare else ():
            name = self._hinted(hint)
            if name is not None and name not in self._flying and name not in self._known:
                return self._launch(hint.candidate if isinstance(hint, Replay) else hint, name)
        return None

    def _hinted(self, hint: Any) -> Name | None:
        """The trial that the hint would need; None if it needs none."""
        if isinstance(hint, Replay):
            return self._replayed(hint)
        key = key_of(hint)
        if self.question.fresh:
            return key, max(self._base.get(key, 0), self._attempts.get(key, 0))
        return None if (self._policy, key) in self._memo else (key, 0)


def _resume(search: Search[Any, R], answers: Answers) -> Generator[Ask[Any], Answers, R]:
    """Go on with a search that has already asked its first question."""
    while True:
        try:
            ask = search.send(answers)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        answers = yield ask


def _same_signature(outcome: Outcome, reference: Outcome) -> bool:
    return outcome.signature == reference.signature


def _not_reproduced(outcome: Outcome) -> str:
    runs = f" in {outcome.runs} runs" if outcome.runs > 1 else ""
    detail = f" ({outcome.detail})" if outcome.detail else ""
    return f"the failing candidate does not fail: it came out as {outcome.verdict.name}{runs}{detail}"
