"""The tables of benchmarks/rows.py are what they are said to be."""

from __future__ import annotations

import polars as pl
import pytest
from peers.row_errors import MODELS, Job, breaks, made, solve


def repaired(bad: pl.DataFrame, good: pl.DataFrame, rows: set[int]) -> pl.DataFrame:
    return pl.concat([bad.filter(~pl.col("id").is_in(list(rows))), good.filter(pl.col("id").is_in(list(rows)))])


@pytest.mark.parametrize("model", MODELS)
def test_each_bad_row_is_enough_to_fail(model: str) -> None:
    bad, good, rows = made(Job(model, 300, 6, 0, ()))
    assert len(rows) == 6
    assert not any(breaks.predicate(table) for table in good)
    assert not breaks.predicate(repaired(bad, good[0], rows))
    assert all(breaks.predicate(repaired(bad, good[0], rows - {row})) for row in rows)
    assert made(Job(model, 300, 6, 0, ()))[0].equals(bad)


@pytest.mark.parametrize("model", MODELS)
def test_ours_names_exactly_the_bad_rows(model: str) -> None:
    solved = solve(Job(model, 300, 5, 1, ("adaptive", "opportunistic")))
    ours, papers = solved.results["adaptive"], solved.results["opportunistic"]
    assert (ours.precision, ours.recall, papers.recall) == (1, 1, 1)
    assert papers.precision < 1
    assert ours.trials < solved.limit
