"""``rw.rows`` as a user meets it: tables in, an explanation out."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

import rootward as rw
from rootward.verdict import FAIL, PASS

GOOD = [
    pl.DataFrame({"id": range(1000), "price": [float(low + i % 3) for i in range(1000)], "sort": ["a", "b"] * 500})
    for low in (40, 50)
]


def bad_table(**cells: dict[int, object]) -> pl.DataFrame:
    columns = {name: GOOD[0][name].to_list() for name in GOOD[0].columns}
    for name, changes in cells.items():
        for row, value in changes.items():
            columns[name][row] = value
    return pl.DataFrame(columns)


BAD = bad_table(price={17: 353.0, 99: 45.0, 500: 47.5}, sort={3: "a", 44: None})


@rw.fails_when
def overflows(table: pl.DataFrame) -> bool:
    highest: Any = table["price"].max()
    return highest > 100 or table["sort"].null_count() > 0


def test_the_rows_and_what_is_odd_about_them() -> None:
    finding = rw.rows(BAD, GOOD, overflows, key="id")
    assert (finding.rows, finding.columns) == ([17, 44], ["price", "sort"])
    assert str(finding) == (
        "It fails because of 2 of 1,000 rows.\n"
        "  id=17: price is 353 (42 to 52 in the good tables)\n"
        "  id=44: sort is missing (a in the good tables)\n"
        "With these repaired as in good table 1, it passes; with any one of them left unrepaired, it does not."
    )
    assert finding.complete
    assert finding.minimal
    assert finding.trials <= 9
    assert finding.limit == pytest.approx(np.log2(5 * 4 / 2))
    assert overflows(finding.repaired()) is PASS
    assert [(cell.key, cell.column, cell.bad, cell.good) for cell in finding.cells] == [
        (17, "price", 353.0, 42.0),
        (44, "sort", None, "a"),
    ]


def test_the_papers_method() -> None:
    finding = rw.rows(BAD, GOOD, rw.fails_when(lambda t: t["price"].max() > 100), key="id", method="opportunistic")
    assert finding.rows == [17]
    assert "it was not tested whether all of that is needed" in str(finding)


def test_two_numbers_too_far_apart() -> None:
    rng = np.random.default_rng(0)
    base = rng.uniform(0, 9, (3, 100))
    tables = [pl.DataFrame({"id": range(100), "start": one, "end": one + 1}) for one in base]
    for table, start in zip(tables, (1.0, 8.0, 2.0), strict=True):
        table[7, "start"], table[7, "end"] = start, start + 1
    bad = tables.pop()
    bad[7, "end"] = 8.5
    finding = rw.rows(bad, tables, rw.fails_when(lambda t: bool((t["end"] - t["start"]).max() > 5)), key="id")
    assert (finding.rows, len(finding.cells)) == ([7], 1)
    assert "end is 8.5 (2 to 9 in the good tables), but end - start is 6.5 (1 in the good tables)" in str(finding)


def test_rows_that_one_table_lacks() -> None:
    bad = bad_table().filter(pl.col("id") != 5).vstack(pl.DataFrame({"id": [7000], "price": [1.0], "sort": ["a"]}))
    finding = rw.rows(bad, GOOD, rw.fails_when(lambda t: t["id"].max() > 999 or 5 not in t["id"]), key="id")
    assert finding.rows == [7000, 5]
    assert finding.columns == []
    assert "id=7000: the row is not in good table 1" in str(finding)
    assert "id=5: the row is missing; good table 1 has it" in str(finding)
    assert str(finding).startswith("It fails because of 2 of 1,001 rows.")


def test_tables_that_do_not_explain_it() -> None:
    finding = rw.rows(BAD, GOOD, rw.fails_when(lambda t: True), key="id")
    assert finding.complete
    assert (finding.passes, finding.rows, finding.columns, finding.cells) == (False, [], [], [])
    assert str(finding).startswith(
        "Even with every difference repaired (5 differences), it does not pass: these tables do not explain it."
    )
    only = rw.rows(BAD, GOOD, overflows, key="id", columns="price")
    assert only.passes is False


def test_a_table_that_does_not_fail() -> None:
    with pytest.raises(rw.NotReproduced, match="did not fail"):
        rw.rows(BAD, GOOD, rw.fails_when(lambda t: False), key="id")


def test_a_budget_gives_what_is_known() -> None:
    for budget in range(9):
        finding = rw.rows(BAD, GOOD, overflows, key="id", flaky=False, budget=budget)
        assert finding.complete or finding.stopped == "budget"
        assert str(finding)
        assert budget > 1 or finding.passes is None
        assert budget < 2 or overflows(finding.repaired()) is PASS
    finding = rw.rows(BAD, GOOD, overflows, key="id", flaky=False, budget=2)
    assert "perhaps not all of them are bad" in str(finding)


def test_many_cells_are_elided() -> None:
    bad = GOOD[0].with_columns(price=pl.lit(500.0))
    finding = rw.rows(bad, GOOD, rw.fails_when(lambda t: t["price"].sum() > 400_000), key="id", budget=20)
    assert "more" in str(finding)
    assert len(str(finding).splitlines()) <= 14


def test_as_data_and_as_a_page(tmp_path: Path) -> None:
    finding = rw.rows(BAD, GOOD, overflows, key="id")
    data = json.loads(json.dumps(finding.to_dict(), allow_nan=False))
    assert data["finding"] == "bad_rows"
    assert (data["rows"], data["columns"], data["of"], data["differences"]) == ([17, 44], ["price", "sort"], 1000, 5)
    assert data["cells"][0] == {
        "row": "id=17",
        "column": "price",
        "text": "price is 353 (42 to 52 in the good tables)",
        "key": 17,
        "bad": 353.0,
        "good": 42.0,
    }
    page = finding.report(tmp_path / "page.html").read_text()
    assert "price is 353 (42 to 52 in the good tables)" in page
    assert "To be repaired: 2 of 5 differences (in price, sort)" in page


def test_a_function_gets_the_form_that_was_given() -> None:
    seen: list[type] = []

    def subject(table: pa.Table) -> None:
        seen.append(type(table))
        assert max(table["price"].to_pylist()) < 100

    finding = rw.rows(BAD.to_arrow(), [table.to_arrow() for table in GOOD], subject, key="id")
    assert finding.rows == [17]
    assert set(seen) == {pa.Table}
    assert isinstance(finding.repaired(), pa.Table)


def test_a_function_may_change_its_table() -> None:
    @rw.fails_when
    def careless(table: pl.DataFrame) -> bool:
        failed = overflows(table) is FAIL
        table[17, "price"] = table[99, "price"] = 1e9
        table.drop_in_place("sort")
        return failed

    bad = BAD.clone()
    assert rw.rows(bad, GOOD, careless, key="id").rows == [17, 44]
    assert bad.equals(BAD)


def test_pandas_frames() -> None:
    pytest.importorskip("pandas")
    finding = rw.rows(BAD.to_pandas(), GOOD[0].to_pandas(), rw.fails_when(lambda t: bool(t.price.max() > 99)), key="id")
    assert finding.rows == [17]


def test_worker_processes_and_a_store(tmp_path: Path) -> None:
    options: dict[str, Any] = {"key": "id", "store": tmp_path / "trials.db"}
    first = rw.rows(BAD, GOOD, overflows, jobs=2, **options)
    again = rw.rows(BAD, GOOD, overflows, **options)
    assert first == again
    assert again.trials == first.trials  # remembered


def test_files(tmp_path: Path) -> None:
    for ending in ("csv", "tsv", "parquet"):
        paths = [tmp_path / f"{i}.{ending}" for i in range(3)]
        for path, table in zip(paths, [BAD, *GOOD], strict=True):
            if ending == "parquet":
                table.write_parquet(path)
            else:
                table.write_csv(path, separator="," if ending == "csv" else "\t")
        assert rw.rows(paths[0], paths[1:], overflows, key="id").rows == [17, 44]
        assert rw.rows(str(paths[0]), str(paths[1]), overflows, key="id").rows == [17, 44]


def test_a_command_gets_a_csv_file_for_a_csv_file_and_for_frames(tmp_path: Path) -> None:
    bad, good = tmp_path / "bad.csv", tmp_path / "good.csv"
    BAD.write_csv(bad)
    GOOD[0].write_csv(good)
    program = 'BEGIN { FS = "," } NR > 1 && $2 > 100 { fails = 1 } END { exit fails }'
    command = rw.Command(["awk", program, "{file}"])
    assert [str(key) for key in rw.rows(bad, good, command, key="id").rows] == ["17"]
    assert rw.rows(BAD, GOOD, command, key="id").rows == [17]


@pytest.mark.rest
def test_a_command_gets_a_parquet_file_for_a_parquet_file(tmp_path: Path) -> None:
    script = tmp_path / "run.py"
    script.write_text(
        "import sys, pyarrow.parquet\n"
        "sys.exit(max(pyarrow.parquet.read_table(sys.argv[1])['price'].to_pylist()) > 100)\n"
    )
    command = rw.Command([sys.executable, str(script), "{file}"])
    bad, good = tmp_path / "bad.parquet", tmp_path / "good.parquet"
    BAD.write_parquet(bad)
    GOOD[0].write_parquet(good)
    assert [str(key) for key in rw.rows(bad, good, command, key="id").rows] == ["17"]


def test_an_unknown_method() -> None:
    with pytest.raises(rw.InputError, match="unknown method 'magic'; expected one of auto, adaptive, opportunistic"):
        rw.rows(BAD, GOOD, overflows, key="id", method="magic")
    with pytest.raises(rw.InputError, match="a subject must be a function of a table, or a command"):
        rw.rows(BAD, GOOD, 7, key="id")  # type: ignore[arg-type]
