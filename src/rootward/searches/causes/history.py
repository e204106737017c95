"""The history: the pipeline as earlier runs define it, and these runs.

A history may have any size. If it does not fit into memory, only a part is kept: failing runs first, and an even sample
of the passing ones. The whole history is read again whenever causes have been found (``KnownRuns.find_refuting``). To
check that the subject still behaves as in the history, one of its passing and one of its failing runs are repeated
(``RerunCheck``).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from rootward.errors import InputError
from rootward.facts import Fact
from rootward.formats.tables.facts import Contradictions
from rootward.rules import Rule
from rootward.search.ask import Answers, Search
from rootward.search.design import Box, Instance
from rootward.search.reruns import run_again
from rootward.searches.causes.causes import Causes
from rootward.searches.causes.facts import Contradictory, KeptInMind, OfHistory, Remark
from rootward.searches.causes.instance_queries import Asking, InstanceQueries, box_of
from rootward.searches.causes.pipeline import Pipeline
from rootward.searches.causes.runs import History, Runs, read_runs
from rootward.space.candidate import Configuration, Variation
from rootward.space.fields import show
from rootward.space.keys import canonical
from rootward.space.space import Space

MAX_CELLS = 200_000_000
"""Maximum number of values of runs to keep in memory."""
MAX_REFUTING = 20
"""Maximum number of refuting runs to return from one reading of the history."""


@runtime_checkable
class HistoryBatches(Protocol):
    """A history that is read in chunks.

    Each chunk has the indices of values, and the verdicts as numbers (0: passes, 1: fails, 2: fails in another way, 3:
    unknown).
    """

    @property
    def names(self) -> Sequence[str]: ...
    @property
    def values(self) -> Sequence[Sequence[Any]]: ...
    @property
    def notes(self) -> Sequence[Fact]: ...
    def __len__(self) -> int: ...
    def chunks(self) -> Iterator[tuple[NDArray[Any], NDArray[np.int8]]]: ...


class KnownRuns:
    """A pipeline and its known runs."""

    def __init__(
        self,
        space: Space,
        history: History | HistoryBatches = (),
        *,
        never: Rule | None = None,
        cost: Callable[[Mapping[str, Any]], float] | None = None,
        flaky: bool = False,
    ) -> None:
        """``flaky``: settings that both failed and passed count as failing. Without ``flaky`` they are set aside."""
        if not isinstance(space, Space):
            raise InputError(f"the settings must be a rootward.Space, not {space!r:.80}")
        self.table = history if isinstance(history, HistoryBatches) else None
        if isinstance(history, HistoryBatches):
            seen = {
                name: [space[name].coerce(value, name) for value in values]
                for name, values in zip(history.names, history.values, strict=True)
                if name in space
            }
            self.pipeline = Pipeline(space, seen, never=never, cost=cost)
            self._order = self._find_columns(history)
            """For each parameter, its column in the table."""
            self._places = self._translate_values(history)
            """For each parameter, the place in its universe of each value of the table."""
            self.runs = self._read_table(history)
        else:
            rows = _check_rows(space, history)
            seen = {name: [configuration[name] for configuration, _ in rows] for name in space.names}
            self.pipeline = Pipeline(space, seen, never=never, cost=cost)
            self.runs = read_runs(self.pipeline, rows)
        if not flaky and (torn := self.runs.contradictory):
            self.runs = self.runs.without(torn)
            self.runs.notes += (Contradictory(len(torn)),)

    @property
    def failing(self) -> Variation | None:
        """A combination that failed and may be run again; None if none is known."""
        runnable = filter(self.pipeline.allows, self.runs.failing)
        return next(map(self.pipeline.configuration, runnable), None)

    def _find_columns(self, table: HistoryBatches) -> list[int]:
        at = {name: place for place, name in enumerate(table.names)}
        if missing := [name for name in self.pipeline.names if name not in at]:
            raise InputError(f"the history has no column {missing[0]!r}, which is a field of the space")
        return [at[name] for name in self.pipeline.names]

    def _translate_values(self, table: HistoryBatches) -> list[NDArray[np.int64]]:
        found = []
        for name, own, at in zip(self.pipeline.names, self.pipeline.places, self._order, strict=True):
            field = self.pipeline.space[name]
            places = [own[canonical(field.coerce(value, name))] for value in table.values[at]]
            found.append(np.array(places, dtype=np.int64))
        return found

    def _read_table(self, table: HistoryBatches) -> Runs:
        """Return the runs of the table: all of them, or as many of each verdict as fit into memory."""
        room = max(1000, MAX_CELLS // max(1, len(self.pipeline)))
        share = min(1.0, room / max(1, len(table)))
        notes = tuple(OfHistory(note) for note in table.notes if not isinstance(note, Contradictions))
        runs, rng = Runs(self.pipeline, notes), np.random.default_rng(0)
        left = dict.fromkeys((True, False), room if share < 1 else len(table))
        for codes, verdicts in table.chunks():
            wanted = (verdicts < 3) & ((verdicts == 1) | (rng.random(len(verdicts)) < share))
            for row, failed in zip(self._translate(codes[wanted]), verdicts[wanted] == 1, strict=True):
                if left[bool(failed)]:
                    left[bool(failed)] -= 1
                    runs.add(tuple(row.tolist()), bool(failed))
        if share < 1:
            runs.notes += (KeptInMind(len(runs), len(table)),)
        return runs

    def _translate(self, codes: NDArray[Any]) -> NDArray[np.int64]:
        columns = [own[codes[:, at]] for own, at in zip(self._places, self._order, strict=True)]
        return np.stack(columns, axis=1) if columns else np.zeros((len(codes), 0), dtype=np.int64)

    def search_with_history(self, search: Callable[[Pipeline, Runs], Search[Any, Causes]]) -> Search[Any, Causes]:
        """Run the search, and repeat it while the whole history refutes its causes.

        Before each repetition, add the refuting runs.
        """
        while True:
            found = yield from search(self.pipeline, self.runs)
            boxes = [box_of(self.pipeline, cause) for cause in found.causes]
            new = [one for one in self.find_refuting(boxes) if one not in self.runs]
            if not new:
                return found
            for one in new:
                self.runs.add(one, False)

    def find_refuting(self, boxes: Iterable[Box]) -> list[Instance]:
        """Return some passing runs of the whole history that lie inside of a cause.

        The list is empty if there are none.
        """
        if self.table is None or len(self.table) <= len(self.runs):
            return []
        wanted = [{p: allowed[self._places[p]] for p, allowed in box.items()} for box in boxes]
        found: list[Instance] = []
        for codes, verdicts in self.table.chunks():
            passed = (verdicts == 0) | (verdicts == 2)
            inside = np.zeros(len(codes), dtype=bool)
            for box in wanted:
                held = passed.copy()
                for p, allowed in box.items():
                    held &= allowed[codes[:, self._order[p]]]
                inside |= held
            found += [tuple(row.tolist()) for row in self._translate(codes[inside][: MAX_REFUTING - len(found)])]
            if len(found) >= MAX_REFUTING:
                break
        return found


def _check_rows(space: Space, history: History) -> list[tuple[dict[str, Any], Any]]:
    """Return the rows of a history; InputError if one does not fit the space."""
    if isinstance(history, str | Path) or hasattr(history, "columns"):
        raise InputError("the history is a file or a data frame: read it with rootward.read_history first")
    if not isinstance(history, Iterable):
        raise InputError(f"the history is {show(history)}: expected pairs of a configuration and its verdict")
    found = []
    for number, row in enumerate(history, 1):
        try:
            configuration, verdict = row
        except (TypeError, ValueError):
            expected = "expected a pair of a configuration and its verdict"
            raise InputError(f"run {number} of the history is {show(row)}: {expected}") from None
        try:
            found.append((space.check(configuration), verdict))
        except InputError as error:
            raise InputError(f"run {number} of the history: {error}") from error
    return found


class RerunCheck:
    """Repeats a few runs of the history to see if their verdicts are still the same.

    ``rate``: how often a run that a cause covers fails.
    """

    def __init__(self, queries: InstanceQueries, rate: float) -> None:
        self._queries, self._rate = queries, rate
        self._passed = self._failed = False
        self.changed = False
        """True if a run that passed in the history fails now."""

    def still_passes(self) -> Generator[Asking, Answers, bool]:
        """Repeat a passing run of the history, at most once per search. Return False if the run fails now."""
        queries = self._queries
        old = self._select_runnable(np.flatnonzero(queries.runs.fails[: queries.history_count] == 0))
        if old and not self._passed and self._rate == 1:
            self._passed = True
            note = "checking that a passing run of the history still passes"
            self.changed = yield from self._repeat(old[0], False, note)
        return not self.changed

    def still_fails(self) -> Generator[Asking, Answers, None]:
        """Repeat a failing run of the history if some cause is supported only by runs of the history.

        The repeated run is one that supports the cause. A note is added if it passes now.
        """
        queries = self._queries
        for box in queries.causes:
            inside = np.flatnonzero(queries.runs_inside(box) & (queries.runs.fails > 0))
            old = self._select_runnable(inside)
            if old and inside[-1] < queries.history_count and not self._failed:
                self._failed = True
                note = "checking that a failing run of the history still fails"
                changed = yield from self._repeat(old[0], True, note)
                if changed and self._rate == 1:
                    queries.notes += (Remark.FAILURE_PASSES_NOW,)

    def _select_runnable(self, rows: np.typing.NDArray[np.int64]) -> list[int]:
        return [int(row) for row in rows if self._queries.pipeline.allows(self._queries.runs.codes[row])]

    def _repeat(self, row: int, failed: bool, note: str) -> Generator[Asking, Answers, bool]:
        """Repeat a run of the history and return True if its verdict is different now."""
        again: Configuration = self._queries.pipeline.configuration(self._queries.runs.codes[row])
        return bool((yield from run_again([(again, failed)], best=self._queries.best, note=note, fresh=False)))
