"""A diagnosis of settings that name a table: for which of them it fails, and because of which rows."""

import csv
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.diagnosis.handover import bundle
from rootward.diagnosis.handover.handover import Handover
from rootward.diagnosis.handover.reproducer import Reproducer
from rootward.diagnosis.plan import Plan
from rootward.diagnosis.state import subject_of
from rootward.explanation.diagnosis import Diagnosis, Explanation
from rootward.report.sentences.diagnosis import step_result
from rootward.searches.rows.patch import PatchedSettings
from rootward.space.space import Choice, Int, Space
from rootward.study import Study
from rootward.study.sections import DataVersions
from rootward.subjects.function import Function, as_subject, fails_when
from tests.properties import examples

from .samples import study
from .test_rows import table

FIELDS = """[fields]
export = { type = "choice", values = ["good.csv", "bad.csv"] }
mode = { type = "choice", values = ["strict", "lax"] }
[data]
bad = "bad.csv"
good = "good.csv"
key = "id"
"""
JOB = """import csv
from pathlib import Path


def job(one):
    with open(Path(__file__).parent / one["export"]) as file:
        rows = list(csv.DictReader(file))
    if one["mode"] == "strict" and any(float(row["price"]) > 100 for row in rows):
        raise ValueError("too dear")
"""
MAIN = """import json, sys, job
try:
    job.job(json.load(open(sys.argv[1])))
except ValueError as error:
    sys.exit(str(error))
"""
BROKEN = {"bad__csv": table(0.5, r3_price=400), "good__csv": table()}
STRICT = {"export": "bad.csv", "mode": "strict", "retries": 1}


def made(folder: Path, bad: str, job: Any, **parts: Any) -> Study:
    """A study of a function of settings, with tables in the folder."""
    (folder / "bad.csv").write_text(bad)
    (folder / "good.csv").write_text(table())
    space = Space({"export": Choice(["good.csv", "bad.csv"]), "mode": Choice(["strict", "lax"]), "retries": Int(0, 99)})
    data = DataVersions(folder, "bad.csv", ("good.csv",), ("id",), text=True)
    subject = Function(fails_when(lambda one: job(one, rows_of(folder / one["export"]))))
    return Study("made", folder / "none.toml", subject, space, **{"failing": STRICT, "data": data, **parts})


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def strict(one: dict[str, Any], rows: list[dict[str, str]]) -> bool:
    return one["mode"] == "strict" and any(float(row["price"]) > 100 or row["unit"] == "lb" for row in rows)


def explained(found: Diagnosis) -> Explanation:
    [one] = found.explanations
    return one


def cells(found: Diagnosis) -> set[tuple[str, str | None]]:
    [rows] = explained(found).details
    assert isinstance(rows, rw.BadRows)
    return {(cell.key, cell.column) for cell in rows.cells}


def test_the_settings_and_the_rows_are_told(tmp_path: Path) -> None:
    found = rw.diagnose(made(tmp_path, table(0.5, r3_price=400, r7_unit="lb"), strict))
    one = explained(found)
    assert found.certain
    assert str(one.rule) == "export = bad.csv and mode = strict"
    assert cells(found) == {("3", "price"), ("7", "unit")}
    assert [step.name for step in found.steps][-4:] == ["verify", "reproduce", "rows", "verify"]
    assert sum(step.trials for step in found.steps) == found.trials - 1, "the lab saw the failure first"
    assert one.to_dict()["failing"] == STRICT | {"retries": 0}, "the simplest value of a field that does not matter"
    assert isinstance(one.failing, PatchedSettings)
    assert one.failing.told["(settings)"] == "export = bad.csv, mode = strict, retries = 0"
    said = str(found).splitlines()
    assert said[0] == "It fails when export = bad.csv and mode = strict."
    assert said[2] == "With export = bad.csv and mode = strict, it fails because of 2 of 30 rows."
    assert "good.csv with only these taken from bad.csv failed in 3 of 3 fresh runs." in said


