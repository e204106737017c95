"""A generator that wants to know something, however that is found out: it can be tested without a lab."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, TypeVar

from rootward.search import Answers, Ask

W = TypeVar("W")
A = TypeVar("A")
R = TypeVar("R")


def answered(
    questions: Generator[W, A, R], answer: Callable[[W], Generator[Ask[Any], Answers, A]]
) -> Generator[Ask[Any], Answers, R]:
    """What the questions lead to, if ``answer`` finds out what each of them wants to know."""
    known: A | None = None
    while True:
        try:
            wanted = questions.send(known)  # type: ignore[arg-type]
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        known = yield from answer(wanted)
