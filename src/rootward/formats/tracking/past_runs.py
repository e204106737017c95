"""Past runs with their verdicts, as a table of trials: the form that Rootward writes and reads without options.

A run that its tracker calls failed has failed: it crashed, whatever it measured before. The other runs are judged by
the verdict, such as ``accuracy < 0.6``; without one, runs that finished have passed. A run that was stopped early or
has not ended is left out, unless the verdict is about the ``status`` itself.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rootward.errors import InputError
from rootward.facts import Fact
from rootward.formats.tables import moments
from rootward.formats.tables.facts import SetAside
from rootward.formats.tables.history import HistoryTable
from rootward.formats.tables.moments import check_until, parse_moment
from rootward.formats.tables.roles import CANDIDATE, Roles, VerdictColumn, describe_missing_column, make_judge
from rootward.formats.tables.sources import batch_rows, source_of
from rootward.formats.tracking.run import Experiment, PastRun, RunState
from rootward.space.fields import join, show
from rootward.verdict import FAIL, PASS, Verdict

if TYPE_CHECKING:
    from rootward.formats.tables.sources import Encoded


STATUS = "status"
LATER, UNDATED = "after the given date", "without a time"


class TrackedTrials:
    """The judged runs of a tracker. They are a source for ``read_history`` and can be written as a table."""

    text = False

    def __init__(
        self,
        tracked: Experiment,
        *,
        verdict: str | None = None,
        ignore: Iterable[str] = (),
        as_of: str | dt.date | None = None,
    ) -> None:
        """:param as_of: leave out runs that ended after this date, and settings that only those runs had"""
        self.title = tracked.title
        self.left_out = Counter(tracked.left_out)
        """Number of runs that are left out, by status or another reason."""
        self.results = _names(run.results for run in tracked.runs)
        decides = make_judge(
            verdict or STATUS, None, [STATUS, *self.results, *_names(run.settings for run in tracked.runs)]
        )
        known = {RunState.FINISHED, RunState.FAILED} | (
            {RunState.STOPPED} if verdict and decides.column == STATUS else set()
        )
        runs = list(self._select_judgeable(tracked.runs, None if as_of is None else moments.end_of(as_of), known))
        if not runs:
            why = f": {self.left_out_text}" if self.left_out else ""
            raise InputError(f"{self.title} has no usable runs{why}")
        self.settings = _settings(runs, ignore, decides)
        self._trials = [
            _trial(run, self.settings, one) for run, one in zip(runs, _verdicts(runs, decides), strict=True)
        ]
        self.names = ("run", *(CANDIDATE + name for name in self.settings), "verdict", "finished")

    @property
    def failing(self) -> int:
        return self._count(FAIL)

    @property
    def passing(self) -> int:
        return self._count(PASS)

    @property
    def notes(self) -> tuple[Fact, ...]:
        return (SetAside(tuple(sorted(self.left_out.items()))),) if self.left_out else ()

    @property
    def left_out_text(self) -> str:
        """The numbers of runs that are left out, by reason, as text."""
        return ", ".join(f"{number:,} {why}" for why, number in sorted(self.left_out.items()))

    def __len__(self) -> int:
        return len(self._trials)

    def trials(self) -> Iterator[Mapping[str, Any]]:
        """Return a row for each run, as in the tables of trials that Rootward writes."""
        return iter(self._trials)

    def batches(self, names: Sequence[str]) -> Iterator[list[Encoded]]:
        """Yield the columns ``names`` of all rows. See ``TableSource``."""
        return batch_rows((self._flat(trial) for trial in self._trials), names)

    def _flat(self, trial: Mapping[str, Any]) -> dict[str, Any]:
        return {**trial, **{CANDIDATE + name: value for name, value in trial["candidate"].items()}}

    def _count(self, verdict: Verdict) -> int:
        return sum(trial["verdict"] == verdict.value for trial in self._trials)

    def _select_judgeable(
        self, runs: Iterable[PastRun], end: dt.datetime | None, known: set[RunState]
    ) -> Iterator[PastRun]:
        """Yield the runs that can be judged. All other runs are counted in ``left_out``."""
        for run in runs:
            if run.state not in known:
                self.left_out[str(run.status)] += 1  # a damaged database may hold anything
            elif end is not None and run.finished is None:
                self.left_out[UNDATED] += 1
            elif end is not None and run.finished is not None and run.finished > end.timestamp():
                self.left_out[LATER] += 1
            else:
                yield run


def _settings(runs: Sequence[PastRun], ignore: Iterable[str], decides: VerdictColumn) -> tuple[str, ...]:
    names = _names(run.settings for run in runs)
    for name in (ignored := list(ignore)):
        if name not in names:
            raise InputError(f"ignore: {describe_missing_column(name, names)}")
    found = tuple(name for name in names if name not in ignored and name != decides.column)
    if not found:
        raise InputError("the runs have no settings: each must have logged the parameters it was given")
    return found


def _verdicts(runs: Sequence[PastRun], decides: VerdictColumn) -> list[Verdict]:
    if decides.column == STATUS:
        return decides.verdicts([run.status for run in runs], text=False)
    values = [run.results.get(decides.column, run.settings.get(decides.column)) for run in runs]
    if decides.atom is not None and not decides.compares(values, text=False):
        raise InputError(
            f"{decides.column} has no value that can be compared with {show(decides.atom.value)}; it has "
            f"{join(tuple(dict.fromkeys(map(str, values))))}"
        )
    said = decides.verdicts(values, text=False)
    return [FAIL if run.state is RunState.FAILED else one for run, one in zip(runs, said, strict=True)]


def _trial(run: PastRun, settings: Sequence[str], verdict: Verdict) -> dict[str, Any]:
    candidate = {name: run.settings.get(name) for name in settings}
    return {"run": run.id, "candidate": candidate, "verdict": verdict.value, "finished": run.finished}


def _names(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    return sorted({name for row in rows for name in row})


class TableTrials:
    """The judged runs of a table (CSV, Parquet, JSON lines).

    It is the counterpart of ``TrackedTrials`` for files. The table may be larger than the memory.
    """

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
    def left_out_text(self) -> str:
        """The numbers of runs that are left out, by reason, as text."""
        left_out = {LATER: self._history.later, UNDATED: self._history.undated}
        return ", ".join(f"{number:,} {why}" for why, number in left_out.items() if number)

    def __len__(self) -> int:
        return len(self._history)

    def trials(self) -> Iterator[Mapping[str, Any]]:
        """Yield a row for each run, as in the tables of trials that Rootward writes."""
        for (candidate, verdict), finished in zip(self._history, self._moments(), strict=True):
            yield {"candidate": candidate, "verdict": verdict.value, "finished": finished}

    def _moments(self) -> Iterator[float | None]:
        """Yield the time of each run in seconds since 1970, or None if it is unknown."""
        time, end = self._roles.time, self._roles.end
        if time is None:
            yield from repeat(None, len(self))
            return
        for [(values, places)] in self._source.batches([time]):
            counts = [end is None or early is True for early in check_until(values, end, time)]
            seconds = [None if (when := parse_moment(value)) is None else when.timestamp() for value in values]
            yield from (seconds[place] for place in places.tolist() if counts[place])
