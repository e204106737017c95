"""One question of a search, on its way to being answered: which of its candidates may need a trial next?

Candidates are answered in their order, but trials may be started further ahead, up to the first candidate that is known
to end the question (``until``).
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from typing import Any

from rootward.search.ask import Ask
from rootward.search.repeat import Policy
from rootward.store.trial import Name
from rootward.verdict import Outcome


class Case:
    """One candidate, and what its attempts said so far."""

    __slots__ = ("candidate", "index", "key", "outcome", "policy", "results", "start")

    def __init__(self, candidate: object, key: str, index: int, start: int, policy: Policy) -> None:
        self.candidate, self.key, self.index, self.start, self.policy = candidate, key, index, start, policy
        self.results: list[Outcome] = []
        self.outcome: Outcome | None = None

    @property
    def needed(self) -> Name:
        """The trial that it needs next."""
        return self.key, self.start + len(self.results)

    @property
    def used(self) -> Iterator[Name]:
        """The trials that its results come from."""
        return ((self.key, self.start + i) for i in range(len(self.results)))


class Question:
    """An ``Ask`` with the cases that have been looked at; ``new_case`` makes the one at a position."""

    def __init__(self, ask: Ask[Any], new_case: Callable[[int], Case]) -> None:
        self.ask = ask
        self.answers: list[Outcome | None] = []
        self.waiting: dict[Name, int] = {}
        """The position that waits for a trial."""
        self._new_case = new_case
        self._cases: list[Case] = []
        self._pointer, self._cutoff = 0, len(ask.candidates)
        self._again: list[int] = []

    @property
    def turn(self) -> int:
        """The position that is to be answered next."""
        return len(self.answers)

    @property
    def certain(self) -> int:
        """How many positions were not picked yet and will be, whatever the answers are."""
        return max(0, self._cutoff - self._pointer) if self.ask.until is None else 0

    def case(self, index: int) -> Case:
        while len(self._cases) <= index:
            self._cases.append(self._new_case(len(self._cases)))
        return self._cases[index]

    def answer(self, case: Case) -> None:
        """Answer the position whose turn it is; if that ends the question, the rest as well, with None."""
        self.answers.append(case.outcome)
        case.candidate = None  # thousands of long lists would add up
        if self._ends(case):
            self.answers += [None] * (len(self.ask.candidates) - len(self.answers))

    @property
    def answered(self) -> bool:
        return len(self.answers) == len(self.ask.candidates)

    def pick(self) -> Case | None:
        """The first case that may need a trial, each once; ``again`` has it picked once more."""
        while (index := self._next_index()) is not None:
            case = self.case(index)
            if case.index == index:  # else the same candidate stands earlier
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

    def again(self, index: int) -> None:
        heapq.heappush(self._again, index)

    def decided(self, case: Case) -> None:
        """What comes after a case that ends the question is not needed."""
        if self._ends(case):
            self._cutoff = min(self._cutoff, case.index + 1)

    def _ends(self, case: Case) -> bool:
        return case.outcome is not None and case.outcome.verdict is self.ask.until

    def undecided(self) -> Iterator[Case]:
        """The cases that were looked at, may be needed and are not decided, in order."""
        for index in range(self.turn, min(self._cutoff, len(self._cases))):
            case = self._cases[index]
            if case.outcome is None and case.index == index:
                yield case
