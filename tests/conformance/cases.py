"""On what the laws are tried: every registered search, each on small problems of different character.

A new method needs an entry here: ``test_every_search_has_cases`` says so.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Sequence
from typing import Any

from rootward import searches
from rootward.candidate import Elements
from rootward.finding import Finding
from rootward.search import Search
from rootward.searches import reduction
from rootward.searches.reduction.reduction import Reduction
from rootward.subjects.function import fails_when

from .laws import Case, Fails


def registered() -> set[str]:
    """``family.method`` of every search that the package offers."""
    families = [module.name for module in pkgutil.iter_modules(searches.__path__) if module.ispkg]
    methods = {name: importlib.import_module(f"rootward.searches.{name}").METHODS for name in families}
    return {f"{family}.{method}" for family in families for method in methods[family]}


# Reductions


def all_of(*wanted: Any) -> Callable[[Any], Any]:
    return fails_when(lambda kept: all(item in kept for item in wanted))


def odd_sum_with(wanted: int) -> Callable[[Any], Any]:
    """Not monotone: more elements may stop it from failing."""
    return fails_when(lambda kept: wanted in kept and sum(kept) % 2 == 1)


def crashes_with(culprit: str, other: str) -> Callable[[Any], Any]:
    """Fails by raising; and differently where only the other culprit is there."""

    def subject(kept: list[str]) -> None:
        if culprit in kept:
            raise ValueError(culprit)
        if other in kept and len(kept) % 2:
            raise KeyError(other)

    return subject


def unjudged_without(frame: Sequence[Any], culprit: Any) -> Callable[[Any], Any]:
    """Cannot be judged unless the frame is complete or missing altogether, as a program that does not compile."""
    from rootward.errors import Unresolved

    def subject(kept: list[Any]) -> None:
        there = [item for item in frame if item in kept]
        if there and len(there) < len(frame):
            raise Unresolved("broken frame")
        if there and culprit in kept:
            raise RuntimeError("culprit")

    return subject


PROBLEMS: dict[str, tuple[Sequence[Any], Callable[[Any], Any]]] = {
    "one culprit": (range(16), all_of(5)),
    "two far apart": (range(11), all_of(0, 9)),
    "three of eight": ([1, 2, 3, 4, 5, 6, 7, 8], all_of(1, 7, 8)),
    "every element": (range(5), all_of(*range(5))),
    "not monotone": (range(1, 11), odd_sum_with(4)),
    "nothing at all": (range(4), fails_when(lambda kept: True)),
    "a single element": (["only"], all_of("only")),
    "duplicates": ([1, 2, 2, 1, 3, 3], fails_when(lambda kept: kept.count(2) == 2 and 3 in kept)),
    "crash": ([f"line {i}" for i in range(9)], crashes_with("line 6", "line 2")),
    "frame": ("ab(cd)ef", unjudged_without("()", "d")),
    "unhashable": ([{"x": i, "tags": [i]} for i in range(6)], fails_when(lambda kept: {"x": 3, "tags": [3]} in kept)),
}


def reductions(method: Callable[[Elements[Any]], Search[Any, Any]], *, minimal: bool) -> list[Case]:
    """``minimal``: whether a complete finding is 1-minimal."""
    return [_reduction(name, method, Elements(items), subject, minimal) for name, (items, subject) in PROBLEMS.items()]


def _reduction(
    name: str,
    method: Callable[[Elements[Any]], Search[Any, Any]],
    elements: Elements[Any],
    subject: Callable[[Any], Any],
    minimal: bool,
) -> Case:
    def check(finding: Finding, fails: Fails) -> None:
        assert isinstance(finding, Reduction)
        kept = finding.selection.kept
        assert list(kept) == sorted(set(kept) & set(range(len(elements))))
        assert [elements.items[i] for i in kept] == finding.kept
        assert len(finding.kept) + len(finding.removed) == len(elements)
        assert fails(finding.kept)
        if minimal and finding.complete:
            assert not any(fails(finding.kept[:i] + finding.kept[i + 1 :]) for i in range(len(kept)))

    return Case(name, lambda: method(elements), elements.all, subject, check)


CASES: dict[str, list[Case]] = {
    "reduction.ddmin": reductions(reduction.METHODS["ddmin"], minimal=True),
}
