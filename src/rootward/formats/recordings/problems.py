"""Problems and times that a reader of recordings returns besides the frames.

A broken line or frame never stops a reader: it is added to `Problems`, with its place and the reason.
"""

from __future__ import annotations

from pathlib import Path

MAX_LISTED_PROBLEMS = 20
"""Maximum number of problems listed per file; the others are counted, since in a file of noise every line is one."""


class Problems:
    """The parts of one file that could not be read. Only the first few are listed; the rest are counted."""

    def __init__(self, path: Path | str) -> None:
        self.path, self._texts, self._more = path, list[str](), 0

    def add(self, where: str, reason: object) -> None:
        """Add a problem. ``where`` names a line or a frame. It is empty if the problem is with the whole file."""
        if len(self._texts) < MAX_LISTED_PROBLEMS:
            said = " ".join(str(reason).split())[:200] or type(reason).__name__
            self._texts.append(f"{self.path}: {where}: {said}" if where else f"{self.path}: {said}")
        else:
            self._more += 1

    @property
    def texts(self) -> tuple[str, ...]:
        more = (f"{self.path}: and {self._more:,} more problems",) if self._more else ()
        return (*self._texts, *more)


def quote(text: str) -> str:
    """Return the text quoted for a message, shortened at the end."""
    return repr(text if len(text) <= 60 else text[:57] + "...")


class RecordingSpan:
    """The first and last time of a recording, and the places where its time goes back."""

    def __init__(self) -> None:
        self.first: int | None = None
        """The earliest time, in microseconds; None if there was none."""
        self.last = 0
        """The latest time."""
        self._before = 0
        self._where, self._times = 0, 0

    def add(self, time: int, number: int) -> None:
        """Include ``time``, which was read at line or frame ``number``."""
        if time < self._before:
            self._where, self._times = self._where or number, self._times + 1
            self.first = time if self.first is None else min(self.first, time)
        elif self.first is None:
            self.first = time
        if time > self.last:
            self.last = time
        self._before = time

    def report(self, problems: Problems) -> None:
        """Add a problem if the time went back."""
        if self._times:
            often = f", {self._times:,} times in all" if self._times > 1 else ""
            problems.add(f"line or frame {self._where}", f"the time goes back{often}; events are sorted by time")
