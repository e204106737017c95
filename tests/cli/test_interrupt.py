"""Whatever ends the process, the smallest failing file so far is on disk and the same command goes on."""

import os
import signal
import subprocess
from types import SimpleNamespace

import pytest

from rootward.lab.interrupts import resend_lost_interrupt
from tests.properties import few


def fails(bench) -> bool:
    """Whether the reduced file on disk makes the command fail."""
    out = bench.folder / "crash.reduced.txt"
    return subprocess.run([bench.command(), str(out)], capture_output=True).returncode == 3


def stopped_after_a_gain(bench, how: signal.Signals) -> tuple[int, str]:
    return bench.stopped("crash.reduced.txt", how, *bench.arguments())


@pytest.mark.parametrize("how", few(1, [signal.SIGTERM, signal.SIGINT]))
def test_interrupted_is_130_with_a_valid_file_and_goes_on(bench, how):
    code, out = stopped_after_a_gain(bench, how)
    paid = bench.runs
    assert code == 130
    assert "not final (interrupted)" in out
    assert "Repeat the command to continue from here." in out
    assert fails(bench)
    done = bench.said(*bench.arguments())
    assert done.returncode == 0
    assert f"{bench.runs - 1} trials run" in done.stdout  # one of our own is in the log
    assert bench.runs > paid + 1


def test_killed_leaves_a_failing_file(bench):
    code, _ = stopped_after_a_gain(bench, signal.SIGKILL)
    assert code == -signal.SIGKILL
    assert fails(bench)
    assert bench.here(*bench.arguments()) == 0
    assert (bench.folder / "crash.reduced.txt").read_bytes() == b"bugly"
    assert not [name for name in os.listdir(bench.folder) if name.endswith(".tmp")]


def test_before_anything_is_run_it_is_130_and_no_traceback(bench, monkeypatch):
    """Modules are still being imported: on a busy machine that takes seconds."""
    (bench.folder / "typer.py").write_text("import signal\nsignal.raise_signal(signal.SIGINT)\n")
    monkeypatch.setenv("PYTHONPATH", str(bench.folder), prepend=os.pathsep)
    done = bench.reduce()
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


LOST = """
import signal, time
class Struck:
    def __del__(self):  # an exception in here is dropped by Python
        signal.raise_signal(signal.SIGINT)
Struck()
def run(candidate):
    time.sleep(0.05)
    assert candidate["speed"] < 20
"""


SWALLOWED = """
import signal
try:
    signal.raise_signal(signal.SIGINT)
except BaseException:
    pass
def run(candidate):
    assert candidate["speed"] < 20
"""


@pytest.mark.parametrize("code", [LOST, SWALLOWED], ids=["in a finaliser", "in code that catches everything"])
def test_one_that_strikes_where_it_cannot_be_raised_is_not_lost(bench, code):
    (bench.folder / "car.py").write_text(code)
    (bench.folder / "study.toml").write_text(
        '[subject]\nfunction = "car:run"\n[fields]\nspeed = { type = "int", lo = 0, hi = 100 }\n[failing]\nspeed = 50\n'
    )
    done = bench.rootward("rule", "study.toml")
    assert done.returncode == 130, done.stderr
    assert "Exception ignored" not in done.stderr


def test_one_that_is_sent_again_too_soon_is_not_lost_either(monkeypatch):
    """As on a busy machine: it comes while we are still where it cannot be raised."""
    sent = []

    def start(function, arguments):
        sent.append(function)
        if len(sent) == 1:
            raise KeyboardInterrupt

    monkeypatch.setattr("_thread.start_new_thread", start)
    resend_lost_interrupt(SimpleNamespace(exc_value=KeyboardInterrupt()))
    assert len(sent) == 2
