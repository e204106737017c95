"""What each column of a table of runs is for: a setting, the verdict, the time, or nothing that matters here."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rootward.errors import InputError
from rootward.fields import join
from rootward.formats import moments
from rootward.formats.batches import VERDICT, Source
from rootward.formats.judgement import Judge, judge, no_column

CANDIDATE = "candidate."
"""How the columns of a configuration begin in a table of trials that Rootward wrote."""
SELECTION = {"candidate.kept", "candidate.of"}
"""The columns of candidates that are no configurations."""
_UNNAMED = ("", "__index_level_0__")


@dataclass(frozen=True)
class Roles:
    """Columns that are settings (``names``: what the user calls them), and those that judge and date a run."""

    columns: tuple[str, ...]
    names: tuple[str, ...]
    judge: Judge
    time: str | None
    end: dt.datetime | None
    notes: tuple[str, ...]

    @classmethod
    def of(
        cls,
        source: Source,
        said: str | None,
        fails: Any,
        ignore: list[str],
        time: str | None,
        as_of: str | dt.date | None,
    ) -> Roles:
        """InputError for whatever does not fit the columns there are."""
        names = _names(source)
        own = said is None and "verdict" in names and any(name.startswith(CANDIDATE) for name in names)
        prefix = CANDIDATE if own else ""
        ignored = [_column(name, prefix, names) for name in ignore]
        time = _time("finished" if own and as_of and time is None else time, as_of, names)
        if VERDICT in names:
            decides = Judge(VERDICT, lambda verdict: verdict)
        else:
            decides = judge("verdict" if own else said, fails, names)
        apart = {*ignored, decides.column, time}
        columns = tuple(name for name in names if name not in apart and name.startswith(prefix))
        if not columns or (own and {*columns} == SELECTION):
            raise InputError(f"{source.title} has no settings: expected columns with the values that each run had")
        notes = ["a column without a name is left out"] if len(names) < len(source.names) else []
        notes += [f"left out: {join(tuple(ignored))}"] if ignored else []
        short = tuple(name.removeprefix(prefix) for name in columns)
        return cls(columns, short, decides, time, None if as_of is None else moments.end_of(as_of), tuple(notes))


def _names(source: Source) -> list[str]:
    names = [name for name in source.names if name not in _UNNAMED]
    if not {*names} - {VERDICT}:
        raise InputError(f"{source.title} has no runs")
    [(name, count)] = Counter(names).most_common(1)
    if count > 1:
        raise InputError(f"{source.title}: two columns have the name {name!r}")
    return names


def _time(time: str | None, as_of: object, names: Sequence[str]) -> str | None:
    if time is None and as_of is not None:
        raise InputError("as_of needs time, the column that says when a run was made")
    if time is not None and time not in names:
        raise InputError(f"time: {no_column(time, names)}")
    return time


def _column(name: str, prefix: str, names: Sequence[str]) -> str:
    if (full := name if name in names else prefix + name) not in names:
        raise InputError(f"ignore: {no_column(name, names)}")
    return full
