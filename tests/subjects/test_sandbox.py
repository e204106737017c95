"""A command in a sandbox has no network and writes only to its own folder; otherwise it is run as without."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward.errors import SubjectError
from rootward.subjects import sandbox
from rootward.verdict import FAIL, PASS


def works() -> bool:
    try:
        sandbox.check_sandbox()
    except SubjectError:
        return False
    return True


needs_sandbox = pytest.mark.skipif(not works(), reason="bubblewrap is not installed, or may not make a sandbox here")


def run(script: str, place: Path, **options: Any) -> rw.Outcome:
    command = rw.Command(["/bin/sh", "-c", script, "sh", "{dir}", "{config}"], **{"sandbox": True, **options})
    return command.run({"n": 1}, seed=0, place=place)


@needs_sandbox
def test_only_its_folder_and_a_private_tmp_can_be_written(tmp_path: Path) -> None:
    place = tmp_path / "trial"
    own = tmp_path / "own.txt"
    own.write_text("mine")
    assert run(f"echo gone > {own}", place, cwd=str(tmp_path)).verdict is FAIL
    assert run(f"rm -f {own}", place, cwd=str(tmp_path)).verdict is FAIL
    assert own.read_text() == "mine"
    assert run(f"echo > {Path.home()}/rootward-was-here", place).verdict is FAIL
    name = f"/tmp/{tmp_path.name}-private"
    assert run(f"echo private > {name} && cat {name} && exit 3", place).signature == "exit code 3"
    assert not Path(name).exists()
    assert run('echo kept > "$1/kept.txt"; cat "$2"; exit 3', place).signature == "exit code 3"
    assert (place / "kept.txt").read_text() == "kept\n"


@needs_sandbox
def test_there_is_no_network(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        script = "import socket, sys; socket.create_connection(('127.0.0.1', int(sys.argv[1]))).close()"
        command = rw.Command([sys.executable, "-c", script, str(server.getsockname()[1]), "{seed}"])
        assert command.run({}, seed=0, place=tmp_path / "a").verdict is PASS
        inside = rw.Command(command.argv, sandbox=True).run({}, seed=0, place=tmp_path / "b")
    assert inside.verdict is FAIL


@needs_sandbox
def test_other_processes_are_neither_seen_nor_killed(tmp_path: Path) -> None:
    with subprocess.Popen(["sleep", "1000"]) as other:
        assert run(f"kill {other.pid} || test -e /proc/{other.pid}", tmp_path / "trial").verdict is FAIL
        assert other.poll() is None
        other.kill()


@needs_sandbox
@pytest.mark.parametrize(
    ("script", "name"), [("exit 3", "exit code 3"), ("kill -SEGV $$", "SIGSEGV"), ("kill -KILL $$", "SIGKILL")]
)
def test_the_way_it_ends_is_named_as_without(tmp_path: Path, script: str, name: str) -> None:
    for inside in (True, False):
        assert run(script, tmp_path / "trial", sandbox=inside).signature == name


@needs_sandbox
def test_limits_hold_inside(tmp_path: Path, leftovers: Any) -> None:
    assert run("setsid sleep 1000 & sleep 1000", tmp_path / "a", timeout=0.5).signature == "timeout"
    assert leftovers.none()


@needs_sandbox
def test_a_program_that_does_not_exist_is_not_a_failure(tmp_path: Path) -> None:
    for argv in (["no-such-program", "{seed}"], ["./no-such-program", "{seed}"]):
        with pytest.raises(SubjectError, match=r"cannot be started: .*no-such-program: No such file"):
            rw.Command(argv, sandbox=True).run({}, seed=0, place=tmp_path / "trial")


@needs_sandbox
def test_a_program_in_tmp_is_found(tmp_path: Path) -> None:
    program = tmp_path / "bin" / "program"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nexit 3\n")
    program.chmod(0o755)
    outcome = rw.Command([str(program), "{seed}"], sandbox=True).run({}, seed=0, place=tmp_path / "trial")
    assert outcome.signature == "exit code 3"


@needs_sandbox
def test_the_command_to_type_is_in_a_sandbox_too(tmp_path: Path) -> None:
    home = tmp_path / "a home"
    home.mkdir()
    script = 'touch "$1/there" || exit 9; touch beside && exit 8; grep -q 7 "$2" && exit 3'
    command = rw.Command(["/bin/sh", "-c", script, "sh", "{dir}", "{config}"], sandbox=True, cwd=str(home))
    by_hand = command.by_hand({"n": 7}, seed=0, place=tmp_path / "trial")
    assert subprocess.run(by_hand, shell=True, check=False).returncode == 3
    (home / "in put.json").write_text('{"n": 7}')
    places = {"config": home / "in put.json", "dir": home / "out"}
    typed = command.command_line({"n": 7}, seed=0, places=places, folder=home)
    assert subprocess.run(typed, shell=True, cwd=home, check=False).returncode == 3
    assert (home / "out" / "there").exists()
    assert not (home / "beside").exists()


def test_a_sandbox_is_part_of_the_identity() -> None:
    """Without network, the same command may do something else."""
    plain, inside = (rw.Command(["true", "{seed}"], sandbox=sandbox) for sandbox in (False, True))
    assert plain.identity != inside.identity


def test_without_bubblewrap_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox.check_sandbox.cache_clear()
    monkeypatch.setattr(shutil, "which", lambda name, **_: None)
    with pytest.raises(SubjectError, match="install the package bubblewrap"):
        run("true", tmp_path / "trial")


def test_a_machine_that_forbids_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2; exit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    sandbox.check_sandbox.cache_clear()
    with pytest.raises(SubjectError, match="No permissions to create new namespace"):
        run("true", tmp_path / "trial")


@needs_sandbox
def test_the_option_of_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "lines.txt").write_text("a\nbug\nb\nc\n")
    check = "touch was-here; ! grep -q bug {file}"
    argv = [sys.executable, "-m", "rootward", "reduce", "lines.txt", "--sandbox", "--", "sh", "-c", check]
    done = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "3 of 10 bytes are enough" in done.stdout, done.stderr
    assert not (tmp_path / "was-here").exists()
