"""Tables in Markdown: one row per group of solved problems, one column per property of a group."""

from __future__ import annotations

import math
import statistics
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from peers.contest import Result, Solved

Group = Sequence[Solved]
Column = Callable[[Group], Any]


def say(text: str) -> None:
    """Print paragraphs and lists: each line of ``text`` is wrapped, and one that begins with a dash is a list item."""
    print()
    for line in text.splitlines():
        print(textwrap.fill(line, 120, subsequent_indent="  " if line.startswith("- ") else ""))


def table(first: str, groups: Mapping[Any, Group], columns: Mapping[str, Column]) -> None:
    rows([first, *columns], ([name, *(show(group) for show in columns.values())] for name, group in groups.items()))


def rows(heads: Sequence[str], lines: Iterable[Sequence[Any]]) -> None:
    print(f"\n| {' | '.join(heads)} |\n| --- |{' ---: |' * (len(heads) - 1)}")
    for line in lines:
        print(f"| {' | '.join(map(str, line))} |")


# Columns


def queries(method: str) -> Column:
    return lambda group: spread(result.trials for result in of(group, method))


def checks(method: str = "auto") -> Column:
    return lambda group: spread(result.checks for result in of(group, method))


def exact(method: str) -> Column:
    return lambda group: percent(result.exact for result in of(group, method))


def seconds(method: str) -> Column:
    return lambda group: spread((result.seconds for result in of(group, method)), 2)


def limit(group: Group) -> str:
    return f"{statistics.median(one.information for one in group):.0f}"


def certificate(group: Group) -> str:
    return f"{statistics.median(one.certificate for one in group):.0f}"


def over_limit(method: str = "auto") -> Column:
    return lambda group: spread((one.over_limit(method) for one in group), 2)


def over_certificate(method: str = "auto") -> Column:
    return lambda group: spread((one.over_certificate(method) for one in group), 2)


def instances(method: str) -> Column:
    return lambda group: len(of(group, method)) or "–"


# Cells


def of(group: Group, method: str) -> list[Result]:
    return [one.results[method] for one in group if method in one.results]


def spread(values: Iterable[float], digits: int = 0, worst: Callable[[Iterable[float]], float] = max) -> str:
    """Return the median with the worst in parentheses; NaN is left out."""
    known = [value for value in values if not math.isnan(value)]
    return f"{statistics.median(known):.{digits}f} ({worst(known):.{digits}f})" if known else "–"


def three(values: Iterable[float]) -> str:
    """Return median, 90% quantile and worst."""
    known = [value for value in values if not math.isnan(value)]
    return f"{np.median(known):.2f} / {np.quantile(known, 0.9):.2f} / {max(known):.2f}" if known else "–"


def percent(truths: Iterable[float]) -> str:
    known = list(truths)
    return f"{100 * statistics.mean(known):.4g}%" if known else "–"


def confess(wrong: Sequence[tuple[str, Solved, str]], most: int = 6) -> None:
    """Print the problems that were not solved, by method and with the facts, so that they can be generated again."""
    for method, one, facts in wrong[:most]:
        print(f"\n- Not right ({method}): `{one.recipe}` {facts}".rstrip())
    if len(wrong) > most:
        print(f"\n- ... and {len(wrong) - most} more.")


def inexact(group: Iterable[Solved], *methods: str) -> list[tuple[str, Solved, str]]:
    pairs = [(method, one) for one in group for method in methods if method in one.results]
    wrong = [(method, one, one.results[method]) for method, one in pairs if not one.results[method].exact]
    return [(method, one, result.problem) for method, one, result in wrong]
