"""The data frame of trials: positions as lists, as texts where there are too many of them."""

from pathlib import Path

import pytest

import rootward as rw
from rootward.report.table import MAX_LISTED, trials_of
from rootward.space.candidate import positions


def has_bug(data: bytes) -> None:
    assert b"bug" not in data


@pytest.mark.parametrize(("size", "listed"), [(200, True), (MAX_LISTED, True), (200_000, False)])
def test_the_bytes_of_a_large_file_are_not_listed(tmp_path: Path, size: int, listed: bool) -> None:
    path = tmp_path / "crash.txt"
    path.write_bytes(b"bug\n" + b"x" * (size - 5) + b"\n")
    found = rw.reduce(path, has_bug)
    rows = trials_of(found)
    assert rows[0]["kept"] == f"0-{size - 1}"
    kept = found.table()["kept"].to_list()
    assert kept == [positions(row["kept"]) if listed else row["kept"] for row in rows]
