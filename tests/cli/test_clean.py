"""`rootward runs clean`: what kills left behind goes, what is old goes, and what somebody needs stays."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward.formats.files import replace_file
from rootward.formats.ownership import LOCK, hold, is_held, make_kept_folder, temporary_folder
from rootward.store.store import Store
from tests.waiting import PATIENCE, until


@pytest.fixture(autouse=True)
def temporary(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for temporary files that no other test uses."""
    folder = tmp_path_factory.mktemp("temporary")
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


def files(folder: Path) -> list[str]:
    """Return the files below a folder, without the database."""
    found = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir())
    return [name for name in found if not name.startswith("rootward.db")]


def killed(bench: Any, *options: str) -> None:
    """Kill a reduction when it has gained something, while a trial is running."""
    code, _ = bench.stopped("crash.reduced.txt", signal.SIGKILL, *bench.arguments(*options))
    assert code == -signal.SIGKILL


def recorded(folder: Path) -> set[str]:
    """Return the names of the stored trials, as their files are called."""
    with Store(folder / "rootward.db") as store:
        return {f"{trial['key']}-{trial['attempt']}" for trial in store.trials(1)}


def test_nothing_is_left_behind_by_a_kill(bench, temporary):
    killed(bench, "--jobs", "4")
    folder = bench.folder / ".rootward"
    left = [name for name in files(folder) if "output-" in name or name.endswith(".lock")]
    assert left
    said = bench.said("runs", "clean")
    assert said.returncode == 0
    assert said.stdout.startswith("Removed ")
    stored = recorded(folder)
    for name in files(folder):
        if name.startswith("trials/"):
            assert name.split("/")[2].partition(".")[0] in stored, name
        else:
            assert name.startswith("steps/"), name
    assert os.listdir(temporary) == []
    assert not list(bench.folder.glob(".*.tmp"))
    assert bench.reduce().returncode == 0


def test_a_killed_run_without_a_store_on_disk_leaves_a_temporary_folder(temporary):
    script = "import rootward as rw, os\nrw.reduce('ab', rw.Command(['sh', '-c', 'kill -9 $0', str(os.getpid())]))"
    script = script.replace("str(os.getpid())", "str(os.getpid()), '{file}'")
    done = subprocess.run([sys.executable, "-c", script], env=dict(os.environ), timeout=PATIENCE, check=False)
    assert done.returncode == -signal.SIGKILL
    (left,) = temporary.iterdir()
    assert is_held(left / LOCK) is False
    assert (
        subprocess.run(
            [sys.executable, "-m", "rootward", "runs", "clean"], cwd=temporary, timeout=PATIENCE, check=False
        ).returncode
        == 0
    )
    assert list(temporary.iterdir()) == []


def test_what_is_alive_stays(bench, temporary):
    hold_file = bench.folder / "hold"
    hold_file.touch()
    process = bench.start(*bench.arguments("--jobs", "2"))
    try:
        until((bench.folder / "crash.reduced.txt").exists, "something was gained", process)
        before = {name for name in files(bench.folder / ".rootward") if name.endswith((".lock", LOCK))}
        said = bench.said("runs", "clean", "--older", "0s", "--keep", "0")
        assert said.returncode == 0
        assert before <= set(files(bench.folder / ".rootward"))
        assert before
    finally:
        hold_file.unlink()
        process.communicate(timeout=PATIENCE)
    assert process.returncode == 0


def test_old_files_go_and_those_that_a_finding_names_stay(bench):
    assert bench.here(*bench.arguments()) == 0
    folder = bench.folder / ".rootward"
    kept = files(folder)
    assert kept
    assert bench.here("runs", "clean") == 0
    assert files(folder) == kept, "nothing is old yet"
    with Store(folder / "rootward.db") as store:
        place = next(name for name in kept if name.startswith("trials/")).removeprefix("trials/")
        named = "/".join(place.split("/")[:2]).removesuffix(".txt")
        store.add_finding(1, {"complete": True, "by_hand": f"./run '{folder}/trials/{named}/crash.txt'"})
    said = bench.said("runs", "clean", "--older", "0s")
    assert "of old files; 0 bytes of files" in said.stdout
    assert files(folder)
    assert all(name.startswith(f"trials/{named}") for name in files(folder))


