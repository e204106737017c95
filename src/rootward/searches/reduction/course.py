"""The course of a reduction: how many elements were left after how many runs, and when that is few enough.

It follows any method from outside, through the best finding that each question carries.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from rootward.candidate import Selection
from rootward.search import Search
from rootward.searches.reduction.reduction import Reduction

E = TypeVar("E")


def followed(search: Search[Selection[E], Reduction[E]], *, stop_at: float = 1.0) -> Search[Selection[E], Reduction[E]]:
    """The same search, whose finding says how it came about; ended as soon as that share of the elements is gone."""
    asked, course = 0, list[tuple[int, int]]()
    answers: Any = None
    while True:
        try:
            ask = search.send(answers)
        except StopIteration as end:
            return _with_course(end.value, course, asked)
        best = _with_course(ask.best, course, asked)
        if best.gone >= stop_at and best.trusted:
            search.close()
            return replace(best, minimal=False)
        answers = yield replace(ask, best=best)
        asked += sum(answer is not None for answer in answers)


def _with_course(best: Reduction[E], course: list[tuple[int, int]], asked: int) -> Reduction[E]:
    """The finding with its course, to which it adds a step if it is smaller than what was known."""
    if not course or len(best.selection) < course[-1][1]:
        course.append((asked, len(best.selection)))
    return replace(best, course=tuple(course))
