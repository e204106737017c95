"""The uncertainty of a predicted verdict, given the runs: the entropy map of ALO-Trees (its Figure 2).

A rule predicts a verdict everywhere, and does not know whether a place is near a run or far from all of them. So the
runs judge its prediction at a place, in two ways: by the distance to the nearest run with the predicted verdict
(*partition*: is there any support?), and by how much nearer that run is than the nearest run with another verdict
(*boundary*: is there confusion?). The uncertainty is the entropy, in bits, of the geometric mean of both probabilities:
0 at a run, up to 1 on the border where no run is near.

For a finding of ALO-Trees this is what its sampler computes, with distances over all fields that were varied. For other
methods the distances are over the fields in the rule only, because the finding says that the others do not matter.
Distances are those of symmetric-log space. In a field without numbers, each value has a distance of one from the next
in their natural order. In a field with numbers, a NaN, an infinity or a text is near only to the same value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rootward.report.figures.plane_axis import distinct, is_finite, keys, to_float
from rootward.report.trials import read_value, unpack_column
from rootward.searches.conditions.trees.sampling import information
from rootward.space.compression import compress

Floats = NDArray[np.float64]
UNRELATED = 1e6
"""Distance between places whose distance has no meaning: larger than any other."""
MAX_COMPARED = 500
"""Maximum number of runs compared one by one; for more, a tree is used, which takes half a second to import."""


class Uncertainty:
    """The uncertainty over some fields, from the values and the verdicts of runs."""

    def __init__(self, columns: Mapping[str, Sequence[Any]], fails: Sequence[bool]) -> None:
        self._scales = {name: _Scale(values) for name, values in columns.items()}
        places, labels = self._places(columns), np.array(fails, dtype=bool)
        self._by_verdict = [places[labels == label] for label in (False, True)]

    def at(self, columns: Mapping[str, Sequence[Any]], predicted: NDArray[np.bool_]) -> Floats:
        """Return the uncertainty in bits at each of several places, given the predicted verdicts."""
        places = self._places(columns)
        passing, failing = (_nearest(runs, places) for runs in self._by_verdict)
        same, other = np.where(predicted, failing, passing), np.where(predicted, passing, failing)
        return information(same, other)

    def _places(self, columns: Mapping[str, Sequence[Any]]) -> Floats:
        return np.column_stack([scale.places(columns[name]) for name, scale in self._scales.items()])


def _nearest(runs: Floats, places: Floats) -> Floats:
    """Return the distance of each place to its nearest run."""
    if not len(runs):
        return np.full(len(places), np.inf)
    away = _distances_directly(runs, places) if len(runs) <= MAX_COMPARED else _distances_by_tree(runs, places)
    return np.where(away < UNRELATED / 2, away, np.inf)


def _distances_directly(runs: Floats, places: Floats) -> Floats:
    squares = np.zeros((len(places), len(runs)))
    for i in range(places.shape[1]):
        squares += (places[:, i, None] - runs[:, i]) ** 2
    return np.asarray(np.sqrt(squares.min(axis=1)))


def _distances_by_tree(runs: Floats, places: Floats) -> Floats:
    from scipy.spatial import cKDTree

    away, _ = cKDTree(runs).query(places)
    return np.asarray(away)


class _Scale:
    """The coordinates of the values of one field, for measuring distances.

    Each value has two coordinates. The second one separates values that are not finite numbers from the numbers.
    """

    def __init__(self, seen: Sequence[Any]) -> None:
        numbers = any(map(is_finite, seen))
        others = keys(distinct([value for value in seen if not is_finite(value)]))
        self._known = {key: (0.0, (i + 1) * UNRELATED) if numbers else (float(i), 0.0) for i, key in enumerate(others)}

    def places(self, values: Sequence[Any]) -> Floats:
        others = [value for value in values if not is_finite(value)]
        known = iter([self._known.get(key, (0.0, -UNRELATED)) for key in keys(others)])
        found = [(compress(to_float(value)), 0.0) if is_finite(value) else next(known) for value in values]
        return np.array(found, dtype=float).reshape(len(values), 2)


# The runs of a search for a figure: the values of some fields, the verdicts, and one failing run

Columns = dict[str, list[Any]]


@dataclass(frozen=True)
class RunPoints:
    """The runs that a figure shows, as columns with one entry per run, in the order in which the runs ended."""

    columns: Columns
    verdicts: list[str]
    numbers: list[int]
    """The number of each trial, counted from 1; 0 if it is not known."""
    failing: dict[str, Any]
    """The values of the first failing run."""

    def __len__(self) -> int:
        return len(self.verdicts)

    @classmethod
    def of(cls, run: Mapping[str, Any], fields: Iterable[str] | None = None) -> RunPoints | None:
        """Return the runs among the trials or, if these cannot be used, the runs at the finding's edges.

        Returns None if no run failed. ``fields``: the fields that are needed; None for all fields that were varied.
        """
        trials = run.get("trials")
        found = _from_trials(trials, fields) if trials else None
        return found or _from_edges(run["finding"].get("edges") or [], fields)


def _from_trials(trials: Mapping[str, Any], fields: Iterable[str] | None) -> RunPoints | None:
    varied, fixed = trials["fields"], trials["fixed"]
    names = list(varied) if fields is None else list(fields)
    if any(name not in varied and name not in fixed for name in names):
        return None
    verdicts, count = unpack_column(trials["columns"]["verdict"]), trials["listed"]
    columns = {
        name: unpack_column(varied[name]) if name in varied else [read_value(fixed[name])] * count for name in names
    }
    return _runs(columns, verdicts, list(range(count)))


def _from_edges(edges: list[Any], fields: Iterable[str] | None) -> RunPoints | None:
    """Return the runs at the edges of a condition: for each edge, one that fails and one that passes."""
    shown = [(edge[side], verdict) for edge in edges for side, verdict in (("fails", "FAIL"), ("passes", "PASS"))]
    if not shown:
        return None
    names = list(shown[0][0]) if fields is None else list(fields)
    if any(name not in configuration for configuration, _ in shown for name in names):
        return None
    columns = {name: [read_value(configuration[name]) for configuration, _ in shown] for name in names}
    return _runs(columns, [verdict for _, verdict in shown], [-1] * len(shown))


def _runs(columns: Columns, verdicts: list[str], at: list[int]) -> RunPoints | None:
    first = next((i for i, verdict in enumerate(verdicts) if verdict == "FAIL"), None)
    if first is None:
        return None
    return RunPoints(columns, verdicts, [i + 1 for i in at], {name: column[first] for name, column in columns.items()})
