"""The course of a reduction: how many elements were left after how many runs.

It works with any method, because it reads only the best finding that each question carries. It also ends the search
once enough elements are removed.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import TypeVar

from rootward.search.ask import Answers, Ask, Search
from rootward.search.relay import EarlyResult, relay
from rootward.searches.reduction.reduction import Reduction
from rootward.space.candidate import Selection

E = TypeVar("E")


def track_course(
    search: Search[Selection[E], Reduction[E]], *, stop_at: float = 1.0
) -> Search[Selection[E], Reduction[E]]:
    """Run the search and add its course to the finding.

    The search ends early once the share ``stop_at`` of the elements is removed.
    """
    asked, course = 0, list[tuple[int, int]]()

    def follow(ask: Ask[Selection[E]]) -> Generator[Ask[Selection[E]], Answers, Answers | EarlyResult[Reduction[E]]]:
        nonlocal asked
        best = _with_course(ask.best, course, asked)
        if best.gone >= stop_at and best.is_trusted:
            return EarlyResult(replace(best, minimal=False))
        answers = yield replace(ask, best=best)
        asked += sum(answer is not None for answer in answers)
        return answers

    found = yield from relay(search, follow)
    return _with_course(found, course, asked)


def _with_course(best: Reduction[E], course: list[tuple[int, int]], asked: int) -> Reduction[E]:
    """Return the finding with its course.

    If the finding is smaller than all before it, a step is appended to ``course`` first.
    """
    if not course or len(best.selection) < course[-1][1]:
        course.append((asked, len(best.selection)))
    return replace(best, course=tuple(course))