@examples(10)
@given(broken=st.sets(st.tuples(st.integers(0, 29), st.sampled_from(["price", "unit"])), min_size=1, max_size=4))
def test_any_broken_cells_are_found(tmp_path_factory: pytest.TempPathFactory, broken: set[tuple[int, str]]) -> None:
    values = {f"r{row}_{column}": 400 if column == "price" else "lb" for row, column in broken}
    found = rw.diagnose(made(tmp_path_factory.mktemp("t"), table(0.5, **values), strict), skip=["others"])
    assert cells(found) == {(str(row), column) for row, column in broken}
    assert found.certain


def test_earlier_runs_and_the_store_know_the_same_settings(tmp_path: Path) -> None:
    """What is run for the settings alone is run as ever: rows cost nothing but their own trials."""
    shop, store = made(tmp_path, table(0.5, r3_price=400), strict), tmp_path / "store.db"
    before = rw.diagnose(shop, skip=["rows"], store=store)
    after = rw.diagnose(shop, store=store)
    assert explained(before).details == ()
    own = [step for step in after.steps if step.name == "rows"]
    behind = after.steps[after.steps.index(own[0]) - 1 :]
    assert after.trials == sum(step.trials for step in behind), "the copy of the table, the rows and their check"


def test_steps_can_be_left_out(tmp_path: Path) -> None:
    shop = made(tmp_path, table(0.5, r3_price=400), strict)
    bare = rw.diagnose(shop, skip=["rows"])
    assert bare.certain
    assert explained(bare).headline() == "It fails when export = bad.csv and mode = strict."
    unchecked = rw.diagnose(shop, skip=["verify"])
    assert [step.name for step in unchecked.steps][-1] == "rows"
    assert explained(unchecked).seen == ()
    ruleless = rw.diagnose(shop, skip=["rule"])
    assert explained(ruleless).headline().endswith("retries = 1, it fails because of 1 of 30 rows.")
    assert "It is not known whether the same rows matter with other settings." in str(ruleless)
    assert not ruleless.certain


def test_tables_that_do_not_explain_it_take_nothing_from_what_is_known(tmp_path: Path) -> None:
    shop = made(tmp_path, table(0.5), lambda one, rows: one["mode"] == "strict")
    found = rw.diagnose(shop)
    assert found.certain
    assert explained(found).details == ()
    assert step_result(found.steps[-1]) == "It fails whichever table the settings name, so bad.csv was not examined."
    unchecked = rw.diagnose(shop, skip=["verify"])
    assert "even with every difference repaired (30 differences), it does not pass" in str(unchecked)


def test_a_failure_that_a_copy_of_the_table_does_not_show(tmp_path: Path) -> None:
    shop = made(tmp_path, table(0.5, r3_price=400), lambda one, rows: one["export"] == "bad.csv")
    found = rw.diagnose(shop)
    assert not found.certain
    assert "It does not fail with a copy of bad.csv, so the rows that take part cannot be found." in str(found)
    assert explained(found).failing == STRICT | {"retries": 0}


def test_another_failure_that_only_a_repaired_table_shows_is_noted(tmp_path: Path) -> None:
    """It is no failure of the settings, so nobody can start from them to explain it."""

    def half_repaired(one: dict[str, Any], rows: list[dict[str, str]]) -> bool:
        if rows[3]["price"] == "400" and rows[7]["unit"] == "kg":
            raise KeyError("unit")
        return strict(one, rows)

    def job(one: dict[str, Any]) -> rw.Verdict:
        fails = half_repaired(one, rows_of(tmp_path / one["export"]))
        return rw.Verdict.FAIL if fails else rw.Verdict.PASS

    shop = made(tmp_path, table(0.5, r3_price=400, r7_unit="lb"), half_repaired)
    found = rw.diagnose(replace(shop, subject=Function(job)))
    assert cells(found) == {("3", "price"), ("7", "unit")}
    assert "in another way, which is not explained: KeyError" in str(found)


def test_settings_that_fail_may_name_another_table(tmp_path: Path) -> None:
    shop = made(tmp_path, table(0.5), lambda one, rows: one["export"] == "good.csv", failing=None)
    found = rw.diagnose(shop)
    assert found.certain
    assert step_result(found.steps[-1]) == "No run whose settings name bad.csv failed."


