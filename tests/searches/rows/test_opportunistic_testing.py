"""The protocol of section 5, step by step."""

from __future__ import annotations

import polars as pl
import pytest

from rootward.searches.rows.opportunistic_testing import opportunistic
from rootward.searches.rows.tables import Tables

from .helpers import Asked, differing


def test_all_then_a_half_then_a_quarter_until_it_fails_again() -> None:
    tables = differing(100)
    asked = Asked(opportunistic(tables), tables, lambda repaired: repaired >= {0, 9})
    assert list(map(len, asked.sets)) == [100, 50, 25, 12, 6]
    assert asked.repaired == set(range(12))  # 10 would be enough: the protocol does not go back
    assert asked.finding.rows == list(range(12))
    assert (asked.finding.passes, asked.finding.minimal) == (True, False)


def test_the_list_holds_all_keys_also_those_that_do_not_differ() -> None:
    n = 64
    good = pl.DataFrame({"id": range(n), "x": [50.0] * n})
    bad = pl.DataFrame({"id": range(n), "x": [50.0] * 60 + [80.0, 75.0, 23.0, 90.0]})
    tables = Tables.of(bad, good, "id")
    asked = Asked(opportunistic(tables), tables, lambda repaired: repaired >= {3})
    # 64, 32, ..., 4 keys hold the same four differences, which need to be run only once
    assert list(map(len, asked.sets)) == [4, 2, 1]
    assert asked.finding.rows == [63]


def test_a_key_within_the_range_stands_among_those_that_do_not_differ() -> None:
    first = pl.DataFrame({"id": range(8), "x": [40.0] * 8})
    second = pl.DataFrame({"id": range(8), "x": [60.0] * 8})
    bad = pl.DataFrame({"id": range(8), "x": [40, 40, 40, 50, 40, 50, 75, 23]}).with_columns(pl.col("x").cast(float))
    tables = Tables.of(bad, [first, second], "id")
    # S is 7 (17), 6 (15), then 0, 1, 2, 3, 4, 5 with nothing; only 3, 5, 6 and 7 differ
    asked = Asked(opportunistic(tables), tables, lambda repaired: True)
    rows = [{int(tables.row[i]) for i in some} for some in asked.sets]
    assert rows == [{3, 5, 6, 7}, {6, 7}, {7}]


def test_a_missing_value_comes_first() -> None:
    good = pl.DataFrame({"id": [1, 2, 3, 4], "x": [1.0, 1.0, 1.0, 1.0], "c": ["a", "a", "b", "b"]})
    bad = pl.DataFrame({"id": [1, 2, 3, 4], "x": [9.0, 1.0, 1.0, None], "c": ["a", "b", "b", "b"]})
    tables = Tables.of(bad, good, "id", "x")
    asked = Asked(opportunistic(tables), tables, lambda repaired: True)
    assert asked.finding.rows == [4]


@pytest.mark.parametrize("column", ["c0", "c1", "c2"])
def test_columns_are_tried_one_by_one(column: str) -> None:
    tables = differing(16, 3)
    number = tables.columns.index(column)
    asked = Asked(opportunistic(tables), tables, lambda repaired: 16 * number in repaired)
    assert asked.finding.columns == [column]
    assert asked.finding.rows == [0]
    assert len(asked.sets) == number + 5


def test_if_no_column_is_enough_rows_are_replaced_as_a_whole() -> None:
    tables = differing(16, 2)
    asked = Asked(opportunistic(tables), tables, lambda repaired: repaired >= {0, 17})
    assert asked.finding.rows == [0, 1]
    assert asked.finding.columns == ["c0", "c1"]


def test_rows_of_one_table_only_are_extreme() -> None:
    good = pl.DataFrame({"id": [1, 2, 3, 4], "x": [1.0, 1.0, 1.0, 1.0]})
    bad = pl.DataFrame({"id": [1, 2, 4, 5], "x": [9.0, 7.0, 1.0, 1.0]})
    tables = Tables.of(bad, good, "id")
    added, missing = 2, 3
    asked = Asked(opportunistic(tables), tables, lambda repaired: repaired >= {added, missing})
    assert asked.finding.rows == [5, 3]


def test_tables_that_do_not_explain_it() -> None:
    tables = differing(8, 2)
    asked = Asked(opportunistic(tables), tables, lambda repaired: False)
    assert (asked.finding.passes, asked.finding.rows, len(asked.sets)) == (False, [], 3)
