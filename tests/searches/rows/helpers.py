"""Small tables, a way to run a search on them without a lab, and what brute force says."""

from __future__ import annotations

from collections.abc import Callable, Collection
from itertools import combinations
from typing import Any

import polars as pl

from rootward.searches.rows.bad_rows import BadRows
from rootward.searches.rows.patch import Patch
from rootward.searches.rows.tables import Tables
from rootward.verdict import FAIL, PASS, Outcome, Verdict

Passes = Callable[[frozenset[int]], bool | Verdict]


class Asked:
    """The answer of a search, and the sets of differences that it asked about, each once."""

    def __init__(self, search: Any, tables: Tables, passes: Passes) -> None:
        """``passes``: whether it passes with the differences of these numbers repaired."""
        self.known: dict[Patch, Verdict] = {}
        self.sets: list[frozenset[int]] = []
        answers: Any = None
        while True:
            try:
                ask = search.send(answers)
            except StopIteration as end:
                self.finding: BadRows = end.value
                return
            answers = []
            for patch in ask.candidates:
                answers.append(Outcome(self._verdict(tables, patch, passes)))
                if answers[-1].verdict is ask.until:
                    break
            answers += [None] * (len(ask.candidates) - len(answers))

    def _verdict(self, tables: Tables, patch: Patch, passes: Passes) -> Verdict:
        if patch not in self.known:
            chosen = frozenset(map(int, tables.difference_numbers(patch)))
            self.sets.append(chosen)
            said = passes(chosen)
            self.known[patch] = said if isinstance(said, Verdict) else PASS if said else FAIL
        return self.known[patch]

    @property
    def repaired(self) -> frozenset[int]:
        return frozenset(map(int, self.finding.tables.difference_numbers(self.finding.patch)))


def differing(n: int, width: int = 1) -> Tables:
    """Tables that differ in every cell, each by another amount, the first the most."""
    good = pl.DataFrame({"id": range(n), **{f"c{i}": [0.0] * n for i in range(width)}})
    bad = pl.DataFrame({"id": range(n), **{f"c{i}": [float(2 * n - r) for r in range(n)] for i in range(width)}})
    return Tables.of(bad, good, "id")


def hits(clauses: Collection[Collection[int]]) -> Passes:
    """It passes if of each clause at least one is repaired."""
    return lambda repaired: all(not repaired.isdisjoint(clause) for clause in clauses)


def minimal(repaired: frozenset[int], passes: Passes) -> bool:
    return passes(repaired) is True and not any(passes(repaired - {one}) is True for one in repaired)


def smallest(n: int, passes: Passes) -> int:
    return next(k for k in range(n + 1) if any(passes(frozenset(some)) for some in combinations(range(n), k)))
