"""When a recording began and ended, and whether its times ever go back."""

from __future__ import annotations

from rootward.formats.problems import Problems


class Span:
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
