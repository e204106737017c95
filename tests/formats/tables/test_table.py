"""Tables in files: read as text or as values, and written back as they were."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.errors import InputError
from rootward.formats.tables.table import as_frame, digest, read, writer
from tests.properties import examples

CELLS = st.one_of(st.none(), st.text("a,\"\n\r\t ;é'", max_size=5))


@pytest.mark.parametrize(
    "text",
    [
        "id,price,note\n007,1.50,\n8,,\n",
        'id,note\r\n1,"a, b"\r\n2,"say ""x"""\r\n',
        'id,note\n1,""\n2,\n',
        "id,day\n1,2024-01-31\n2,01/02/03\n",
        "id\n",
    ],
)
def test_text_stays_as_it_is(text: str, tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(text.encode())
    assert bytes(writer(path)(read(path, text=True))) == text.encode()


@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=5))
@examples(20)
def test_what_is_written_is_read_again(tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]]) -> None:
    frame = pl.DataFrame(rows, schema={"a": pl.String, "b": pl.String}, orient="row")
    for ending in ("csv", "tsv", "parquet"):
        path = tmp_path_factory.mktemp("tables") / f"table.{ending}"
        path.write_bytes(writer(path)(frame))
        assert read(path, text=True).equals(frame)


def test_values_are_numbers_where_all_are(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("a,b\n1,2.5\n2,x\n")
    assert read(path).dtypes == [pl.Int64, pl.String]


def test_files_that_are_no_tables(tmp_path: Path) -> None:
    (tmp_path / "empty.csv").touch()
    (tmp_path / "odd.parquet").write_text("no")
    for name in ("empty.csv", "odd.parquet", "none.csv"):
        with pytest.raises(InputError, match=f"{name} cannot be read as a table: ."):
            read(tmp_path / name)


def test_a_parquet_file_without_its_pages(tmp_path: Path) -> None:
    """Polars panics, with an error that is no Exception."""
    path = tmp_path / "cut.parquet"
    pl.DataFrame({f"c{j}": [str(i * j) * 3 for i in range(300)] for j in range(20)}).write_parquet(path)
    data = path.read_bytes()
    path.write_bytes(data[:400] + data[-8 - int.from_bytes(data[-8:-4], "little") :])
    with pytest.raises(InputError, match=r"cut\.parquet cannot be read as a table: it is damaged"):
        read(path)


def test_a_digest_tells_tables_apart(tmp_path: Path) -> None:
    one, other = pl.DataFrame({"a": [1, 2, None]}), pl.DataFrame({"a": [1, 2, 3]})
    assert digest(one) == digest(pl.concat([one[:1], one[1:]])) != digest(other)
    path = tmp_path / "t.csv"
    path.write_text("a\n1\n")
    before = digest(path)
    path.write_text("a\n2\n")
    assert digest(path) != before


def test_tables_in_memory() -> None:
    frame = pl.DataFrame({"a": [1, 2]})
    for table in (frame, frame.lazy(), frame.to_arrow()):
        found, back = as_frame(table)
        assert found.equals(frame)
        assert isinstance(back(found), type(table) if not isinstance(table, pl.LazyFrame) else pl.DataFrame)
    with pytest.raises(InputError, match="a table must be"):
        as_frame([1, 2])
