"""Drive a search inside a search.

A search only yields questions and is sent answers, so it does not know who answers. Usually that is the lab, but it can
be another search in between. This outer search can observe the questions, translate them on their way to the lab and
the answers on their way back, or end the inner search early.

`relay` drives the inner generator. Its second argument is a function that answers one question of the inner search. The
function is itself a generator: to find the answer it can ask whoever drives the outer search, once, several times or
not at all::

    def overhear(ask: Ask[C]) -> Generator[Ask[C], Answers, Answers]:
        answers = yield ask
        seen.extend(zip(ask.candidates, answers))
        return answers

    found = yield from relay(search, overhear)

To end the inner search early, the function returns ``EarlyResult(result)`` instead of an answer.

The moves `isolate` and `border` are generators of a more abstract kind: they yield changes or places and are sent a
truth value. With `relay`, a search translates such a question into an ``Ask``. `drive` answers it with a plain
function, for questions that can be computed, and in tests. `run_side_by_side` runs several generators at once and joins
their questions into one, which keeps a lab with many workers busy.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from rootward.search.ask import R as F
from rootward.search.ask import Search
from rootward.space.candidate import key_of
from rootward.verdict import Outcome

A = TypeVar("A")
Q = TypeVar("Q")
R = TypeVar("R")
S = TypeVar("S")
W = TypeVar("W")


@dataclass(frozen=True, slots=True)
class EarlyResult(Generic[R]):
    """A result that an answering function returns instead of an answer.

    The inner generator is then closed, and ``relay`` returns ``result``.
    """

    result: R


def relay(inner: Generator[W, A, R], answer: Callable[[W], Generator[Q, S, A | EarlyResult[R]]]) -> Generator[Q, S, R]:
    """Run the inner generator, let ``answer`` answer each of its questions, and return its result."""
    answered: Any = None
    try:
        while True:
            try:
                question = inner.send(answered)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            answered = yield from answer(question)
            if isinstance(answered, EarlyResult):
                return answered.result  # type: ignore[no-any-return]
    finally:
        inner.close()


def drive(inner: Generator[W, A, R], answer: Callable[[W], A]) -> R:
    """Run a generator whose questions a plain function answers, and return its result."""
    answered: Any = None
    while True:
        try:
            question = inner.send(answered)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        answered = answer(question)


def run_side_by_side(
    generators: Iterable[Generator[Sequence[W], Sequence[A], R]],
) -> Generator[list[W], Sequence[A], list[R]]:
    """Run several generators at once, and return their results in order.

    Each yielded list joins the current questions of all generators that have not ended.
    """
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
    """Return the finding of a search before anything is run.

    This is the ``best`` of its first question. If the search asks nothing, it is the result.
    """
    try:
        return next(search).best  # type: ignore[no-any-return]
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]
    finally:
        search.close()


def best_after_first_run(search: Search[Any, F], candidate: object, outcome: Outcome) -> F:
    """Return the finding of a search after its first run, that of ``candidate``.

    If the search does not ask for this candidate alone first, it is the finding before anything is run.
    """
    try:
        first = next(search)
        if [key_of(one) for one in first.candidates] != [key_of(candidate)]:
            return first.best  # type: ignore[no-any-return]
        return search.send([outcome]).best  # type: ignore[no-any-return]
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]
    finally:
        search.close()
