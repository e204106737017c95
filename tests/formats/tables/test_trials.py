"""Trials as tables."""

import csv
import json
import sys
from pathlib import Path

import pytest

from rootward import InputError, MissingExtra
from rootward.formats.tables import trials as table

ROWS = [
    {"run": 1, "candidate": {"speed": -1.5, "gear": "P"}, "verdict": "fail", "signature": 'a,\n"b"', "measures": {}},
    {"run": 1, "candidate": {"speed": 2.0, "gear": 3}, "verdict": "pass", "signature": None, "measures": {"t": 0.1}},
]


def rows():
    return iter(ROWS)


def written(tmp_path: Path, name: str, given=rows) -> Path:
    table.write(given, tmp_path / name)
    return tmp_path / name


def test_csv_has_a_column_for_each_field(tmp_path):
    with open(written(tmp_path, "t.csv"), newline="", encoding="utf-8") as file:
        found = list(csv.DictReader(file))
    assert list(found[0]) == ["run", "candidate.speed", "candidate.gear", "verdict", "signature", "measures.t"]
    assert found[0]["candidate.speed"] == "-1.5"
    assert found[0]["signature"] == 'a,\n"b"'
    assert [row["candidate.gear"] for row in found] == ["P", "3"]
    assert [row["measures.t"] for row in found] == ["", "0.1"]


def test_json_lines_are_the_rows(tmp_path):
    lines = written(tmp_path, "t.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == ROWS


def test_parquet_keeps_types_and_makes_text_of_mixed_columns(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    found = parquet.read_table(written(tmp_path, "t.parquet"))
    assert found.column("candidate.speed").to_pylist() == [-1.5, 2.0]
    assert found.column("candidate.gear").to_pylist() == ["P", "3"]
    assert found.column("measures.t").to_pylist() == [None, 0.1]


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl", "t.parquet"])
def test_odd_values_are_written(tmp_path, name):
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow")
    odd = [{"a": "\udc80\x1b[31m", "b": 2**70, "c": [1, {"x": None}], "d": float("nan"), "e": True}]
    assert written(tmp_path, name, lambda: odd).stat().st_size > 0


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl", "t.parquet"])
def test_no_rows_make_an_empty_table(tmp_path, name):
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow")
    assert written(tmp_path, name, list).exists()


def test_the_ending_says_the_format(tmp_path):
    with pytest.raises(InputError, match=r"must end in \.csv, \.jsonl, \.parquet"):
        table.write(rows, tmp_path / "t.xls")
    assert written(tmp_path, "T.CSV").exists()


def test_without_pyarrow_it_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r'pip install "rootward\[tables\]"'):
        table.write(rows, tmp_path / "t.parquet")
    assert list(tmp_path.iterdir()) == []
