"""One question of a search while it is being answered, and the choice of the candidate that needs a trial next.

A question is a list of candidates, and ``Run`` keeps two positions in it apart:

* ``turn`` is the position to answer next. Answers are given strictly in order, because a search must see the same
  answers for any number of workers.
* ``pick`` runs ahead of it: it returns each candidate once, in order, so that idle workers can start trials of later
  candidates before the earlier ones are answered. A candidate whose first attempts did not decide it is picked again
  after a call of ``pick_again``.

``pick`` stops at the cutoff. At first that is the end of the list. If a decided candidate has the verdict that ends the
question (``until``), the cutoff moves there: candidates after it are not needed, but those before it still are. The
question is answered when ``turn`` reaches the end, or a candidate with that verdict; the rest are answered with None.

If a candidate stands in the list twice, both positions share one ``CandidateAttempts`` object (a *case*), which belongs
to the first of them.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from typing import Any

from rootward.search.ask import Ask
from rootward.search.repeat import Policy
from rootward.store.trial import Name
from rootward.verdict import Outcome


class CandidateAttempts:
    """One candidate, with the outcomes of its attempts so far and, once it is decided, its combined outcome."""

    __slots__ = ("candidate", "index", "key", "outcome", "policy", "results", "start")

    def __init__(self, candidate: object, key: str, index: int, start: int, policy: Policy) -> None:
        self.candidate, self.key, self.index, self.start, self.policy = candidate, key, index, start, policy
        self.results: list[Outcome] = []
        self.outcome: Outcome | None = None

    @property
    def needed(self) -> Name:
        """The name of the trial that the candidate needs next."""
        return self.key, self.start + len(self.results)

    @property
    def used(self) -> Iterator[Name]:
        """The names of the trials that the results of the candidate come from."""
        return ((self.key, self.start + i) for i in range(len(self.results)))


class Question:
    """An ``Ask`` with its answers so far. ``new_case`` creates the case at a position when the case is first needed."""

    def __init__(self, ask: Ask[Any], new_case: Callable[[int], CandidateAttempts]) -> None:
        self.ask = ask
        self.answers: list[Outcome | None] = []
        self.waiting: dict[Name, int] = {}
        """For each awaited trial, the position that waits for it."""
        self._new_case = new_case
        self._cases: list[CandidateAttempts] = []
        self._pointer, self._cutoff = 0, len(ask.candidates)
        self._again: list[int] = []

    @property
    def turn(self) -> int:
        """The position to answer next."""
        return len(self.answers)

    @property
    def certain_count(self) -> int:
        """The number of positions not picked yet that will be needed, whatever the other answers are."""
        return max(0, self._cutoff - self._pointer) if self.ask.until is None else 0

    def case(self, index: int) -> CandidateAttempts:
        while len(self._cases) <= index:
            self._cases.append(self._new_case(len(self._cases)))
        return self._cases[index]

    def answer(self, case: CandidateAttempts) -> None:
        """Answer the next position with the outcome of ``case``.

        If this ends the question, answer the rest with None.
        """
        self.answers.append(case.outcome)
        case.candidate = None  # free the memory: a question may have thousands of long lists
        if self._ends(case):
            self.answers += [None] * (len(self.ask.candidates) - len(self.answers))

    @property
    def answered(self) -> bool:
        return len(self.answers) == len(self.ask.candidates)

    def pick(self) -> CandidateAttempts | None:
        """Return the first case that may need a trial; None if there is none.

        Each case is returned once, unless ``pick_again`` puts it back.
        """
        while (index := self._next_index()) is not None:
            case = self.case(index)
            if case.index == index:  # otherwise the same candidate stands earlier in the list
                return case
        return None

    def _next_index(self) -> int | None:
        self._pointer = max(self._pointer, self.turn)
        while self._again and self._again[0] <= self._pointer:
            index = heapq.heappop(self._again)
            if self.turn <= index < self._cutoff:
                return index
        if self._pointer < self._cutoff:
            self._pointer += 1
            return self._pointer - 1
        return None

    def pick_again(self, index: int) -> None:
        heapq.heappush(self._again, index)

    def cut_off_after(self, case: CandidateAttempts) -> None:
        """If this case ends the question, mark everything after it as not needed."""
        if self._ends(case):
            self._cutoff = min(self._cutoff, case.index + 1)

    def _ends(self, case: CandidateAttempts) -> bool:
        return case.outcome is not None and case.outcome.verdict is self.ask.until

    def list_undecided(self) -> Iterator[CandidateAttempts]:
        """Yield the cases that may be needed but are not decided yet, in order.

        Only cases created so far are considered.
        """
        for index in range(self.turn, min(self._cutoff, len(self._cases))):
            case = self._cases[index]
            if case.outcome is None and case.index == index:
                yield case
