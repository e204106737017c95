"""A search being answered: the trials that it needs now, and the answers that they add up to.

``Run`` does no input or output. Its driver (the lab's executors, or a person at a test bench) takes trials from
``next`` whenever a worker is free, and returns them with their outcomes through ``record``, in any order. The search
notices none of that:

* It is answered *in the order of its candidates*. A trial that was run in advance has no effect until its turn comes,
  so the number of workers changes the time, never the answer.
* A candidate whose verdict is known is not run again, nor is one that is running at the moment.
* The budget is charged in the same order (``budget.py``), so it does not depend on the number of workers either.

A trial is named by the key of its candidate and the number of the attempt. Everything known about trials is in one
dictionary by name, whether they came from the store, were needed, or were run in advance. A *case* is one candidate of
the current question (``question.py``); it consumes its attempts 0, 1, 2, ... from that dictionary until the repetition
policy decides (``_settle``). A question with ``fresh`` continues with attempts that no question has used before.

``next`` looks for work in three places, in this order: cases that need an attempt now; further attempts of undecided
cases (``_run_ahead``); candidates that the search may ask for next (``_run_hint``). The last two are speculation, and
happen only as long as the budget would also suffice if all started trials turned out to be needed.

``record`` stores an outcome and then advances as far as possible: each case is settled and charged when its turn comes;
when all are answered, the search is sent the answers and its next question is opened. The run ends when the search
returns its finding, when the budget is spent (``_advance``), or when the driver calls ``stop``. In the last two cases
the finding is the best one that the current question carries.

If a failing candidate is given, it is run before the first question (``_confirm``). Its outcome is the reference: a
later failure that is not like it gets the verdict OTHER.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import replace
from typing import Any, Generic, cast

from rootward.errors import InputError, NotReproduced, RootwardError
from rootward.lab.budget import Account, Budget
from rootward.lab.question import CandidateAttempts, Question
from rootward.search.ask import Answers, Ask, R, Replay, Search
from rootward.search.finding import Finding
from rootward.search.repeat import Once, Policy
from rootward.space.candidate import key_of
from rootward.store.trial import Name, Trial, replay_key, seed_of
from rootward.verdict import FAIL, OTHER, PASS, UNRESOLVED, Outcome


class Run(Generic[R]):
    """One search with its current question, known trials and budget. See the module's docstring."""

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
        ``known``: trials of earlier sessions, each with a flag: True if this run paid for the trial.
        ``alike``: returns True if two failures are the same. By default, failures with the same signature are the same.
        """
        recalled = list(known)
        self._known: dict[Name, Trial] = {trial.name: trial for trial, _ in recalled}
        self._recalled = set(self._known)
        self._limit = (budget or Budget()).trials
        self._account = Account(self._limit, free={trial.name for trial, ours in recalled if not ours})
        self._repeat, self._seed = repeat or Once(), seed
        self._failing = "" if failing is None else key_of(failing)
        self._replays: set[str] = set()
        """The keys of replays, which are run with the seeds of the failing candidate."""
        self._memo: dict[tuple[Policy, str], Outcome] = {}
        self._attempts: dict[str, int] = {}
        """The number of attempts of each candidate that earlier questions have used."""
        self._reached: dict[str, int] = {}
        """Like ``_attempts``, but including the current question. It takes effect with the next question: otherwise the
        numbers of fresh attempts would depend on the number of workers."""
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

    # For the driver

    @property
    def best(self) -> R | None:
        """The finding. Before the search has ended, this is the best finding so far, marked as not complete."""
        if self.finding is not None or self.question.best is None:
            return self.finding
        best = self.question.best
        so_far = {"trials": self.executed, "asked": self.asked, "signature": self.signature or best.signature}
        return cast(R, replace(best, complete=False, error=self._error or best.error, **so_far))

    @property
    def signature(self) -> str | None:
        """The signature of the failure that the search is about, if it has one."""
        return self._reference.signature if self._reference else None

    @property
    def _error(self) -> str:
        """The last lines of the error text of the failure that the search is about."""
        return self._reference.detail if self._reference else ""

    @property
    def note(self) -> str:
        return self.question.note

    @property
    def question(self) -> Ask[Any]:
        """The current question of the search."""
        return self._question.ask

    @property
    def in_flight(self) -> list[Trial]:
        """The trials taken from ``next`` and not yet recorded, oldest first."""
        return list(self._flying.values())

    @property
    def known_trials(self) -> list[Trial]:
        """All trials that have an outcome, without their candidates."""
        return list(self._known.values())

    @property
    def charged(self) -> int:
        """The number of trials charged to the budget."""
        return self._account.total

    @property
    def finished(self) -> bool:
        return self.finding is not None

    @property
    def certain_count(self) -> int:
        """The number of candidates not started yet that will be needed, whatever the other answers are."""
        return self._question.certain_count

    def next(self) -> Trial | None:
        """Return a trial to start now; None if no trial can be started before another one is recorded."""
        if self.finished or self._broken:
            return None
        while (case := self._question.pick()) is not None:
            if self._settle(case):
                continue
            name = case.needed
            self._question.waiting[name] = case.index
            if name in self._flying:
                continue
            if not self._can_afford(case):
                self._question.pick_again(case.index)
                return None
            return self._launch(case.candidate, name)
        return self._run_ahead() or self._run_hint()

    def record(self, trial: Trial) -> None:
        """Take a trial with its outcome, and answer as many questions as possible."""
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
            self._question.pick_again(index)
        self._advance()

    def learn(self, trial: Trial, ours: bool) -> None:
        """Take a trial that another process has run. ``ours``: for this run, so that it is charged to its budget."""
        if trial.name in self._known:
            return
        if not ours:
            self._account.free.add(trial.name)
            self.executed -= 1  # ``record`` adds it
        self.record(trial)

    def drop(self, trial: Trial) -> None:
        """Take back a trial from ``next`` that will not be run after all."""
        self._flying.pop(trial.name, None)
        if (index := self._question.waiting.pop(trial.name, None)) is not None:
            self._question.pick_again(index)

    def stop(self, reason: str) -> None:
        """End now, with the best finding so far."""
        if self.finished:
            return
        if self.question.best is None:
            raise RootwardError(f"stopped ({reason}) before the search had a finding: its Ask has no best")
        self.stopped = reason
        self._search.close()
        self._finish(self.question.best, complete=False)

    # Talking to the search

    def _confirm(self, failing: object, search: Search[Any, R]) -> Search[Any, R]:
        """Run the failing candidate before the search's first question."""
        try:
            first = next(search)
        except StopIteration as end:
            first, done = None, end.value
        best = first.best if first is not None else done
        outcome = yield from self._reproduce(failing, best, () if first is None else first.ahead)
        if outcome.verdict is not FAIL:
            raise NotReproduced(_not_reproduced(outcome), outcome.runs if outcome.verdict is PASS else 0)
        self._reference = outcome
        self._memo[self._repeat, key_of(failing)] = outcome
        if first is None:
            return done  # type: ignore[no-any-return]
        answers = yield first
        return (yield from _resume(search, answers))

    def _reproduce(self, failing: object, best: R, ahead: Iterable[Any]) -> Generator[Ask[Any], Answers, Outcome]:
        """Return the outcome of the failing candidate.

        If it did not fail, and this is known from stored trials only, it is run again.
        """
        key, note = key_of(failing), "does the failing input fail?"
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
        """Send the answers to the search and take its next question, or its finding."""
        self._attempts |= self._reached
        self._reached.clear()
        try:
            ask = next(self._search) if answers is None else self._search.send(answers)
        except StopIteration as end:
            if not isinstance(end.value, Finding):
                raise InputError(f"a search must return a Finding, not {end.value!r:.80}") from None
            self._finish(cast(R, end.value), complete=end.value.complete)
            return
        except BaseException:
            self._broken = True
            raise
        if not isinstance(ask, Ask):
            raise InputError(f"a search must yield an Ask, not {ask!r:.80}")
        self._question = Question(ask, self._new_case)
        self._hints = iter(ask.ahead)
        self._seen: dict[str | Name, CandidateAttempts] = {}
        self._base: dict[str, int] = {}
        self._account.release()

    def _finish(self, finding: R, *, complete: bool) -> None:
        self.finding = replace(
            finding,
            complete=complete,
            trials=self.executed,
            asked=self.asked,
            stopped=self.stopped or finding.stopped,
            signature=self.signature or finding.signature,
            error=self._error or finding.error,
        )

    def _advance(self) -> None:
        """Answer candidates in order, as far as results are known, and open the next question when all are answered."""
        while not (self.finished or self._broken):
            question = self._question
            while not question.answered:
                case = question.case(question.turn)
                decided = self._settle(case)
                if not self._charge(case) or (self._account.is_spent and not decided):
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
        """The repetition policy of the current question."""
        return self.question.repeat or self._repeat

    def _new_case(self, index: int) -> CandidateAttempts:
        candidate = self.question.candidates[index]
        if isinstance(candidate, Replay):
            name = self._name_replay(candidate)
            return self._seen.setdefault(name, CandidateAttempts(candidate.candidate, name[0], index, name[1], Once()))
        key = key_of(candidate)
        if self.question.fresh:
            start = self._base.setdefault(key, self._attempts.get(key, 0))
            self._base[key] += 1
            return CandidateAttempts(candidate, key, index, start, Once())
        if key in self._seen:
            return self._seen[key]
        case = self._seen[key] = CandidateAttempts(candidate, key, index, 0, self._policy)
        case.outcome = self._memo.get((self._policy, key))
        self.remembered += case.outcome is not None
        return case

    def _name_replay(self, replay: Replay[Any]) -> Name:
        """Return the name of the trial of a replay. Its key differs from the key of the candidate."""
        key = replay_key(key_of(replay.candidate), self._failing)
        if key != self._failing:
            self._replays.add(key)
        return key, replay.attempt

    def _settle(self, case: CandidateAttempts) -> bool:
        """Add the known results to the case; return True if it is decided."""
        while case.outcome is None:
            trial = self._known.get(case.needed)
            if trial is None or trial.outcome is None:
                return False
            case.results.append(self._classify(trial.outcome))
            case.outcome = case.policy.decide(case.results)
        self._question.cut_off_after(case)
        return True

    def _classify(self, outcome: Outcome) -> Outcome:
        """Return the outcome with the verdict OTHER if it is a failure that is not like the confirmed one."""
        if self._reference is not None and outcome.verdict is FAIL and not self._alike(outcome, self._reference):
            return replace(outcome, verdict=OTHER)
        return outcome

    def is_confirmed_failure(self, outcome: Outcome) -> bool:
        """Return True if the outcome is the failure of the failing candidate, which was run before."""
        return self._reference is not None and self._classify(outcome).verdict is FAIL

    def _charge(self, case: CandidateAttempts) -> bool:
        """Charge the trials of a case when its turn comes; return False if the budget does not suffice."""
        if not case.results:
            return True
        for name in case.used:
            if self._account.has_charged(name):
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

    def _can_afford(self, case: CandidateAttempts) -> bool:
        """Return True if the case may start a trial now.

        The case whose turn it is always may, since ``_advance`` stops the run when the budget is spent. Another case
        may if the budget suffices for this trial and for all trials started so far.
        """
        return case.index == self._question.turn or self._account.can_start_more

    def _launch(self, candidate: object, name: Name) -> Trial:
        key, attempt = name
        seed = seed_of(self._seed, self._failing if key in self._replays else key, attempt)
        trial = Trial(candidate, key, attempt, seed)
        self._flying[name] = trial
        self._account.reserve(name)
        return trial

    def _run_ahead(self) -> Trial | None:
        """Start a further attempt of an undecided case, before it is known if the attempt is needed."""
        if self.question.fresh or self._policy.limit == 1:
            return None
        for case in self._question.list_undecided():
            for attempt in range(len(case.results), self._policy.limit if self._account.can_start_more else 0):
                name = case.key, attempt
                if case.policy is self._policy and name not in self._flying and name not in self._known:
                    self._question.waiting[name] = case.index
                    return self._launch(case.candidate, name)
        return None

    def _run_hint(self) -> Trial | None:
        """Start a candidate that the search may ask for next. Used when the current question leaves workers idle."""
        started = self.executed + len(self._flying)
        spare = self._account.can_start_more and (self._limit is None or started < self._limit)
        for hint in self._hints if spare else ():
            name = self._name_hint(hint)
            if name is not None and name not in self._flying and name not in self._known:
                return self._launch(hint.candidate if isinstance(hint, Replay) else hint, name)
        return None

    def _name_hint(self, hint: Any) -> Name | None:
        """Return the name of the trial that ``hint`` would need; None if its outcome is already known."""
        if isinstance(hint, Replay):
            return self._name_replay(hint)
        key = key_of(hint)
        if self.question.fresh:
            return key, max(self._base.get(key, 0), self._attempts.get(key, 0))
        return None if (self._policy, key) in self._memo else (key, 0)


def _resume(search: Search[Any, R], answers: Answers) -> Generator[Ask[Any], Answers, R]:
    """Continue a search that has already asked its first question."""
    while True:
        try:
            ask = search.send(answers)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        answers = yield ask


def _same_signature(outcome: Outcome, reference: Outcome) -> bool:
    return outcome.signature == reference.signature


def _not_reproduced(outcome: Outcome) -> str:
    verdicts = {PASS: "it passed", OTHER: "it failed in another way", UNRESOLVED: "it could not be judged"}
    runs = f" in {outcome.runs} runs" if outcome.runs > 1 else ""
    detail = f" ({outcome.detail})" if outcome.detail else ""
    return f"the failing input did not fail when it was run: {verdicts[outcome.verdict]}{runs}{detail}"
