"""A search is a generator: it yields questions, is sent outcomes, and returns its finding.

::

    def halves(elements: Elements[E]) -> Search[Selection[E], Halved]:
        kept = elements.all
        while len(kept) > 1:
            middle = len(kept) // 2
            options = [Selection(elements, kept.kept[:middle]), Selection(elements, kept.kept[middle:])]
            found = yield from first_failing(options, best=Halved(kept))
            if found is None:
                break
            kept = options[found]
        return Halved(kept)

That is all an algorithm knows: nothing of processes, caches, databases, flaky tests, budgets or screens. The lab, or a
person at a test bench, answers its questions. The laws of the lab rest on two rules: a search takes randomness only
from a seed it was given, and every ``Ask`` carries the best finding so far.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, overload

from rootward.search.finding import Finding
from rootward.search.repeat import Policy
from rootward.verdict import FAIL, UNRESOLVED, Outcome, Verdict

C = TypeVar("C")
R = TypeVar("R", bound=Finding)


@dataclass(frozen=True, slots=True)
class Replay(Generic[C]):
    """A candidate to run with the seed of a given attempt of the failing candidate.

    With the seed held fixed, a different verdict comes from the elements that were left out. Each replay is run once,
    even if it is asked for several times. A subject that takes no seed is simply run once more.
    """

    candidate: C
    attempt: int


@dataclass(frozen=True, slots=True)
class Ask(Generic[C]):
    """A question to the lab: the candidates whose outcomes the search needs."""

    candidates: Sequence[C | Replay[C]]
    until: Verdict | None = None
    """None: answer all. A verdict: stop at the first candidate, *in this order*, that has it; the others are answered
    with None."""
    fresh: bool = False
    """Run each candidate again with the next seed, even if its verdict is known: for searches that do their own
    statistics on flaky failures."""
    best: Any = None
    """The best finding so far. The user sees it now, and gets it if the budget ends here."""
    note: str = ""
    """One line for the progress display."""
    ahead: Iterable[C | Replay[C]] = ()
    """Candidates that may be asked for next, the likeliest first. Idle workers run them in advance."""
    repeat: Policy | None = None
    """The policy that decides each verdict; None: the one that the user chose."""


Answers = Sequence[Outcome | None]
Search = Generator[Ask[C], Answers, R]


class LazyCandidates(Sequence[C]):
    """A sequence of candidates, each built only when it is accessed.

    This saves work because a question may end before most candidates are needed.
    """

    def __init__(self, count: int, make: Callable[[int], C]) -> None:
        self._count, self._make = count, make

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> C: ...
    @overload
    def __getitem__(self, index: slice) -> list[C]: ...
    def __getitem__(self, index: int | slice) -> C | list[C]:
        chosen = range(self._count)[index]
        return self._make(chosen) if isinstance(chosen, int) else [self._make(i) for i in chosen]


def has_failed(outcome: Outcome | None) -> bool | None:
    """Return True if the run failed, False if it did not.

    Return None if the run was not needed or could not be judged.
    """
    return None if outcome is None or outcome.verdict is UNRESOLVED else outcome.verdict is FAIL


def first_failing(candidates: Sequence[C], *, best: Finding, note: str = "") -> Generator[Ask[C], Answers, int | None]:
    """Return the position of the first candidate, in this order, that fails; None if none does."""
    answers = yield Ask(candidates, until=FAIL, best=best, note=note)
    for position, outcome in enumerate(answers):
        if outcome is not None and outcome.verdict is FAIL:
            return position
    return None


def all_of(
    candidates: Sequence[C], *, best: Finding, note: str = "", fresh: bool = False
) -> Generator[Ask[C], Answers, list[Outcome]]:
    """Return the outcome of every candidate, in this order."""
    answers = yield Ask(candidates, fresh=fresh, best=best, note=note)
    return [outcome for outcome in answers if outcome is not None]
