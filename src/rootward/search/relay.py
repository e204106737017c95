"""Drive a search inside a search.

A search only yields questions and is sent answers, so it does not know who answers. Usually that is the lab. It may as
well be another search that stands between the two: it listens to what is asked, puts the questions into other words on
their way out and the answers on their way back, or decides that it has heard enough.

`relay` is that go-between. It takes the inner generator and a function that answers one of its questions; the function
is itself a generator, so it can ask whoever drives the outer search, once, several times or not at all::

    def overhear(ask: Ask[C]) -> Generator[Ask[C], Answers, Answers]:
        answers = yield ask
        seen.extend(zip(ask.candidates, answers))
        return answers

    found = yield from relay(search, overhear)

To end the inner search early, the function returns ``Ended(result)`` instead of an answer.

The moves of this package (`isolate`, `border`, `again`) are generators of a more abstract kind: they yield places,
changes or runs, and are told a truth value. `relay` turns such a question into an ``Ask``; `drive` answers it with a
plain function, for what can be computed, and for tests. `side_by_side` runs several generators at once and joins their
questions, so that a lab with many workers has something for each.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from rootward.search.ask import R as F
from rootward.search.ask import Search

A = TypeVar("A")
Q = TypeVar("Q")
R = TypeVar("R")
S = TypeVar("S")
W = TypeVar("W")


@dataclass(frozen=True, slots=True)
class Ended(Generic[R]):
    """Given instead of an answer: the inner generator is closed, and this is its result."""

    result: R


def relay(inner: Generator[W, A, R], answer: Callable[[W], Generator[Q, S, A | Ended[R]]]) -> Generator[Q, S, R]:
    """Return what the inner generator returns, if ``answer`` finds out what each of its questions wants to know."""
    answered: Any = None
    try:
        while True:
            try:
                question = inner.send(answered)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            answered = yield from answer(question)
            if isinstance(answered, Ended):
                return answered.result  # type: ignore[no-any-return]
    finally:
        inner.close()


def drive(inner: Generator[W, A, R], answer: Callable[[W], A]) -> R:
    """Return what a generator returns if a plain function answers its questions."""
    answered: Any = None
    while True:
        try:
            question = inner.send(answered)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        answered = answer(question)


def side_by_side(
    generators: Iterable[Generator[Sequence[W], Sequence[A], R]],
) -> Generator[list[W], Sequence[A], list[R]]:
    """Run several generators at once: each question joins one of each that is not done. Their results, in order."""
    running: list[tuple[int, Generator[Sequence[W], Sequence[A], R], Sequence[W]]] = []
    results: dict[int, R] = {}

    def advance(number: int, one: Generator[Sequence[W], Sequence[A], R], answers: Any) -> None:
        try:
            running.append((number, one, one.send(answers)))
        except StopIteration as end:
            results[number] = end.value

    for number, one in enumerate(generators):
        advance(number, one, None)
    while running:
        asked, running = running, []
        answers = yield [wanted for _, _, question in asked for wanted in question]
        begin = 0
        for number, one, question in asked:
            advance(number, one, answers[begin : begin + len(question)])
            begin += len(question)
    return [results[number] for number in sorted(results)]


def first_best(search: Search[Any, F]) -> F:
    """Return what a search would say before anything is run: its result, or the best so far of its first question."""
    try:
        return next(search).best  # type: ignore[no-any-return]
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]
    finally:
        search.close()
