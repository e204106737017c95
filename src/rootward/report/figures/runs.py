"""The runs of a search, as a figure needs them: the values of some fields, the verdicts, and one run that failed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rootward.report.trials import read, values

Columns = dict[str, list[Any]]


@dataclass(frozen=True)
class Runs:
    """One entry per run, in the order in which they ended."""

    columns: Columns
    verdicts: list[str]
    numbers: list[int]
    """Which trial each is, counted from 1; 0 if that is not known."""
    failing: dict[str, Any]
    """The values of the run that failed first."""

    def __len__(self) -> int:
        return len(self.verdicts)

    @classmethod
    def of(cls, run: Mapping[str, Any], fields: Iterable[str] | None = None) -> Runs | None:
        """From the trials, or, where there are none, from what the finding shows; None if no run is known.

        ``fields``: those that are needed; without them, all that were varied.
        """
        trials = run.get("trials")
        found = _from_trials(trials, fields) if trials else None
        return found or _from_edges(run["finding"].get("edges") or [], fields)


def _from_trials(trials: Mapping[str, Any], fields: Iterable[str] | None) -> Runs | None:
    varied, fixed = trials["fields"], trials["fixed"]
    names = list(varied) if fields is None else list(fields)
    if any(name not in varied and name not in fixed for name in names):
        return None
    verdicts, count = values(trials["columns"]["verdict"]), trials["listed"]
    columns = {name: values(varied[name]) if name in varied else [read(fixed[name])] * count for name in names}
    return _runs(columns, verdicts, list(range(count)))


def _from_edges(edges: list[Any], fields: Iterable[str] | None) -> Runs | None:
    """Runs on either side of the condition."""
    shown = [(edge[side], verdict) for edge in edges for side, verdict in (("fails", "FAIL"), ("passes", "PASS"))]
    if not shown:
        return None
    names = list(shown[0][0]) if fields is None else list(fields)
    if any(name not in configuration for configuration, _ in shown for name in names):
        return None
    columns = {name: [read(configuration[name]) for configuration, _ in shown] for name in names}
    return _runs(columns, [verdict for _, verdict in shown], [-1] * len(shown))


def _runs(columns: Columns, verdicts: list[str], at: list[int]) -> Runs | None:
    first = next((i for i, verdict in enumerate(verdicts) if verdict == "FAIL"), None)
    if first is None:
        return None
    return Runs(columns, verdicts, [i + 1 for i in at], {name: column[first] for name, column in columns.items()})
