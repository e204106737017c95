"""A search is a generator: it asks, is told outcomes, and returns its finding.

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

That is all an algorithm knows: nothing of processes, caches, databases, flaky tests, budgets or screens. Whoever runs
it (the lab, a person at a test bench) answers its questions. Two rules make every law of the lab hold: a search draws
randomness only from a seed it was given, and every ``Ask`` carries the best finding so far.
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
    """A candidate, run with the seed of a given attempt of the failing candidate: what did leaving things out change?

    Each is run once, however often it is asked for. A subject that no seed reaches is just run once more.
    """

    candidate: C
    attempt: int


@dataclass(frozen=True, slots=True)
class Ask(Generic[C]):
    """A question to the lab: what do these candidates do?"""

    candidates: Sequence[C | Replay[C]]
    until: Verdict | None = None
    """None: answer all. A verdict: stop at the first such answer *in this order*; the rest come back as None."""
    fresh: bool = False
    """Run again with the next seed even if known: for searches that do their own statistics on flaky failures."""
    best: Any = None
    """The best finding so far: what the user sees now, and gets if the budget ends here."""
    note: str = ""
    """One line for the progress display."""
    ahead: Iterable[C | Replay[C]] = ()
    """What may be asked next, the likeliest first: workers with nothing else to do try these, in case they are."""
    repeat: Policy | None = None
    """How many runs decide each verdict; None: as the user said."""


Answers = Sequence[Outcome | None]
Search = Generator[Ask[C], Answers, R]


class Lazily(Sequence[C]):
    """Candidates that are made when they are looked at: a question may end at the first of them."""

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
    """Whether a run failed; None if it was not needed, or could not be judged."""
    return None if outcome is None or outcome.verdict is UNRESOLVED else outcome.verdict is FAIL


def first_failing(candidates: Sequence[C], *, best: Finding, note: str = "") -> Generator[Ask[C], Answers, int | None]:
    """The position of the first candidate, in this order, that fails; None if none does."""
    answers = yield Ask(candidates, until=FAIL, best=best, note=note)
    for position, outcome in enumerate(answers):
        if outcome is not None and outcome.verdict is FAIL:
            return position
    return None


def all_of(
    candidates: Sequence[C], *, best: Finding, note: str = "", fresh: bool = False
) -> Generator[Ask[C], Answers, list[Outcome]]:
    """The outcome of every candidate, in this order."""
    answers = yield Ask(candidates, fresh=fresh, best=best, note=note)
    return [outcome for outcome in answers if outcome is not None]
