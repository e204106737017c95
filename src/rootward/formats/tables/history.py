"""Earlier runs as a table: the settings and the verdict of each run (the paper's execution history, section 3).

A history may be larger than the memory, so it is read batch by batch, in two kinds of passes. The first pass collects
the values of each column, which define the space, and counts the verdicts. Every later pass (``chunks``) yields the
rows as numbers: the indices of their values. No rows are kept between passes.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rootward.errors import InputError
from rootward.facts import Fact
from rootward.formats.tables import facts, moments
from rootward.formats.tables.columns import ColumnValues
from rootward.formats.tables.facts import Odd
from rootward.formats.tables.roles import Roles, find_results
from rootward.formats.tables.sources import VERDICT, TableSource, drop_unused, source_of
from rootward.space.fields import show
from rootward.space.space import Int, Space
from rootward.verdict import FAIL, PASS, Verdict

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rootward.formats.tables.sources import Encoded

    Judged = tuple[NDArray[np.int8], Sequence[Encoded]]

VERDICTS = tuple(Verdict)
"""The verdicts behind the numbers of ``chunks``: PASS is 0, FAIL 1, OTHER 2, UNRESOLVED 3."""
MAX_VALUES = 5_000_000
"""Maximum number of distinct values, over all columns, that are kept in memory."""
MIN_ROWS_TO_SUSPECT = 10
"""Minimum number of rows for a note about a column that differs in all of them; fewer may all differ by chance."""


def read_history(
    source: str | Path | Iterable[tuple[Mapping[str, Any], Verdict | bool]] | Any,
    *,
    verdict: str | None = None,
    fails: Any = None,
    ignore: Iterable[str] = (),
    time: str | None = None,
    as_of: str | dt.date | None = None,
) -> HistoryTable:
    """Read earlier runs, with their settings and verdicts.

    :param source: a file (CSV, Parquet, JSON lines), a frame (pandas, Polars, Arrow), or ``(configuration, verdict)``
        pairs, where True means that the run failed; a table of trials that Rootward wrote needs no other parameter
    :param verdict: the column with the verdicts, or a comparison that holds for failing runs, such as ``score < 0.6``
        (a run without a score failed, too)
    :param fails: the values of that column that mean failing, if they are not obvious words such as ``failed``
    :param ignore: columns that are not settings
    :param time: the column with the time of each run
    :param as_of: leave out runs after this date
    """
    table = source_of(source)
    if table.names[-1:] == (VERDICT,) and (verdict, fails, time, as_of) != (None,) * 4:
        raise InputError("pairs include their verdicts: use verdict, fails, time and as_of only with tables")
    return HistoryTable(table, Roles.of(table, verdict, fails, list(ignore), time, as_of))


class HistoryTable:
    """Runs with their settings and verdicts. Iteration yields ``(configuration, verdict)`` and can be repeated."""

    space: Space
    """One field per column with its observed values: numbers by size, text in alphabetical order."""
    failing: int
    passing: int
    later: int
    """Number of runs left out because they were made after ``as_of``."""
    undated: int
    """Number of runs left out because they have no time."""
    notes: tuple[Fact, ...]
    """Facts that a user should know before trusting the history."""

    def __init__(self, source: TableSource, roles: Roles) -> None:
        """Do not call this; call ``read_history``."""
        self._source, self._roles = source, roles
        self.later = self.undated = 0
        self._comparable = False
        self._seen = [ColumnValues(column, text=source.text) for column in roles.columns]
        verdicts, marks = self._learn()
        self._rows = len(verdicts)
        self.passing, self.failing, _, unresolved = (int((verdicts == number).sum()) for number in range(4))
        self._check()
        self.space = Space((name, seen.close()) for name, seen in zip(roles.names, self._seen, strict=True))
        self.notes = tuple(self._all_notes(unresolved, *_count_repeated(marks, verdicts)))

    @property
    def names(self) -> tuple[str, ...]:
        return self.space.names

    @property
    def values(self) -> tuple[tuple[Any, ...], ...]:
        """The distinct values of each column, in the order of the space."""
        return tuple(field.values for _, field in self.space.items())

    def __len__(self) -> int:
        """The number of runs."""
        return self._rows

    def __iter__(self) -> Iterator[tuple[dict[str, Any], Verdict]]:
        names, values = self.names, self.values
        for codes, verdicts in self.chunks():
            for row, verdict in zip(codes, verdicts, strict=True):
                cells = [among[place] for among, place in zip(values, row.tolist(), strict=True)]
                yield dict(zip(names, cells, strict=True)), VERDICTS[verdict]

    def chunks(self) -> Iterator[tuple[NDArray[Any], NDArray[np.int8]]]:
        """Yield all runs in order, in chunks of at most 100 MB.

        A chunk is a matrix of indices into ``values`` and an array of indices into ``VERDICTS``.
        """
        import numpy as np

        kind = np.min_scalar_type(max(map(len, self.values)) - 1)
        for verdicts, columns in self._judge_batches():
            codes = np.empty((len(verdicts), len(columns)), kind, order="F")
            for at, (seen, (values, places)) in enumerate(zip(self._seen, columns, strict=True)):
                codes[:, at] = seen.places(values, kind).take(places)
            yield codes, verdicts

    def __repr__(self) -> str:
        return f"<HistoryTable of {self._rows} runs, {self.failing} failing: {self.space!r}>"

    # The first pass

    def _learn(self) -> tuple[NDArray[np.int8], NDArray[np.uint64]]:
        """Return the verdict of every run, and a hash of each run's configuration."""
        import numpy as np

        verdicts, marks = [np.empty(0, np.int8)], [np.empty(0, np.uint64)]
        for found, columns in self._judge_batches():
            mark = np.zeros(len(found), np.uint64)
            for seen, (values, places) in zip(self._seen, columns, strict=True):
                mark += seen.add(values).take(places)
            verdicts.append(found)
            marks.append(mark)
            if sum(map(len, self._seen)) > MAX_VALUES:
                most = max(self._seen, key=len)
                raise InputError(
                    f"the columns have too many different values, the most in {most.column} ({len(most):,} or more): "
                    "add it to ignore, or round its values"
                )
        return np.concatenate(verdicts), np.concatenate(marks)

    def _judge_batches(self) -> Iterator[Judged]:
        """Yield the verdicts and settings of the rows, batch by batch. Rows that are too late are left out."""
        import numpy as np

        source, roles = self._source, self._roles
        self.later = self.undated = 0
        dated = [roles.time] if roles.time is not None and roles.end is not None else []
        for batch in source.batches([*roles.columns, roles.judge.column, *dated]):
            *columns, (values, places) = self._drop_later_runs(batch) if dated else batch
            self._comparable |= roles.judge.compares(values, text=source.text)
            numbers = [VERDICTS.index(one) for one in roles.judge.verdicts(values, text=source.text)]
            yield np.array(numbers, np.int8).take(places), columns

    def _drop_later_runs(self, batch: list[Encoded]) -> list[Encoded]:
        """Return the batch without the rows that are too late or have no time.

        The last column of the batch holds the time. It is dropped from the result.
        """
        import numpy as np

        *others, (values, places) = batch
        early = moments.check_until(values, self._roles.end, self._roles.time)
        kept = np.array([one is True for one in early], bool).take(places)
        undated = int(np.array([one is None for one in early], bool).take(places).sum())
        self.undated += undated
        self.later += int((~kept).sum()) - undated
        return [drop_unused(values, places[kept]) for values, places in others]

    def _check(self) -> None:
        judge = self._roles.judge
        if not self._rows:
            when = f" up to {self._roles.end:%Y-%m-%d %H:%M}" if self.later or self.undated else ""
            raise InputError(f"{self._source.title} has no runs{when}")
        if not self._comparable and judge.atom is not None:
            raise InputError(
                f"the column {judge.column} has no value that can be compared with {show(judge.atom.value)}"
            )

    def _all_notes(self, unresolved: int, again: int, both: int) -> Iterator[Fact]:
        """Yield the facts of ``notes``."""
        yield from self._source.notes
        yield from self._roles.notes
        yield from self._column_notes()
        counted: list[tuple[int, Callable[[int], Fact]]] = [
            (self.later, facts.LaterRuns),
            (self.undated, facts.UndatedRuns),
            (unresolved, facts.UnjudgedRuns),
            (again, facts.RepeatedRuns),
            (both, facts.Contradictions),
        ]
        yield from (kind(count) for count, kind in counted if count)
        yield from (facts.NoRun(failed) for count, failed in ((self.failing, True), (self.passing, False)) if not count)

    def _column_notes(self) -> Iterator[Fact]:
        kinds = {name: seen.kinds for name, seen in zip(self.names, self._seen, strict=True)}
        about = {
            Odd.MIXED: [name for name, found in kinds.items() if len(found - {"missing"}) > 1],
            Odd.MISSING: [name for name, found in kinds.items() if len(found) > 1 and "missing" in found],
            Odd.DIFFERENT: [
                name
                for name, field in self.space.items()
                if self._rows >= MIN_ROWS_TO_SUSPECT
                and len(field.values) == self._rows
                and (isinstance(field, Int) or not field.ordered)
            ],
            Odd.RESULT: find_results(self.names),
        }
        yield from (facts.OddColumns(tuple(names), odd) for odd, names in about.items() if names)


def _count_repeated(marks: NDArray[np.uint64], verdicts: NDArray[np.int8]) -> tuple[int, int]:
    """Count repeated runs and contradictory configurations.

    Returns the number of runs that have the configuration of an earlier run, and the number of configurations that both
    passed and failed.
    """
    import numpy as np

    different, which = np.unique(marks, return_inverse=True)
    passed, failed = (
        np.bincount(which[verdicts == VERDICTS.index(verdict)], minlength=len(different)) > 0
        for verdict in (PASS, FAIL)
    )
    return len(marks) - len(different), int((passed & failed).sum())
