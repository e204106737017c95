"""What could not be read in a file that is otherwise kept: the first few places with their reasons, then a count."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

MOST = 20
"""Places that are told one by one: a file of noise has as many as lines."""
LONGEST = 1_000_000
"""Characters of a line; a longer one is no line of a log."""


class Problems:
    """Collects what is wrong with one file."""

    def __init__(self, path: Path | str) -> None:
        self.path, self._texts, self._more = path, list[str](), 0

    def add(self, where: str, reason: object) -> None:
        """``where`` is a line or a frame; empty if it is the file as a whole."""
        if len(self._texts) < MOST:
            said = " ".join(str(reason).split())[:200] or type(reason).__name__
            self._texts.append(f"{self.path}: {where}: {said}" if where else f"{self.path}: {said}")
        else:
            self._more += 1

    @property
    def texts(self) -> tuple[str, ...]:
        more = (f"{self.path}: and {self._more:,} more problems",) if self._more else ()
        return (*self._texts, *more)


def numbered(path: Path, problems: Problems) -> Iterator[tuple[int, str]]:
    """The lines of a text, from 1, without their ends; what is no UTF-8 is replaced, what is too long is left out."""
    with open(path, encoding="utf-8-sig", errors="replace") as file:
        number = 0
        while line := file.readline(LONGEST):
            number += 1
            if len(line) < LONGEST or line.endswith("\n"):
                yield number, line.rstrip("\n")
                continue
            problems.add(f"line {number}", "too long")
            while (line := file.readline(LONGEST)) and not line.endswith("\n"):
                pass


def short(text: str) -> str:
    """A piece of the text, quoted for a message."""
    return repr(text if len(text) <= 60 else text[:57] + "...")
