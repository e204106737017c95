"""Cells that deviate like the needed ones are named, too, and harmless differences are not."""

from typing import Any

import numpy as np
import polars as pl
import pytest

import rootward as rw
from rootward.searches.rows.bad_rows import BadRows

SIZE = 400


def good_table() -> pl.DataFrame:
    rng = np.random.default_rng(1)
    values = {name: rng.normal(50, 5, SIZE).round(3) for name in ("price", "weight")}
    return pl.DataFrame({"id": np.arange(SIZE), **values, "unit": np.where(np.arange(SIZE) % 3, "kg", "lb")})


GOOD = good_table()
CORRUPT = [12, 80, 99, 150, 201, 222, 300, 377]
TOLERATED = 3
WAYS: dict[str, tuple[str, Any]] = {
    "missing": ("price", lambda good: None),
    "above": ("price", lambda good: good * 100),
    "below": ("price", lambda good: -good),
    "text": ("unit", lambda good: "???"),
}


def bad_table(column: str, corrupt: Any) -> pl.DataFrame:
    """Some cells are corrupted, and many differ a little."""
    rng = np.random.default_rng(2)
    changed = {name: GOOD[name].to_list() for name in GOOD.columns}
    for row in rng.choice(SIZE, 60, replace=False):
        changed["weight"][row] += 0.02
        changed["price"][row] += 0.02
    for row in CORRUPT:
        changed[column][row] = corrupt(GOOD[column][row])
    return pl.DataFrame(changed, schema=GOOD.schema)


def find(column: str, corrupt: Any) -> BadRows:
    def fails(table: pl.DataFrame) -> bool:
        wrong = [row for row in CORRUPT if table[column][row] != GOOD[column][row]]
        strange = [row for row in wrong if table[column][row] == corrupt(GOOD[column][row])]
        return len(strange) > TOLERATED

    return rw.rows(bad_table(column, corrupt), GOOD, rw.fails_when(fails), key="id")


@pytest.mark.parametrize("way", WAYS)
def test_all_corrupted_cells_are_named(way: str) -> None:
    column, corrupt = WAYS[way]
    found = find(column, corrupt)
    needed, alike = found.cells, found.first_alike(None)
    assert len(needed) == len(CORRUPT) - TOLERATED
    assert {(cell.key, cell.column) for cell in (*needed, *alike)} == {(row, column) for row in CORRUPT}
    assert found.alike_count == TOLERATED
    assert f"{TOLERATED} more differences deviate in the same way; repairing them was not needed: " in str(found)
    assert [cell["key"] for cell in found.to_dict()["alike"]] == [cell.key for cell in alike]


@pytest.mark.parametrize(("tolerated", "said"), [(7, 7), (10, 10), (12, 5)])
def test_up_to_ten_cells_are_all_named(tolerated: int, said: int) -> None:
    corrupt = range(0, 60, 3)
    good = GOOD["price"].to_list()
    bad = GOOD.with_columns(price=pl.Series([1e6 + row if row in corrupt else good[row] for row in range(len(good))]))
    found = rw.rows(bad, GOOD, rw.fails_when(lambda table: (table["price"] >= 1e6).sum() > tolerated), key="id")
    assert found.alike_count == tolerated
    [line] = [line for line in str(found).splitlines() if "in the same way" in line]
    assert line.count("price is") == said
    assert ("and 7 more" in line) == (said < tolerated)


def test_nothing_is_said_if_nothing_is_alike() -> None:
    bad = GOOD.with_columns(price=pl.Series([None, *GOOD["price"].to_list()[1:]]))
    found = rw.rows(bad, GOOD, rw.fails_when(lambda table: table["price"].null_count() > 0), key="id")
    assert found.alike_count == 0
    assert "same way" not in str(found)
