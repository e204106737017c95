"""What a reader of recordings tells besides the frames: what it could not read, and the time from first to last.

A broken line or frame never stops a reader: it is noted in `Problems`, with its place and the reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

MOST = 20
"""Places that are told one by one: a file of noise has as many as lines."""
LONGEST = 1_000_000
"""Characters of a line; a longer one is no line of a log."""


class Problems:
    """What could not be read in one file: the first few places one by one, then a count."""

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


class Span:
    """When a recording began and ended, and whether its times ever go back."""

    def __init__(self) -> None:
        self.first: int | None = None
        """The earliest instant, in microseconds; None if there was none."""
        self.last = 0
        """The latest."""
        self._before = 0
        self._where, self._times = 0, 0

    def see(self, time: int, number: int) -> None:
        """Something happened then, at that place in the file."""
        if time < self._before:
            self._where, self._times = self._where or number, self._times + 1
            self.first = time if self.first is None else min(self.first, time)
        elif self.first is None:
            self.first = time
        if time > self.last:
            self.last = time
        self._before = time

    def tell(self, problems: Problems) -> None:
        if self._times:
            often = f", {self._times:,} times in all" if self._times > 1 else ""
            problems.add(
                f"line or frame {self._where}", f"the time goes back{often}; events are put in the order of time"
            )
