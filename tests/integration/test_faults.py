"""Every call to the machine may fail: the answer is right, or the run ends with a clear message and can be resumed.

Each verb is run once for every call of every kind, and that call fails: once, or from then on. `tests/faults.py` says
how. `./dev test` takes a sample of the calls.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward.errors import RootwardError
from rootward.lab import lab as driver
from rootward.store import store
from rootward.study.study import Study
from rootward.subjects.command import Command
from tests.faults import KINDS, Fault, inject

ROOT = Path(__file__).parents[2]
LINES = [f"line {number}\n" for number in range(6)]
BUG = Command(["sh", "-c", '! (grep -q "line 2" "$0" && grep -q "line 5" "$0")', "{file}"])
SWITCHES = rw.Space({"a": rw.Bool(), "b": rw.Bool()})
BOTH = Command(["sh", "-c", '! (test "$0" = true && test "$1" = true)', "{a}", "{b}"])
FAILING = {"a": True, "b": True}
SAMPLE = 5
"""Number of calls of each kind that fail, one after another, in `./dev test`."""
ALWAYS = 10**9
"""Number of calls that fail if the trouble stays."""


def reduce_lines(where: Path) -> Any:
    found = rw.reduce(LINES, BUG, store=where)
    return found, tuple(found.kept)


def find_rule(where: Path) -> Any:
    found = rw.rule(SWITCHES, BOTH, FAILING, store=where)
    return found, str(found.rule)


def diagnose_switches(where: Path) -> Any:
    found = rw.diagnose(Study("switches", Path("switches.toml"), BOTH, SWITCHES, FAILING), store=where)
    return found, tuple((str(one.rule), one.certain) for one in found.explanations)


VERBS = {"reduce": reduce_lines, "rule": find_rule, "diagnose": diagnose_switches}


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "FIRST_PAUSE", 0.0)
    monkeypatch.setattr(store, "MAX_WAIT", 0.0)


def count_calls(verb: Callable[[Path], Any], kind: str, where: Path) -> tuple[int, Any]:
    """Return the number of calls of a kind, and the right answer."""
    fault = Fault(kind)
    with inject(fault):
        found, answer = verb(where)
    assert found.complete
    return fault.calls, answer


def check(verb: Callable[[Path], Any], fault: Fault, where: Path, right: Any) -> None:
    """Run a verb with a fault, and then again without: the answer is right, or missing at first."""
    said: str | None = "nothing"
    with contextlib.suppress(RootwardError), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # those that say what is wrong
        try:
            with inject(fault):
                found, answer = verb(where)
        except OSError as error:  # the command line prints it as a sentence
            said = error.strerror
        else:
            assert not found.complete or answer == right, fault
    assert said, fault
    found, answer = verb(where)
    assert (found.complete, answer) == (True, right), fault


@pytest.mark.both
@pytest.mark.parametrize("stays", [False, True], ids=["once", "from then on"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("verb", VERBS.values(), ids=VERBS)
def test_a_call_that_fails_gives_no_wrong_answer(
    verb: Callable[[Path], Any],
    kind: str,
    stays: bool,
    tmp_path: Path,
    pytestconfig: pytest.Config,
    capsys: pytest.CaptureFixture[str],
) -> None:
    calls, right = count_calls(verb, kind, tmp_path / "right.db")
    step = 1 if pytestconfig.getoption("rest") else max(1, calls // SAMPLE)
    for first in range(0, calls, step):
        fault = Fault(kind, first, ALWAYS if stays else 1)
        check(verb, fault, tmp_path / f"{first}" / "runs.db", right)
    assert "Traceback" not in capsys.readouterr().err
