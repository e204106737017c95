"""What the tests of subjects share: a way to run one trial, and a way to see what it left running."""

from __future__ import annotations

import contextlib
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward.subjects import Subject, process

MARKER = "ROOTWARD_TEST"


class Leftovers:
    """Processes started since the test began, children of children included: they inherit a mark."""

    def __init__(self, mark: str) -> None:
        self._mark = f"{MARKER}={mark}".encode()

    def __call__(self) -> list[str]:
        found = []
        for environ in Path("/proc").glob("[0-9]*/environ"):
            with contextlib.suppress(OSError):
                if self._mark in environ.read_bytes().split(b"\0"):
                    words = environ.with_name("cmdline").read_bytes().replace(b"\0", b" ")
                    found.append(words.decode("utf-8", "replace"))
        return found

    def wait_for(self, count: int, seconds: float = 10.0) -> None:
        end = time.monotonic() + seconds
        while len(self()) < count:
            assert time.monotonic() < end, f"only {self()} run, not {count}"
            time.sleep(0.01)

    def none(self, seconds: float = 3.0) -> bool:
        """Whether all of them go within a moment."""
        end = time.monotonic() + seconds
        while self():
            if time.monotonic() > end:
                return False
            time.sleep(0.01)
        return True


@pytest.fixture
def leftovers(monkeypatch: pytest.MonkeyPatch) -> Leftovers:
    process.guard()  # before the mark is set: the guardian stays for the whole session
    mark = uuid.uuid4().hex
    monkeypatch.setenv(MARKER, mark)
    return Leftovers(mark)


class Nothing(rw.Finding):
    """The finding of a search that only looks."""

    def answer(self) -> dict[str, Any]:
        return {}


@pytest.fixture
def once(tmp_path: Path) -> Callable[..., rw.Outcome]:
    """Run one trial of a subject in a lab of its own, as a search would; its outcome."""

    def run(subject: Subject | Callable[..., Any], candidate: Any = None, **lab: Any) -> rw.Outcome:
        seen: list[rw.Outcome] = []

        def search() -> Any:
            seen.extend((yield from rw.all_of([{} if candidate is None else candidate], best=Nothing())))
            return Nothing()

        with rw.Lab(subject, store=tmp_path / "store.db", **lab) as running:
            running.run(search())
        return seen[0]

    return run
