"""A search, driven by hand: what it asks, in order, and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rootward.searches.exploration.exploration import explore
from rootward.searches.exploration.failures import Failures
from rootward.space.space import Space
from rootward.verdict import PASS, Outcome

Answer = Callable[[Mapping[str, Any]], Outcome]


def passes(_: Mapping[str, Any]) -> Outcome:
    return Outcome(PASS)


def drive(space: Space, answer: Answer = passes, **options: Any) -> tuple[list[dict[str, Any]], Failures]:
    """Answer every question; a question ends at the first such answer as it wants to."""
    search, asked = explore(space, **options), list[dict[str, Any]]()
    candidate: Any
    answers: list[Outcome | None] | None = None
    while True:
        try:
            ask = search.send(answers)  # type: ignore[arg-type]
        except StopIteration as end:
            return asked, end.value
        answers = []
        for candidate in ask.candidates:
            if answers and answers[-1] is not None and answers[-1].verdict is ask.until:
                break
            asked.append(dict(candidate))
            answers.append(answer(asked[-1]))
        answers += [None] * (len(ask.candidates) - len(answers))
