"""Definition 9, and how surprising everything else is."""

from __future__ import annotations

import datetime
import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.searches.rows import deviation as measure
from rootward.searches.rows.deviation import Spread, deviation
from rootward.searches.rows.tables import Tables

NAN = math.nan


def of(bad: float, *good: float) -> float:
    return float(deviation(np.array([bad]), [np.array([value]) for value in good])[0])


@pytest.mark.parametrize(("bad", "score"), [(75, 15), (50, 0), (23, 17)])
def test_the_papers_example(bad: float, score: float) -> None:
    assert of(bad, 40, 60) == score
    assert of(bad, 60, 45, 40) == score


def test_missing_values_are_extreme_unless_the_good_tables_miss_them_too() -> None:
    assert of(NAN, 40, 60) > 1e299
    assert of(NAN, NAN, 60) == of(NAN, NAN) == 0
    assert of(7, NAN, NAN) > 1e299
    assert of(75, NAN, 60) == 15
    assert of(23, NAN, 60) == 0  # a missing value is the smallest of all


def test_a_good_table_without_the_row_says_nothing() -> None:
    assert of(75, -math.inf, 60) == 15
    assert of(23, 40, -math.inf) == 17


@given(st.integers(-9, 9), st.lists(st.integers(-9, 9), min_size=1, max_size=4))
def test_it_is_the_distance_from_the_range(bad: int, good: list[int]) -> None:
    assert of(bad, *good) == max(0, bad - max(good), min(good) - bad)


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1, 2], "number"),
        ([1.5, None], "number"),
        (["1", "2.5", None], "number"),
        (["2024-01-31", "2023-12-01"], "date text"),
        (["2024-01-31", "soon"], "text"),
        (["a", "b"], "text"),
        ([True, False], "text"),
        ([datetime.date(2024, 1, 1)], "date"),
        ([[1], [2]], "other"),
        ([None, None], "other"),
    ],
)
def test_what_a_column_holds(values: list[object], kind: str) -> None:
    assert measure.kind(pl.Series(values)) == kind


def suspected(bad: pl.DataFrame, *good: pl.DataFrame) -> list[tuple[int, str]]:
    """Row and column of each difference, the most suspected first."""
    tables = Tables.of(bad, list(good), "id")
    order = tables.order("bits").numbers
    return [(int(tables.row[i]), tables.columns[tables.column[i]]) for i in order]


def drifting(n: int = 200, seed: int = 0) -> list[pl.DataFrame]:
    """Three tables in which every number drifts a little; and x and y go together."""
    rng = np.random.default_rng(seed)
    base = rng.normal(50, 10, n)
    return [
        pl.DataFrame(
            {
                "id": np.arange(n),
                "x": base + rng.normal(0, 1, n),
                "y": base + rng.normal(0, 1, n),
                "sort": ["red" if i % 2 else "blue" for i in range(n)],
                "code": [f"AB-{i:04}" for i in range(n)],
                "day": [datetime.date(2024, 1, 1) + datetime.timedelta(days=i % 28) for i in range(n)],
            }
        )
        for _ in range(3)
    ]


def changed(frame: pl.DataFrame, column: str, row: int, value: object) -> pl.DataFrame:
    values = frame[column].to_list()
    values[row] = value
    return frame.with_columns(pl.Series(column, values, dtype=frame[column].dtype))


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("x", 400.0),
        ("x", -90.0),
        ("x", None),
        ("x", NAN),
        ("sort", "crimson"),
        ("sort", None),
        ("code", "AB_17"),
        ("code", "???"),
        ("day", datetime.date(1970, 1, 1)),
        ("day", None),
    ],
)
def test_what_stands_out_is_suspected_first(column: str, value: object) -> None:
    bad, *good = drifting()
    assert suspected(changed(bad, column, 17, value), *good)[0] == (17, column)


def test_two_numbers_that_are_too_far_apart_though_each_is_where_it_was() -> None:
    n = 300
    rng = np.random.default_rng(5)
    base = [rng.uniform(0, 100, n) for _ in range(4)]  # all of it moves from table to table, but x and y together
    tables = [pl.DataFrame({"id": np.arange(n), "x": b, "y": b + rng.normal(0, 0.1, n)}) for b in base]
    for table, value in zip(tables[1:], (50.0, 20.0, 80.0), strict=True):  # in row 17, 20 and 80 are nothing new
        table[17, "x"] = table[17, "y"] = value
    bad = tables[0]
    bad[17, "x"], bad[17, "y"] = 20.0, 80.0
    assert set(suspected(bad, *tables[1:])[:2]) == {(17, "x"), (17, "y")}


def test_two_dates_that_are_too_far_apart() -> None:
    days = [datetime.date(2024, 1, 1) + datetime.timedelta(days=i) for i in range(100)]
    weeks = [day + datetime.timedelta(days=7) for day in days]
    good = [pl.DataFrame({"id": range(90), "sent": days[n : n + 90], "paid": weeks[n : n + 90]}) for n in (0, 3, 6)]
    bad = good.pop(1)
    good[0][40, "sent"], good[0][40, "paid"] = days[0], weeks[0]
    good[1][40, "sent"], good[1][40, "paid"] = days[90], weeks[90]
    bad[40, "sent"], bad[40, "paid"] = days[20], weeks[80]
    assert {row for row, _ in suspected(bad, *good)[:2]} == {40}


def test_a_value_that_a_good_table_has_there_is_not_suspected() -> None:
    bad, *good = drifting()
    good[0] = changed(good[0], "sort", 3, "green")
    bad = changed(changed(bad, "sort", 3, "red"), "sort", 4, "violet")
    tables = Tables.of(bad, good, "id", ["sort"])
    order = tables.order("bits")
    assert list(tables.row[order.numbers]) == [4, 3]
    assert order.scores[1] == 0


def test_text_among_numbers_in_a_file() -> None:
    good = pl.DataFrame({"id": range(50), "price": [f"{i}.50" for i in range(50)]})
    bad = changed(changed(good, "price", 3, "3.75"), "price", 9, "n/a")
    assert suspected(bad, good) == [(9, "price"), (3, "price")]


def test_a_spread_of_nothing_or_of_one_value() -> None:
    assert Spread(np.array([])).unit == 1
    assert Spread(np.array([5.0, NAN])).unit > 0
    assert Spread(np.array([0.0, 0.0])).unit == 1
