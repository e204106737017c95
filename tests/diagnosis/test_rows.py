"""A diagnosis of tables: the rows and cells that make it fail, from nothing but a study file."""

import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.diagnosis.handover import bundle
from rootward.diagnosis.plan import Plan
from rootward.errors import InputError
from rootward.report.sentences.diagnosis import sentences
from rootward.searches.rows.tables import Tables
from rootward.study import Study
from rootward.study.sections import DataVersions
from rootward.subjects.function import Function
from tests.properties import examples

from .samples import study

ROWS = 30
DATA = '[data]\nbad = "bad.csv"\ngood = ["good.csv", "before.csv"]\nkey = "id"\n'
JOB = """import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
sys.exit(any(float(row["price"]) > 100 or row["unit"] == "" for row in rows))
"""


def table(shift: float = 0.0, **changed: Any) -> str:
    """A table of CSV; ``r3_price=5`` puts 5 into that cell."""
    rows = [{"id": str(i), "price": str(40 + i + shift), "unit": "kg"} for i in range(ROWS)]
    for place, value in changed.items():
        row, _, column = place.removeprefix("r").partition("_")
        rows[int(row)][column] = str(value)
    return "\n".join(["id,price,unit", *(",".join(row.values()) for row in rows)]) + "\n"


@pytest.fixture
def shop(tmp_path: Path) -> Study:
    subject = f'command = ["{sys.executable}", "job.py", "{{file}}"]'
    tables = {"bad__csv": table(0.5, r3_price=400, r7_unit=""), "good__csv": table(), "before__csv": table(-0.5)}
    return study(tmp_path / "s", subject, DATA, job__py=JOB, **tables)


def test_the_rows_and_cells_are_told(shop: Study) -> None:
    found = rw.diagnose(shop)
    assert found.complete
    assert found.certain
    [one] = found.explanations
    assert one.headline() == "It fails because of 2 of 30 rows."
    [rows] = one.details
    assert isinstance(rows, rw.BadRows)
    assert [(cell.key, cell.column) for cell in rows.cells] == [("3", "price"), ("7", "unit")]
    assert sentences(one.seen) == [
        "With these repaired, it passed in 3 of 3 fresh runs.",
        "good.csv with only these taken from bad.csv failed in 3 of 3 fresh runs.",
        "Each of them alone is enough to make it fail.",
    ]
    assert [step.name for step in found.steps] == ["reproduce", "rows", "verify"]
    assert sum(step.trials for step in found.steps) == found.trials - 1, "the lab saw the failure first"
    for said in ("id=3: price is 400", "id=7: unit is missing", "with any one of them left unrepaired, it does not"):
        assert said in str(found)


@pytest.mark.rest
def test_it_is_handed_over_with_a_file_that_fails_and_a_test(shop: Study) -> None:
    found = rw.diagnose(shop)
    folder = shop.path.parent / "out"
    bundle.write(found, shop, folder)
    repaired = (folder / "reproducer.csv").read_text()
    good, broken = table().splitlines(), repaired.splitlines()
    assert [new for new, old in zip(broken, good, strict=True) if new != old] == ["3,400,kg", "7,47.0,"]
    said = (folder / "issue.md").read_text()
    assert "fails, exit code 1" in said
    assert "fails now with 1 of 1 input; 1 of 1 neighbouring inputs pass" in said
    assert "id=3: price is 400" in said


def job(frame: pl.DataFrame) -> rw.Verdict:
    return verdict((frame["price"] > 100).any() or (frame["unit"] == "lb").any())


def test_a_budget_ends_it_with_what_is_known(tmp_path: Path) -> None:
    shop = made(job, table(0.5, r3_price=400, r7_unit="lb"), table(), tmp_path)
    for budget in range(1, 16):
        found = rw.diagnose(shop, budget=budget)
        assert not (found.complete and all(step.complete for step in found.steps))
        assert not found.certain
        assert found.explanations[0].unknown or not found.complete


def test_steps_can_be_left_out(tmp_path: Path) -> None:
    shop = made(job, table(0.5, r3_price=400), table(), tmp_path)
    found = rw.diagnose(shop, skip=["verify"])
    assert [step.name for step in found.steps] == ["reproduce", "rows"]
    assert found.explanations[0].seen == ()
    bare = rw.diagnose(shop, skip=["rows"])
    assert not bare.certain
    assert "The rows that make it fail were not searched for." in str(bare)


def verdict(fails: Any) -> rw.Verdict:
    return rw.Verdict.FAIL if fails else rw.Verdict.PASS


def made(function: Any, bad: str, good: str, folder: Path) -> Study:
    (folder / "bad.csv").write_text(bad)
    (folder / "good.csv").write_text(good)
    return Study(
        "made", folder / "none.toml", Function(function), data=DataVersions(folder, "bad.csv", ("good.csv",), ("id",))
    )


def test_cells_that_fail_only_together_are_not_all_that_is_known(tmp_path: Path) -> None:
    def both(frame: pl.DataFrame) -> rw.Verdict:
        return verdict(frame["price"][3] > 100 and frame["price"][5] > 100)

    found = rw.diagnose(made(both, table(r3_price=400, r5_price=500), table(), tmp_path))
    [one] = found.explanations
    assert one.headline() == "It fails because of 1 of 30 rows.", "repairing one of the two is enough"
    assert sentences(one.unknown) == [
        "good.csv with only this taken from bad.csv does not fail: another difference takes part.",
    ]
    assert not found.certain


def test_what_differs_may_not_be_the_cause(tmp_path: Path) -> None:
    def never(frame: pl.DataFrame) -> rw.Verdict:
        return rw.Verdict.FAIL

    found = rw.diagnose(made(never, table(r3_price=400), table(), tmp_path))
    assert "it does not pass: these tables do not explain it" in str(found)
    assert not found.certain


def test_a_failure_that_does_not_show_every_time(tmp_path: Path) -> None:
    def flaky(frame: pl.DataFrame, seed: int) -> rw.Verdict:
        return verdict(frame["price"][3] > 100 and seed % 10 < 7)

    found = rw.diagnose(made(flaky, table(0.5, r3_price=400), table(), tmp_path))
    [one] = found.explanations
    [rows] = one.details
    assert isinstance(rows, rw.BadRows)
    assert rows.rows == [3]
    assert 0 < one.rate.value < 1


@examples(15)
@given(cells=st.sets(st.tuples(st.integers(0, ROWS - 1), st.sampled_from(["price", "unit"])), min_size=1, max_size=5))
def test_any_broken_cells_are_found(tmp_path_factory: pytest.TempPathFactory, cells: set[tuple[int, str]]) -> None:
    broken = {f"r{row}_{column}": 400 if column == "price" else "lb" for row, column in cells}
    found = rw.diagnose(made(job, table(0.5, **broken), table(), tmp_path_factory.mktemp("t")))
    [one] = found.explanations
    [rows] = one.details
    assert isinstance(rows, rw.BadRows)
    assert {(cell.key, cell.column) for cell in rows.cells} == cells
    assert found.certain


def test_the_plan_of_a_table_alone(shop: Study) -> None:
    assert [step.name for step in Plan.of(shop).steps if step.taken] == ["reproduce", "rows", "verify"]


def test_a_patch_is_one_of_its_tables(tmp_path: Path) -> None:
    some = [Tables.of(pl.DataFrame({"id": [1], "x": [2]}), pl.DataFrame({"id": [1], "x": [y]}), "id") for y in (3, 4)]
    with pytest.raises(InputError, match="the patch was made for other tables: the bad table or the good table"):
        some[0].apply_patch(some[1].failing)
