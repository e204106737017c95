"""A table of runs (CSV, Parquet, JSON lines) and its verdicts as a table of trials; it may not fit into the memory."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from itertools import repeat
from pathlib import Path
from typing import Any

from rootward.formats.history import HistoryTable, source_of
from rootward.formats.moments import moment, until
from rootward.formats.roles import CANDIDATE, Roles
from rootward.formats.tracking.imported import LATER, UNDATED


class Tabled:
    """What ``Imported`` is for runs of a tracker."""

    results: tuple[str, ...] = ()

    def __init__(
        self,
        path: Path,
        *,
        verdict: str | None = None,
        ignore: Iterable[str] = (),
        time: str | None = None,
        as_of: str | dt.date | None = None,
    ) -> None:
        self.title = str(path)
        self._source = source_of(path)
        own = "finished" in self._source.names and any(name.startswith(CANDIDATE) for name in self._source.names)
        time = "finished" if own and verdict is None and time is None else time
        self._roles = Roles.of(self._source, verdict, None, list(ignore), time, as_of)
        self._history = HistoryTable(self._source, self._roles)
        self.settings = self._history.names
        self.failing, self.passing = self._history.failing, self._history.passing

    @property
    def told(self) -> str:
        """Which runs are left out, in words."""
        left_out = {LATER: self._history.later, UNDATED: self._history.undated}
        return ", ".join(f"{number:,} {why}" for why, number in left_out.items() if number)

    def __len__(self) -> int:
        return len(self._history)

    def trials(self) -> Iterator[Mapping[str, Any]]:
        """A row for each run, as in the tables of trials that Rootward writes."""
        for (candidate, verdict), finished in zip(self._history, self._moments(), strict=True):
            yield {"candidate": candidate, "verdict": verdict.value, "finished": finished}

    def _moments(self) -> Iterator[float | None]:
        """When each of the runs was made, as far as that is known, in seconds since 1970."""
        time, end = self._roles.time, self._roles.end
        if time is None:
            yield from repeat(None, len(self))
            return
        for [(values, places)] in self._source.batches([time]):
            counts = [end is None or early is True for early in until(values, end, time)]
            seconds = [None if (when := moment(value)) is None else when.timestamp() for value in values]
            yield from (seconds[place] for place in places.tolist() if counts[place])
