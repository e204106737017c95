"""The trials of a finding as a table: one row per trial, first the candidate and then its outcome.

A configuration has a column for each of its fields. A selection of elements has the column ``kept``: the positions of
its elements in the original list, counted from 0, as a list in a data frame and as a text such as ``0-4,7`` in a file.
The version of a file is a selection of its bytes; of a large file, a data frame has the text, too. Any other candidate
is a text in the column ``candidate``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from rootward.errors import InputError, MissingExtra
from rootward.report.trials import drop_other_shapes, judge, kept_of
from rootward.search.evidence import Row
from rootward.search.finding import Finding
from rootward.space.candidate import positions

OUTCOME = ("verdict", "signature", "seed", "attempt", "seconds", "run")
"""The columns after those of the candidate. ``run`` is the number, in the store, of the run that made the trial: a
finding may use trials of earlier runs."""
RESERVED = {*OUTCOME, "kept", "candidate"}
"""Names of columns; a field with one of these names gets the column ``candidate.NAME``."""
MAX_LISTED = 10_000
"""Above this many positions per trial, a data frame has them as texts: lists of the bytes of a file would fill the
memory."""


def trials_of(finding: Finding) -> list[Row]:
    """Return the rows, oldest first; raise InputError if the finding has no trials."""
    evidence = finding.evidence
    rows = [] if evidence is None else drop_other_shapes(list(evidence.trials()), evidence.run)
    if not rows:
        raise InputError(f"this {type(finding).__name__} has no trials: nothing was run to find it")
    return [_row(row, finding.signature) for row in rows]


def _row(trial: Row, signature: str | None) -> Row:
    outcome = {**{name: trial[name] for name in OUTCOME}, "verdict": judge(trial, signature)}
    return {**_candidate(trial["candidate"]), **outcome}


def _candidate(candidate: Any) -> Row:
    if kept_of(candidate)[1] is not None:
        return {"kept": candidate["kept"]}
    if isinstance(candidate, Mapping):
        return {f"candidate.{name}" if name in RESERVED else name: value for name, value in candidate.items()}
    return {"candidate": candidate if isinstance(candidate, str) else json.dumps(candidate)}


def columns_of(rows: Iterable[Row]) -> list[str]:
    """Return the names of all columns in the order of their first appearance. Columns of the outcome come last."""
    names = dict.fromkeys(name for row in rows for name in row)
    return [*(name for name in names if name not in OUTCOME), *OUTCOME]


def data_frame(rows: list[Row]) -> Any:
    """Return the rows as a Polars frame, or as a pandas frame if Polars is not installed."""
    columns = {name: [row.get(name) for row in rows] for name in columns_of(rows)}
    columns = {name: (_positions if name == "kept" else _unify)(values) for name, values in columns.items()}
    try:
        import polars
    except ImportError:
        try:
            import pandas  # type: ignore[import-untyped, unused-ignore]
        except ImportError as error:
            raise MissingExtra("a data frame", "tables") from error
        return pandas.DataFrame(columns)
    return polars.DataFrame([_series(polars, name, values) for name, values in columns.items()])


def _positions(kept: list[Any]) -> list[Any]:
    """Return the list of positions for each text such as ``0-4,7``; the texts if there are many positions."""
    if any(one is not None and _count(one) > MAX_LISTED for one in kept):
        return kept
    return [None if one is None else positions(one) for one in kept]


def _count(ranges: str) -> int:
    size, _ = kept_of({"kept": ranges, "of": 0})
    return size or 0


def _unify(values: list[Any]) -> list[Any]:
    """Give all values of a column the same type.

    A mixture of integers and floats becomes floats, and any other mixture becomes text.
    """
    types = {type(value) for value in values if value is not None}
    if types == {int, float}:
        return [None if value is None else float(value) for value in values]
    return _texts(values) if len(types) > 1 else values


def _texts(values: list[Any]) -> list[Any]:
    return [value if value is None or isinstance(value, str) else json.dumps(value) for value in values]


def _series(polars: Any, name: str, values: list[Any]) -> Any:
    """Return a Polars column.

    If Polars has no type for the values, such as integers of more than 64 bits, they become text.
    """
    if name == "signature":  # which may be None in all rows
        return polars.Series(name, values, dtype=polars.String)
    try:
        return polars.Series(name, values)
    except (TypeError, OverflowError, polars.exceptions.PolarsError):
        return polars.Series(name, _texts(values), dtype=polars.String)
