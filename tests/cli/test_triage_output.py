"""What ``rootward triage`` writes: never over an original, whole or not at all, and only after the answer is told."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rootward.cli.triage_output import Targets

from .test_triage import BAD, GOOD, MODEL, S3


@pytest.fixture
def folder(bench) -> Path:
    shutil.copy(MODEL, bench.folder / "model.yaml")
    shutil.copy(BAD[1], bench.folder / "bad.asc")
    return bench.folder


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--report", "bad.asc"], "bad.asc is one of the inputs and would be overwritten: name another file"),
        (["--junit", "model.yaml"], "model.yaml is one of the inputs"),
        (["--junit", "link.xml"], "link.xml is one of the inputs"),
        (["--annotate", "."], ". contains the input bad.asc, which could be overwritten: name another folder"),
        (["--report", "x", "--junit", "./x"], "x is named for two outputs: name another file for one of them"),
        (["--out", "."], ". holds other files"),
    ],
)
def test_originals_are_not_overwritten(bench, folder, capfd, options, reason):
    (folder / "link.xml").symlink_to("bad.asc")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert bench.here("triage", "--model", "model.yaml", "bad.asc", *S3, *options) == 2
    assert reason in capfd.readouterr().err
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_the_answer_comes_first_and_what_cannot_be_written_is_named(bench, folder, capfd, monkeypatch):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("rootward.report.page.page", full)
    assert bench.here("triage", "--model", MODEL, "bad.asc", *S3, "--report", "out.html", "--junit", "out.xml") == 2
    said = capfd.readouterr()
    assert said.out.startswith("The trace departs from UDS basic (demo ECU), for 1 cause:")
    assert "The test results are out.xml." in said.out
    assert said.err == "rootward: out.html cannot be written: No space left on device\n"
    assert "<testsuite" in (folder / "out.xml").read_text()


def test_ctrl_c_while_writing_leaves_the_answer(bench, capfd, monkeypatch):
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Targets, "write", stopped)
    assert bench.here("triage", "--model", MODEL, BAD[1], *S3) == 130
    assert "It behaves as if ECUReset did not set d0100" in capfd.readouterr().out


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits")
def test_a_file_is_whole_or_not_there(bench, folder):
    targets = ["--report", "out.html", "--out", "saved"]
    command = [sys.executable, "-m", "rootward", "triage", "--model", MODEL, "bad.asc", *S3, *targets]
    limited = ["bash", "-c", 'ulimit -f 2; exec "$@"', "bash", *command]
    unspoilt = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}  # else it would leave modules cut short for all others
    done = subprocess.run(limited, cwd=folder, capture_output=True, text=True, check=False, env=unspoilt)
    assert done.returncode == 2
    assert done.stdout.startswith("The trace departs")
    assert sorted(done.stderr.splitlines()) == [
        f"rootward: {name} cannot be written: File too large" for name in ("out.html", "saved")
    ]
    assert {path.name for path in folder.iterdir()} == {"model.yaml", "bad.asc", "saved"}
    assert list((folder / "saved").iterdir()) == []


def test_files_of_earlier_runs_are_told(bench, capfd):
    for trace, proofs, notes in ((BAD[1], "1 certificate in p.", "1 annotated trace in n."), (GOOD, "", "")):
        bench.here("triage", "--model", MODEL, trace, *S3, "--certificates", "p", "--annotate", "n")
        said = capfd.readouterr().out
        assert (proofs or "0 certificates in p. It also holds 1 older file.") in said
        assert (notes or "0 annotated traces in n. It also holds 1 older file.") in said
    bench.here("triage", "--model", MODEL, BAD[1], *S3, "--certificates", "p")
    assert capfd.readouterr().out.endswith("1 certificate in p.\n")
