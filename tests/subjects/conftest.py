"""What the tests of subjects share: a way to run one trial, and a way to see what it left running."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward.subjects import Subject, process
from tests.waiting import until

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

    def wait_for(self, command: str) -> None:
        """Wait until one of them is that command."""
        until(lambda: command in (words.strip() for words in self()), f"{command} runs")

    def none(self) -> bool:
        """Wait until all of them have gone."""
        return bool(until(lambda: not self(), f"its processes have gone: {self()}"))


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
