"""Tables are held once, differences are numbers, and a patch changes exactly what it names."""

from __future__ import annotations

import datetime
import pickle
import subprocess
import sys
from itertools import pairwise
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.errors import InputError
from rootward.searches.rows.differences import ADDED, MISSING
from rootward.searches.rows.patch import Patch, merge_spans
from rootward.searches.rows.tables import Tables
from rootward.space.candidate import dump, key_of, realise, to_json
from tests.properties import examples

GOOD = pl.DataFrame({"id": [1, 2, 3, 4], "x": [1.0, 2.0, 3.0, 4.0], "name": ["a", "b", "c", "d"]})
BAD = pl.DataFrame({"id": [1, 2, 3, 5], "x": [1.0, 9.0, None, 5.0], "name": ["a", "b", "?", "e"]})


def repaired(tables: Tables, *wanted: tuple[str | int, int]) -> pl.DataFrame:
    """The table with these (column, row) repaired."""
    order = list(tables.order("bits").numbers)
    numbers = [tables.columns.index(column) if isinstance(column, str) else column for column, _ in wanted]
    places = [
        place
        for place, i in enumerate(order)
        if (tables.column[i], tables.row[i]) in zip(numbers, [row for _, row in wanted], strict=True)
    ]
    assert len(places) == len(wanted)
    return tables.apply_patch(tables.patch("bits", [(place, place + 1) for place in places]))


def test_differences_are_cells_and_rows_that_one_table_lacks() -> None:
    tables = Tables.of(BAD, GOOD, "id")
    found = {
        (tables.columns[c] if c >= 0 else c, r)
        for c, r in zip(tables.column.tolist(), tables.row.tolist(), strict=True)
    }
    assert found == {("x", 1), ("x", 2), ("name", 2), (ADDED, 3), (MISSING, 3)}
    assert len(tables) == 5
    assert tables.key_count == 5


def test_a_patch_changes_what_it_names_and_nothing_else() -> None:
    tables = Tables.of(BAD, GOOD, "id")
    assert tables.apply_patch(tables.failing).equals(BAD)
    once = repaired(tables, ("x", 2))
    assert once["x"].to_list() == [1.0, 9.0, 3.0, 5.0]
    assert once["name"].to_list() == BAD["name"].to_list()
    assert repaired(tables, (ADDED, 3))["id"].to_list() == [1, 2, 3]
    assert repaired(tables, (MISSING, 3)).rows()[3] == (4, 4.0, "d")  # in its place
    assert tables.apply_patch(tables.patch("bits", [(0, 5)])).equals(GOOD)
    assert tables.bad.equals(BAD)


def test_untouched_columns_are_shared() -> None:
    tables = Tables.of(BAD, GOOD, "id")
    where = tables.bad["id"].to_numpy(allow_copy=False).ctypes.data
    assert repaired(tables, ("x", 1))["id"].to_numpy(allow_copy=False).ctypes.data == where


VALUES = {
    pl.Int64: st.integers(-5, 5),
    pl.Float64: st.sampled_from([0.0, -1.5, float("nan"), float("inf")]),
    pl.String: st.sampled_from(["", "a", 'b"', "c,d"]),
    pl.Boolean: st.booleans(),
    pl.Date: st.dates(datetime.date(2020, 1, 1), datetime.date(2020, 1, 4)),
    pl.List(pl.Int64): st.lists(st.integers(0, 1), max_size=2),
}


@given(st.sampled_from(list(VALUES)), st.data())
@examples(100)
def test_repairing_everything_gives_the_good_table(kind: pl.DataType, data: st.DataObject) -> None:
    column = st.one_of(st.none(), VALUES[kind])
    frames = []
    for _ in range(2):
        ids = data.draw(st.lists(st.integers(0, 6), unique=True, min_size=1))
        values = data.draw(st.lists(column, min_size=len(ids), max_size=len(ids)))
        frames.append(pl.DataFrame({"id": ids, "v": pl.Series(values, dtype=kind)}))
    bad, good = frames
    if bad.sort("id").equals(good.sort("id")):
        with pytest.raises(InputError, match="nothing to repair"):
            Tables.of(bad, good, "id")
        return
    tables = Tables.of(bad, good, "id")
    for order in ("bits", "row"):
        whole = tables.apply_patch(tables.patch(order, [(0, len(tables))]))
        assert whole.sort("id").equals(good.sort("id"))
        assert sorted(tables.order(order).numbers) == list(range(len(tables)))
    assert tables.bad.equals(bad)


def test_keys_of_several_columns_in_any_order() -> None:
    good = pl.DataFrame({"a": [1, 1, 2], "b": ["x", "y", "x"], "v": [1, 2, 3]})
    bad = good[[2, 0, 1]].with_columns(v=pl.Series([3, 7, 2]))
    tables = Tables.of(bad, good, ["a", "b"])
    assert (tables.columns, tables.row.tolist()) == (("v",), [1])
    assert repaired(tables, ("v", 1))["v"].to_list() == [3, 1, 2]