def test_a_failure_that_does_not_show_every_time(tmp_path: Path) -> None:
    shop = made(tmp_path, table(0.5, r3_price=400), strict)
    path = tmp_path

    def flaky(one: dict[str, Any], seed: int) -> rw.Verdict:
        fails = strict(one, rows_of(path / one["export"])) and seed % 10 < 7
        return rw.Verdict.FAIL if fails else rw.Verdict.PASS

    found = rw.diagnose(Study("flaky", shop.path, Function(flaky), shop.space, STRICT, data=shop.data))
    assert cells(found) == {("3", "price")}
    assert 0 < explained(found).rate.value < 1


@pytest.mark.rest
def test_it_is_handed_over_with_a_table_a_script_and_a_test(tmp_path: Path) -> None:
    shop = study(tmp_path / "s", 'function = "job:job"', FIELDS, job__py=JOB, **BROKEN)
    folder = shop.path.parent / "out"
    bundle.write(rw.diagnose(shop), shop, folder)
    good, broken = table().splitlines(), (folder / "reproducer.csv").read_text().splitlines()
    assert [new for new, old in zip(broken, good, strict=True) if new != old] == ["3,400,kg"]
    said = (folder / "issue.md").read_text()
    assert "fails, exit code 1" in said
    assert "fails now with 1 of 1 input; 1 of 1 neighbouring inputs pass" in said
    assert "With export = bad.csv and mode = strict, it fails because of 1 of 30 rows." in said
    assert "id=3: price is 400" in said


def test_a_command_is_told_the_path_of_the_table(tmp_path: Path) -> None:
    subject = f'command = ["{sys.executable}", "main.py", "{{config}}"]'
    shop = study(tmp_path / "s", subject, FIELDS, job__py=JOB, main__py=MAIN, **BROKEN)
    assert shop.data is not None
    tables, folder, strictly = shop.data.tables, shop.path.parent / "out", {"export": "bad.csv", "mode": "strict"}
    broken = PatchedSettings(strictly, tables.patch("bits", [(1, len(tables))]))
    runs = [broken, PatchedSettings(strictly, tables.patch("bits", [(0, len(tables))])), strictly]
    verdicts = [subject_of(shop).run(one, seed=0, place=tmp_path / str(i)).verdict.value for i, one in enumerate(runs)]
    assert verdicts == ["fail", "pass", "fail"]
    made = Reproducer.of(Explanation(failing=broken), Handover(shop, folder))
    assert made is not None
    assert [one.name for one in made.artifacts] == ["reproducer.json", "reproducer.csv"]
    assert json.loads(made.artifacts[0].text) == {"export": "out/reproducer.csv", "mode": "strict"}


def test_the_plan_says_so(tmp_path: Path) -> None:
    shop = made(tmp_path, table(0.5), strict)
    assert [step.name for step in Plan.of(shop).steps if step.taken][-3:] == ["verify", "rows", "verify"]
    assert "good.csv is a good version of bad.csv: which rows and cells" in str(Plan.of(shop))
    assert "rows" not in Plan.of(shop, skip=["rows"])
    other = made(tmp_path, table(0.5), strict, data=DataVersions(tmp_path, "worse.csv", ("good.csv",), ("id",)))
    assert "rows" not in Plan.of(other)
    assert "No field has worse.csv among its values: the table is not examined." in str(Plan.of(other))


def test_tables_that_are_others_by_now_are_not_judged(tmp_path: Path) -> None:
    shop = made(tmp_path, table(0.5), strict)
    assert shop.data is not None
    patch = shop.data.tables.failing
    shop = made(tmp_path, table(0.6), strict)
    outcome = subject_of(shop).run(PatchedSettings(STRICT, patch), seed=0, place=tmp_path)
    assert outcome.verdict is rw.Verdict.UNRESOLVED
    assert "the patch was made for other tables: bad.csv or good.csv has changed since then" in outcome.detail


def test_a_function_can_be_put_into_worker_processes(tmp_path: Path) -> None:
    shop = made(tmp_path, table(0.5, r3_price=400), strict)
    assert as_subject(subject_of(shop), isolate=True).inline is False
    assert subject_of(shop).inline is True
