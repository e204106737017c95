"""`rootward runs check`: what it finds, and what a repair saves."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import rootward as rw
from rootward.cli import app
from rootward.space.keys import key
from rootward.store.check import STAND_IN, check_store, repair_store
from rootward.store.store import Store
from rootward.verdict import FAIL, PASS, Outcome
from rootward.web.watch import StoreSource


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with two runs of 1500 trials each, and a finding each."""
    path = tmp_path_factory.mktemp("made") / "store.db"
    with Store(path) as store:
        for name in ("one", "two"):
            run = store.open_run(key=key(name), subject=name, name=name, settings={}, fresh=False)
            outcomes = [Outcome(FAIL if i % 3 else PASS, detail=f"{name} {i}" * 10) for i in range(1500)]
            trials = [rw.Trial({"x": i}, key([name, i]), 0, i, outcome, 0.5) for i, outcome in enumerate(outcomes)]
            store.add_trials(run, name, trials)
            store.add_finding(run.id, {"complete": True, "explanation": name})
            store.update(run.id, status="complete", seconds=1.0, best=name)
    return path


@pytest.fixture
def path(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(made, tmp_path / "store.db"))


def change(path: Path, statement: str, *values: Any) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement, values)


def check(path: Path, *options: str) -> Result:
    return CliRunner().invoke(app, ["runs", "check", "--store", str(path), *options], catch_exceptions=False)


def known(path: Path, subject: str) -> dict[int, str]:
    with Store(path) as store:
        return {trial.seed: trial.outcome.detail for trial, _ in store.read_known(subject, 0) if trial.outcome}


def test_a_sound_store(path: Path) -> None:
    result = check(path)
    assert result.exit_code == 0
    assert result.output == f"{path} is sound: 2 runs, 3,000 trials, 2 findings.\n"
    assert repair_store(str(path)) == []


def test_damaged_rows_are_found_and_removed(path: Path) -> None:
    change(path, "UPDATE rootward_trials SET verdict = 'pass' WHERE seed < 3")
    change(path, "UPDATE rootward_findings SET finding = '{}' WHERE run = 1")
    result = check(path)
    assert result.exit_code == 1
    assert "4 trials cannot be read: the row does not match its checksum." in result.output
    assert "1 finding cannot be read: the row does not match its checksum." in result.output
    assert check(path).output == result.output, "a check changes nothing"
    repaired = check(path, "--repair")
    assert repaired.exit_code == 0
    assert "4 trials that could not be read: removed." in repaired.output
    assert "is sound: 2 runs, 2,996 trials, 1 finding." in repaired.output
    assert sorted(set(range(1500)) - known(path, "one").keys()) == [1, 2]


@pytest.mark.parametrize("damage", ["DELETE FROM rootward_runs WHERE id = 1", "UPDATE rootward_runs SET name = 'x'"])
def test_trials_of_a_lost_run_are_kept(path: Path, damage: str) -> None:
    change(path, damage)
    assert "1,500 trials of runs that cannot be read." in check(path).output or "3,000 trials" in check(path).output
    assert check(path, "--repair").exit_code == 0
    with Store(path) as store:
        records = {record.id: record for record in store.runs()}
        assert records[1].name == STAND_IN
        assert records[1].trials == len(list(store.trials(1))) == 1500
        assert store.finding(1) == {"complete": True, "explanation": "one"}
    assert len(known(path, "one")) == 1500


def test_a_file_of_a_trial_that_is_gone_is_only_noted(path: Path) -> None:
    with Store(path) as store:
        run = store.open_run(key=key("one"), subject="one", name="one", settings={}, fresh=False)
        outcome = Outcome(FAIL, artifacts={"output": str(path.parent / "gone.txt"), "other": "/elsewhere/file"})
        store.add_trials(run, "one", [rw.Trial("c", key("c"), 0, 7, outcome)])
    result = check(path)
    assert result.exit_code == 0
    assert "1 file of trials no longer exist" in result.output


