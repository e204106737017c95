"""The document of a report: the same from a finding and from its store, with a store and without."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward.report.data import document, run_from_store, run_of
from rootward.report.trials import unpack_column
from rootward.search.evidence import Evidence
from rootward.store.store import Store

SPACE = rw.Space({"x": rw.Int(0, 100), "mode": rw.Choice(["a", "b"]), "rest": rw.Bool()})


@rw.fails_when
def subject(c: dict[str, Any]) -> bool:
    return bool(c["x"] > 41 and c["mode"] == "a")


def found(**lab: Any) -> Any:
    return rw.rule(SPACE, subject, {"x": 50, "mode": "a", "rest": True}, **lab)


def test_a_finding_knows_its_run_and_trials(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    finding = found(store=tmp_path / "s.db", seed=3, name="demo", command="rootward rule x.json")
    run = run_of(finding)
    assert run["name"] == "rule demo"
    assert (run["run"], run["status"], run["store"]) == (1, "complete", "s.db")
    assert run["reproduce"]["command"] == "rootward rule x.json"
    assert run["reproduce"]["seed"] == 3
    assert run["trials"]["total"] == finding.trials
    rows = zip(*(unpack_column(run["trials"]["fields"][name]) for name in ("x", "mode")), strict=True)
    verdicts = unpack_column(run["trials"]["columns"]["verdict"])
    assert [subject({"x": x, "mode": mode}).name for x, mode in rows] == verdicts


def test_the_store_tells_the_same(tmp_path: Path) -> None:
    told = run_of(found(store=tmp_path / "s.db", budget=20))
    with Store(tmp_path / "s.db") as store:
        [record] = store.runs()
        stored = run_from_store(store, record)
    assert {**stored, "seconds": 0} == {**told, "seconds": 0}


def test_without_a_store_it_is_remembered(tmp_path: Path) -> None:
    stored = run_of(found(store=tmp_path / "s.db", budget=20))["trials"]
    remembered = run_of(found(budget=20))["trials"]
    assert remembered["fields"] == stored["fields"]
    assert remembered["columns"]["verdict"] == stored["columns"]["verdict"]


def test_what_is_remembered_is_limited(monkeypatch: Any) -> None:
    monkeypatch.setattr("rootward.lab.journal.MAX_KEPT_VALUES", 30)
    assert run_of(found())["trials"]["total"] == 10


def test_what_an_earlier_run_paid_for_is_there(tmp_path: Path) -> None:
    first = found(store=tmp_path / "s.db", budget=20)
    again = found(store=tmp_path / "s.db", budget=20, seed=1)
    assert run_of(again)["trials"]["total"] == first.trials + again.trials


def test_a_document_numbers_its_runs_and_is_json() -> None:
    run = run_of(found(budget=3))
    made = document([run, run])
    assert [one["id"] for one in made["runs"]] == ["run-1", "run-2"]
    assert made["runs"][0]["status"] == "budget"
    json.dumps(made, allow_nan=False)


def test_long_texts_of_a_finding_are_cut() -> None:
    finding = rw.reduce(["x" * 500_000, "b"], rw.fails_when(lambda kept: len(kept) > 0 and len(kept[0]) > 9))
    assert len(json.dumps(run_of(finding))) < 100_000


def test_a_store_below_the_working_directory_is_named_from_there(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_of(found(store="here/s.db", budget=3))["store"] == "here/s.db"


@pytest.mark.parametrize(
    ("store", "home", "told"),
    [
        ("/lab/anna/stores/s.db", "/lab/anna", "../stores/s.db"),
        ("/home/anna/s.db", "/home/anna", "~/s.db"),
        ("/data/s.db", "/home/anna", "/data/s.db"),
        ("postgresql://anna:***@host/name", "/home/anna", "postgresql://anna:***@host/name"),
    ],
)
def test_a_store_elsewhere_is_named_without_its_home(store: str, home: str, told: str, monkeypatch: Any) -> None:
    monkeypatch.setattr(Path, "cwd", lambda: Path("/lab/anna/study"))
    monkeypatch.setenv("HOME", home)
    assert run_of(replace(found(budget=3), evidence=Evidence(store=store)))["store"] == told
