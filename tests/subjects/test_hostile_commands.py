"""Commands that hang, run away, crash or flood: each gives a clear outcome, and nothing is left running or on disk."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward.subjects import judge
from rootward.verdict import FAIL, PASS, UNRESOLVED
from tests.waiting import PATIENCE

Once = Callable[..., rw.Outcome]


def shell(script: str, **options: Any) -> rw.Command:
    return rw.Command(["/bin/sh", "-c", script, "{config}"], **options)


def python(script: str, **options: Any) -> rw.Command:
    return rw.Command([sys.executable, "-c", script, "{config}"], **options)


DAEMON = """
import os, sys, time
if os.fork(): time.sleep(float(sys.argv[2])); os._exit(0)
os.setsid()
if os.fork(): os._exit(0)
time.sleep(1000)
"""


def test_one_that_hangs_is_ended_with_its_children(once: Once, leftovers: Any) -> None:
    outcome = once(shell("sleep 1000 & sleep 1000 & sleep 1000", timeout=0.5))
    assert (outcome.verdict, outcome.signature, outcome.detail) == (FAIL, "timeout", "timed out after 0.5 s")
    assert leftovers.none()


def test_one_that_ignores_polite_signals_is_ended_too(once: Once, leftovers: Any) -> None:
    outcome = once(shell("trap '' TERM INT HUP; while :; do sleep 1; done", timeout=0.5))
    assert outcome.signature == "timeout"
    assert leftovers.none()


def test_grandchildren_end_with_their_trial(once: Once, leftovers: Any) -> None:
    outcome = once(shell("sh -c 'sh -c \"sleep 1000 & sleep 1000\" & ' & exit 0"))
    assert outcome.verdict is PASS
    assert leftovers.none()


def test_a_grandchild_in_a_group_of_its_own_ends_with_the_lab(once: Once, leftovers: Any) -> None:
    assert once(shell("set -m; sleep 1000 & exit 0")).verdict is PASS
    assert leftovers.none()


@pytest.mark.parametrize("stay", ["0", "0.2"])
def test_a_daemon_ends_with_the_lab(once: Once, leftovers: Any, stay: str) -> None:
    outcome = once(rw.Command([sys.executable, "-c", DAEMON, "{config}", stay]))
    assert outcome.verdict is PASS
    assert leftovers.none()


def test_the_processes_of_a_lab_inside_a_trial_are_found_too(tmp_path: Path, once: Once, leftovers: Any) -> None:
    inner = tmp_path / "inner.py"
    inner.write_text(
        "import rootward as rw\n"
        f"rw.reduce(['a'], rw.Command(['/bin/sh', '-c', 'touch {tmp_path}/there; setsid sleep 1000', '{{file}}']))\n"
    )
    for timeout in (2, 10, 50, PATIENCE):  # until it is enough for the lab inside to start something
        outcome = once(rw.Command([sys.executable, str(inner), "{config}"], timeout=timeout))
        assert outcome.signature == "timeout"
        assert leftovers.none()
        if (tmp_path / "there").exists():
            return
    pytest.fail("the lab inside of the trial started nothing")


@pytest.mark.parametrize(
    ("script", "name"),
    [
        ("kill -SEGV $$", "SIGSEGV"),
        ("kill -KILL $$", "SIGKILL"),
        ("kill -ABRT $$", "SIGABRT"),
        ("exit 3", "exit code 3"),
        ("exit 255", "exit code 255"),
    ],
)
def test_the_way_it_dies_is_its_signature(once: Once, script: str, name: str) -> None:
    outcome = once(shell(script))
    assert (outcome.verdict, outcome.signature) == (FAIL, name)


def test_a_real_segmentation_fault(once: Once) -> None:
    assert once(python("import ctypes; ctypes.string_at(0)")).signature == "SIGSEGV"


def test_memory_is_bounded(once: Once) -> None:
    outcome = once(python("b = bytearray(4 << 30)", memory=1 << 30, signature=r"^(\w+Error)"))
    assert (outcome.verdict, outcome.signature) == (FAIL, "exit code 1: MemoryError")
    assert once(python("b = bytearray(4 << 20)", memory=1 << 30)).verdict is PASS


def size_of(folder: Path) -> int:
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*"))


@pytest.mark.parametrize("size", [10_000_000, pytest.param(1_000_000_000, marks=pytest.mark.rest)])
def test_a_long_output_is_shortened(once: Once, tmp_path: Path, size: int) -> None:
    """The beginning and the end stay, and are what the verdict looks at."""
    script = f"echo first; yes xxxxxxxxx | head -c {size}; echo last; exit 1"
    outcome = once(shell(script, signature="^(last)$"))
    assert (outcome.verdict, outcome.signature) == (FAIL, "exit code 1: last")
    assert outcome.detail == "xxxxxxxxx\nxxxxxxxxx\nlast"
    kept = Path(outcome.artifacts["output"]).read_bytes()
    assert len(kept) < (1 << 20) + 100
    assert kept.startswith(b"first\nxxxxxxxxx\n")
    assert kept.endswith(b"xxxxxxxxx\nlast\n")
    assert b"bytes left out" in kept
    assert size_of(tmp_path) < 2 << 20


def test_an_endless_output_is_ended(
    once: Once, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leftovers: Any
) -> None:
    monkeypatch.setattr(judge, "MAX_OUTPUT_BYTES", 1 << 26)
    outcome = once(shell("yes"))
    assert outcome.verdict is FAIL
    assert "of output" in (outcome.signature or "")
    assert size_of(tmp_path) < 2 << 20
    assert leftovers.none()


def test_a_grandchild_that_floods_after_the_end_does_not_fill_the_disk(once: Once, tmp_path: Path) -> None:
    assert once(shell("(sleep 0.1; yes) & exit 0")).verdict is PASS
    assert size_of(tmp_path) < 2 << 20


@pytest.mark.parametrize(
    "said",
    [
        "",
        "{",
        "not json",
        '{"verdict": "maybe"}',
        '{"verdict": null}',
        "[1, 2]",
        '{"other": 1}',
        '{"verdict": ["fail"]}',
    ],
)
def test_garbage_instead_of_a_verdict_is_unresolved(once: Once, said: str) -> None:
    outcome = once(rw.Command(["printf", "%s\n", said, "{seed}"], verdict="$.verdict"))
    assert outcome.verdict is UNRESOLVED
    assert "expected pass, fail, other or unresolved" in outcome.detail


def test_binary_garbage_around_a_verdict_does_not_hide_it(once: Once) -> None:
    script = r"""head -c 100000 /dev/urandom; printf '\n\377\376{\n{"verdict": "fail", "why": "x\\ud800"}\n\000\001'"""
    outcome = once(shell(script, verdict="$.verdict", signature="$.why"))
    assert outcome.verdict is FAIL
    assert (outcome.signature or "").startswith("x")


def test_deeply_nested_json_does_not_crash_the_lab(once: Once) -> None:
    script = "print('[' * 100000 + ']' * 100000)"
    outcome = once(python(script, verdict="$.verdict"))
    assert outcome.verdict is UNRESOLVED
    assert "no line of the output is JSON" in outcome.detail


def test_a_pattern_that_needs_for_ever_is_bounded_by_the_timeout(once: Once) -> None:
    """Nothing the subject prints may hang the lab: a long line without a match costs a moment at most."""
    outcome = once(shell("head -c 3000000 /dev/zero | tr '\\0' a; exit 1", signature=r"assert (\w+) failed"))
    assert outcome.verdict is FAIL