def flip(path: Path, share: float) -> None:
    """Overwrite two pages, the first of them after this share of the file."""
    page = 4096
    with open(path, "r+b") as file:
        file.seek(max(1, int(path.stat().st_size * share) // page) * page)
        file.write(os.urandom(2 * page))


@pytest.mark.parametrize("share", [0.1, 0.4, 0.7, 0.9])
def test_a_damaged_file_is_salvaged(path: Path, made: Path, share: float) -> None:
    flip(path, share)
    damaged = path.read_bytes()
    health = check_store(str(path))
    assert health.damage
    result = check(path, "--repair")
    assert result.exit_code == 0, result.output
    kept = path.with_name("store.db.damaged")
    assert f"The damaged file is kept as {kept}." in result.output
    assert kept.read_bytes()[: len(damaged)] == damaged
    whole, saved = {**known(made, "one")}, known(path, "one")
    assert saved.items() <= whole.items()
    assert len(saved) + len(known(path, "two")) > 2000
    assert check(path).exit_code == 0


def test_a_damaged_file_that_is_in_use_is_not_replaced(path: Path) -> None:
    flip(path, 0.4)
    damaged = path.read_bytes()
    holds_it = [sys.executable, "-c", "import sys; file = open(sys.argv[1], 'rb'); print('open', flush=True); input()"]
    with subprocess.Popen([*holds_it, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as user:
        assert user.stdout
        assert user.stdout.readline()
        with pytest.raises(rw.StoreError, match=f"process {user.pid} is using it"):
            repair_store(str(path))
        user.communicate("\n")
    assert path.read_bytes() == damaged
    assert not path.with_name("store.db.damaged").exists()
    assert check(path, "--repair").exit_code == 0


@pytest.mark.parametrize("lost", ["DROP TABLE rootward_findings", "ALTER TABLE rootward_findings DROP COLUMN complete"])
def test_a_lost_table_or_column(path: Path, lost: str) -> None:
    change(path, lost)
    assert check(path).exit_code == 1
    assert check(path, "--repair").exit_code == 0
    assert len(known(path, "one")) == len(known(path, "two")) == 1500


def test_what_is_not_a_store_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database " * 1000)
    assert check(path).exit_code == 1
    with pytest.raises(rw.StoreError, match="is not a store of Rootward: move it away, or choose another store"):
        repair_store(str(path))
    assert list(tmp_path.iterdir()) == [path]


# A damaged header


@pytest.mark.parametrize("damaged", [b"X", b"X" * 16, bytes(24), b"X" * 24])
def test_a_damaged_header_is_mended_in_a_copy(path: Path, made: Path, damaged: bytes) -> None:
    with open(path, "r+b") as file:
        file.write(damaged)
    content = path.read_bytes()
    with pytest.raises(
        rw.StoreError, match=r"first bytes of the file are damaged: `rootward runs check --repair` saves"
    ):
        Store(path)
    assert check(path).exit_code == 1
    assert path.read_bytes() == content
    result = check(path, "--repair")
    assert result.exit_code == 0, result.output
    assert f"{path} is sound: 2 runs, 3,000 trials, 2 findings." in result.output
    assert path.with_name("store.db.damaged").read_bytes() == content
    assert sorted(found.name for found in path.parent.iterdir()) == ["store.db", "store.db.damaged"]
    assert known(path, "one") == known(made, "one")


def test_a_damaged_header_of_a_store_with_a_journal(path: Path, tmp_path: Path) -> None:
    """The trials of a killed run are in the WAL file only."""
    killed = tmp_path / "killed" / "store.db"
    killed.parent.mkdir()
    with Store(path) as store:
        run = store.open_run(key=key("three"), subject="three", name="three", settings={}, fresh=False)
        store.add_trials(run, "three", [rw.Trial("c", key("c"), 0, 7, Outcome(FAIL))])
        for ending in ("", "-wal"):
            shutil.copy(f"{path}{ending}", f"{killed}{ending}")
    with open(killed, "r+b") as file:
        file.write(b"X")
    assert check(killed, "--repair").exit_code == 0
    assert list(known(killed, "three")) == [7]
    assert len(known(killed, "one")) == 1500


def test_a_killed_first_run_is_known_by_its_journal(tmp_path: Path) -> None:
    """The tables are in the WAL file only."""
    path, killed = tmp_path / "store.db", tmp_path / "killed.db"
    with Store(path):
        change(path, "DROP TABLE rootward_findings")
        for ending in ("", "-wal"):
            shutil.copy(f"{path}{ending}", f"{killed}{ending}")
    assert b"rootward_" not in killed.read_bytes()
    assert "no such table: rootward_findings" in check(killed).output
    assert check(killed, "--repair").exit_code == 0


# A check changes nothing


def create_foreign(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE x (a)")


FOREIGN: dict[str, Callable[[Path], object]] = {
    "database": create_foreign,
    "zeros": lambda path: path.write_bytes(bytes(30_000)),
    "word": lambda path: path.write_text("hello"),
    "byte": lambda path: path.write_text("x"),
    "dump": lambda path: path.write_text("CREATE TABLE rootward_meta (name, value);\n" * 100),
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_what_is_not_a_store_is_never_changed(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "other.db"
    FOREIGN[kind](path)
    content = path.read_bytes()
    advice = f"{path} is not a store of Rootward: move it away, or choose another store"
    result = check(path)
    assert (result.exit_code, result.output) == (1, f"{advice}.\n")
    with pytest.raises(rw.StoreError) as error:
        repair_store(str(path))
    assert str(error.value) == advice
    for read in (["runs"], ["runs", "export", "1", "-o", str(tmp_path / "trials.csv")]):
        assert str(CliRunner().invoke(app, [*read, "--store", str(path)]).exception) == advice
    assert str(CliRunner().invoke(app, ["report", str(path), "--markdown"]).exception) == advice
    with pytest.raises(rw.StoreError, match="is not a store of Rootward"):
        StoreSource(str(path)).open()
    with pytest.raises(rw.StoreError, match="is not a store of Rootward"):
        Store(path)
    assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


def test_an_empty_file_stays_empty(tmp_path: Path) -> None:
    path = tmp_path / "empty.db"
    path.touch()
    for options in ([], ["--repair"]):
        result = check(path, *options)
        assert (result.exit_code, result.output) == (1, "The file is empty: there is no store in it yet.\n")
    assert CliRunner().invoke(app, ["runs", "--store", str(path)]).output == f"There are no runs in {path} yet.\n"
    assert StoreSource(str(path)).open() is None
    assert path.read_bytes() == b""
    assert list(tmp_path.iterdir()) == [path]


def test_a_missing_store_is_not_created(tmp_path: Path) -> None:
    with pytest.raises(rw.InputError, match="there is no store"):
        check(tmp_path / "missing.db")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("journal", ["DELETE", "WAL"])
def test_a_check_leaves_a_store_as_it_is(path: Path, journal: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA journal_mode={journal}")
    content = path.read_bytes()
    assert check(path).exit_code == 0
    assert path.read_bytes() == content
    assert list(path.parent.iterdir()) == [path]


def test_a_check_leaves_the_journal_of_a_killed_run(path: Path, tmp_path: Path) -> None:
    killed = tmp_path / "killed" / "store.db"
    killed.parent.mkdir()
    with Store(path) as store:
        store.open_run(key=key("three"), subject="three", name="three", settings={}, fresh=False)
        for ending in ("", "-wal", "-shm"):
            shutil.copy(f"{path}{ending}", f"{killed}{ending}")
    content = {ending: Path(f"{killed}{ending}").read_bytes() for ending in ("", "-wal")}
    assert "is sound: 3 runs" in check(killed).output
    assert {ending: Path(f"{killed}{ending}").read_bytes() for ending in ("", "-wal")} == content


@pytest.mark.parametrize("damage", ["table", "cut"])
def test_the_advice_to_repair_is_given_once(path: Path, damage: str) -> None:
    if damage == "table":
        change(path, "DROP TABLE rootward_findings")
    else:
        os.truncate(path, 20_000)
    assert check(path).output.count("--repair") == 1