def test_numbers_in_one_and_text_in_the_other() -> None:
    good = pl.DataFrame({"id": [1, 2], "v": [1.5, 2.5]})
    bad = pl.DataFrame({"id": [1, 2], "v": ["1.5", "n/a"]})
    tables = Tables.of(bad, good, "id")
    assert len(tables) == 1
    assert tables.apply_patch(tables.failing)["v"].dtype == pl.String
    assert repaired(tables, ("v", 1))["v"].to_list() == [1.5, 2.5]


def test_further_rows_find_their_place_also_if_the_key_is_text_with_numbers() -> None:
    good = pl.DataFrame({"id": ["8", "9", "10", "11"], "v": ["a", "b", "c", "d"]})
    tables = Tables.of(good.filter(pl.col("id") != "10"), good, "id")
    assert tables.apply_patch(tables.patch("bits", [(0, 1)])).equals(good)


def test_a_patch_is_a_candidate() -> None:
    tables = Tables.of(BAD, GOOD, "id")
    one, same, other = (tables.patch("bits", spans) for spans in ([(0, 1), (1, 3)], [(0, 3)], [(0, 2)]))
    assert key_of(one) == key_of(same) != key_of(other)
    assert realise(one) is one
    assert len(one) == 3
    assert to_json(one) == '"repaired 0-2 by bits"'
    assert dump(tables.failing) == '"nothing repaired"'
    assert key_of(Tables.of(BAD, GOOD, "id").patch("bits", [(0, 3)])) == key_of(one)
    assert key_of(Tables.of(GOOD, BAD, "id").patch("bits", [(0, 3)])) != key_of(one)
    assert key_of(Tables.of(BAD, GOOD, "id", "x").patch("bits", [(0, 3)])) != key_of(one)
    assert len(pickle.dumps(one)) < 300


def test_the_digest_is_the_same_in_every_process() -> None:
    code = (
        "import polars as pl; from rootward.searches.rows.tables import Tables\n"
        "t = pl.DataFrame({'id': range(5000), 's': [str(i) if i % 3 else None for i in range(5000)]})\n"
        "digest = Tables.of(t.with_columns(s=pl.lit('x')), t, 'id').digest\n"
    )
    here: dict[str, Any] = {}
    exec(code, here)
    there = subprocess.check_output([sys.executable, "-c", f"{code}print(digest)"], text=True)
    assert there.strip() == str(here["digest"])


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)).map(sorted).map(tuple)))
def test_spans_are_written_in_one_way(spans: list[tuple[int, int]]) -> None:
    merged = merge_spans(spans)
    numbers = {i for start, end in spans for i in range(start, end)}
    assert [i for start, end in merged for i in range(start, end)] == sorted(numbers)
    assert all(end < start for (_, end), (start, _) in pairwise(merged))
    assert len(Patch("", "", merged)) == len(numbers)


NULL_KEY = BAD.with_columns(id=pl.Series([1, None, 3, 5]))
TWICE = BAD.with_columns(id=pl.Series([1, 3, 3, 5]))


@pytest.mark.parametrize(
    ("bad", "good", "key", "columns", "message"),
    [
        (BAD, [], "id", None, "there is no good table"),
        (BAD, GOOD, "nr", None, "the bad table has no column nr; it has id, x, name"),
        (BAD, GOOD, [], None, "the key is empty: give the column"),
        (BAD, GOOD, "id", ["y"], "the bad table has no column y"),
        (BAD, GOOD, "id", ["id"], "id is part of the key"),
        (BAD, GOOD.drop("x"), "id", None, "the good table has no column x: all tables must have the same columns"),
        (BAD.drop("x"), [GOOD, GOOD], "id", None, "the bad table has no column x"),
        (NULL_KEY, GOOD, "id", None, "the bad table has no id in row 2"),
        (BAD, [GOOD, TWICE], "id", None, "good table 2 has more than one row with id = 3"),
        (GOOD, GOOD, "id", None, "the bad table and the good table are the same: there is nothing to repair"),
        (BAD, BAD.with_columns(x=0.0), "id", "name", "are the same in name"),
        (BAD, GOOD.with_columns(x=pl.Series([[1]] * 4)), "id", None, r"x is Float64 in .* and List\(Int64\) in"),
        (BAD, BAD.with_columns(x=pl.Series([{1}] * 4, dtype=pl.Object)), "id", None, "x holds Python objects"),
        (BAD, 7, "id", None, "a table must be the path of a CSV or Parquet file"),
        ("nothing.csv", GOOD, "id", None, "nothing.csv cannot be read as a table: No such file"),
        ("table.xlsx", GOOD, "id", None, "table.xlsx must end in .csv, .tsv or .parquet"),
    ],
)
def test_mistakes(bad: object, good: object, key: object, columns: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Tables.of(bad, good, key, columns)  # type: ignore[arg-type]


def test_an_empty_bad_table() -> None:
    tables = Tables.of(GOOD.clear(), GOOD, "id")
    assert len(tables) == 4
    assert tables.apply_patch(tables.patch("bits", [(0, 4)])).equals(GOOD)
    assert len(Tables.of(GOOD, GOOD.clear(), "id")) == 4
