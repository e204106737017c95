"""A system that is known by its recordings only: whoever wants to run it is told that it cannot be run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from rootward.errors import InputError


@dataclass(frozen=True)
class Recorded:
    """The subject of a study of recordings."""

    name: str

    @property
    def identity(self) -> str:
        return f"recordings {self.name}"

    @property
    def seeded(self) -> bool:
        return False

    @property
    def inline(self) -> bool:
        return True

    def run(self, candidate: Any, *, seed: int, place: Path) -> NoReturn:
        raise InputError(f"{self.name} has recordings only, and no [subject] that could be run")

    by_hand = run
