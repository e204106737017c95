"""Whether what is run now is what made the history: a run of it that passed, and one that failed, are run again."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from rootward.search import Answers, Ask
from rootward.searches.causes.inquiry import Asking, Inquiry
from rootward.verdict import FAIL, UNRESOLVED, Verdict


class Trust:
    """What was run again, and what that said; ``rate``: how often a run inside of a cause fails."""

    def __init__(self, inquiry: Inquiry, rate: float) -> None:
        self._inquiry, self._rate = inquiry, rate
        self._passed = self._failed = False
        self.changed = False
        """Whether what passed in the history fails now."""

    def still_passes(self) -> Generator[Asking, Answers, bool]:
        """Whether a passing run of the history still passes; asked once, before very much is believed."""
        inquiry = self._inquiry
        old = self._runnable(np.flatnonzero(inquiry.runs.fails[: inquiry.known] == 0))
        if old and not self._passed and self._rate == 1:
            self._passed = True
            self.changed = (yield from self._again(old[0], "does a passing run of the history still pass?")) is FAIL
        return not self.changed

    def still_fails(self) -> Generator[Asking, Answers, None]:
        """Run again what failed in the history where no new run backs a cause; a note says if it does not fail."""
        inquiry = self._inquiry
        for box in inquiry.causes:
            inside = np.flatnonzero(inquiry.inside(box) & (inquiry.runs.fails > 0))
            old = self._runnable(inside)
            if old and inside[-1] < inquiry.known and not self._failed:
                self._failed = True
                verdict = yield from self._again(old[0], "does a failing run of the history still fail?")
                if verdict not in (None, FAIL, UNRESOLVED) and self._rate == 1:
                    inquiry.notes += (
                        "A run that failed in the history does not fail now with the same settings: perhaps what is "
                        "run is not what made the history, or the failure does not show every time (flaky).",
                    )

    def _runnable(self, rows: np.typing.NDArray[np.int64]) -> list[int]:
        return [int(row) for row in rows if self._inquiry.pipeline.allows(self._inquiry.runs.codes[row])]

    def _again(self, row: int, note: str) -> Generator[Asking, Answers, Verdict | None]:
        again = self._inquiry.pipeline.configuration(self._inquiry.runs.codes[row])
        [outcome] = yield Ask([again], best=self._inquiry.best, note=note)
        return None if outcome is None else outcome.verdict
