"""Systems under test, as something that can be run on a candidate."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from rootward.verdict import Outcome


@runtime_checkable
class Subject(Protocol):
    """What the lab runs. Plain callables become one through ``rootward.subjects.function.Function``."""

    @property
    def identity(self) -> str:
        """A text that names the system: trials are remembered under it, so it changes when the system does."""
        ...

    @property
    def seeded(self) -> bool:
        """Whether the seed reaches the system: if not, trials are remembered for every seed alike."""
        ...

    @property
    def inline(self) -> bool:
        """Whether it must run in the lab's own thread: fast, but with no time-out and no parallelism."""
        ...

    def run(self, candidate: Any, *, seed: int, place: Path) -> Outcome:
        """Run once. ``place`` is a folder of this trial's own; make it if it is needed."""
        ...

    def by_hand(self, candidate: Any, *, seed: int, place: Path) -> str:
        """What a person types to do the same."""
        ...