def test_the_oldest_go_first_where_there_is_too_much(bench, monkeypatch):
    steps = bench.folder / ".rootward/steps"
    for age in range(5):
        (steps / f"{age}").mkdir(parents=True)
        (steps / f"{age}" / "step").write_bytes(bytes(100_000))
        for path in (steps / f"{age}" / "step", steps / f"{age}"):
            os.utime(path, (time.time() - age * 3600,) * 2)
    assert bench.here("runs", "clean", "--keep", "250K") == 0
    assert sorted(path.name for path in steps.iterdir()) == ["0", "1"]
    assert bench.here("runs", "clean", "--older", "30m") == 0
    assert sorted(path.name for path in steps.iterdir()) == ["0"]
    assert bench.here("runs", "clean", "--older", "soon") == 2


def test_another_store_in_the_folder_is_asked(bench):
    assert bench.here(*bench.arguments("--store", ".rootward/other.db")) == 0
    before = files(bench.folder / ".rootward")
    assert bench.here(*bench.arguments()) == 0
    assert bench.here("runs", "clean") == 0
    assert set(before) <= set(files(bench.folder / ".rootward"))


def test_with_the_database_of_another_program_nothing_is_removed(bench, capsys):
    with contextlib.closing(sqlite3.connect(bench.folder / "other.db")) as connection, connection:
        connection.execute("CREATE TABLE bookmarks (x)")
    assert bench.here("runs", "clean", "--store", "other.db") == 1
    assert "other.db is not a store of Rootward" in capsys.readouterr().err


def test_folders_of_others_are_left_alone(bench, temporary):
    (temporary / "rootward-mine").mkdir()
    with temporary_folder() as used:
        (used / "file").touch()
        kept = make_kept_folder()
        assert bench.here("runs", "clean") == 0
        assert {path.name for path in temporary.iterdir()} == {"rootward-mine", used.name, kept.name}
    assert not used.exists()
    assert bench.here("runs", "clean", "--older", "0s") == 0
    assert [path.name for path in temporary.iterdir()] == ["rootward-mine"]


def test_a_lock_is_held_until_the_last_process_ends(tmp_path):
    lock = tmp_path / LOCK
    assert is_held(lock) is None
    with hold(lock):
        with hold(lock):
            assert is_held(lock) is True
        assert is_held(lock) is True
    assert is_held(lock) is None
    lock.touch()
    assert is_held(lock) is False


def test_half_written_files_go(bench):
    code = "import os, signal, sys, pathlib; from rootward.formats.files import replace_file\n"
    code += "with replace_file(pathlib.Path('report.html')): os.kill(os.getpid(), signal.SIGKILL)"
    subprocess.run([sys.executable, "-c", code], cwd=bench.folder, timeout=PATIENCE, check=False)
    with replace_file(bench.folder / "other.html") as file:
        assert len(list(bench.folder.glob(".*.tmp"))) == 2
        assert bench.here("runs", "clean") == 0
        assert [path.name for path in bench.folder.glob(".*.tmp")] == [Path(file.name).name]


def test_a_finding_of_the_library_names_its_files(tmp_path, temporary):
    subject = rw.Command(["sh", "-c", "! grep -q b $0", "{file}"])
    rw.reduce(["a\n", "b\n"], subject)
    assert all((path / LOCK).exists() for path in temporary.iterdir()), "what is kept for a person can be cleaned up"


@pytest.mark.parametrize(("options", "code"), [([], 3), (["--by", "lines"], 0)])
def test_a_large_input_leaves_little_more_than_itself(bench, options, code):
    lines = [b"%06d %s\n" % (i, os.urandom(40).hex().encode()) for i in range(20_000)]
    lines[1234] = lines[1234][:-1] + b" a bug\n"
    lines[17_777] = lines[17_777][:-1] + b" an ugly one\n"
    path = bench.folder / "large.txt"
    path.write_bytes(b"".join(lines))
    assert bench.here("reduce", str(path), *options, "--trials", "80", "--", bench.command(), "{file}") == code
    left = sum(found.stat().st_size for found in (bench.folder / ".rootward").rglob("*") if found.is_file())
    assert left < 1.5 * path.stat().st_size
