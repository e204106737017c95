"""How unsure the verdict is at a place of the space, given the runs: the entropy map of ALO-Trees (its Figure 2).

The rule predicts a verdict everywhere, and is as sure of it far from every run as beside one. So its prediction at a
place is judged by the runs: by the distance to the nearest one that ended so (*partition*: is there any support?) and
by how much nearer that is than the nearest one that ended otherwise (*boundary*: is there confusion?). The doubt is the
entropy, in bits, of the geometric mean of both chances: 0 at a run, up to 1 on the border where no run is near.

For a finding of ALO-Trees this is what its sampler computes: distances are over all fields that were varied. For other
methods the same is computed over the fields that the rule names, because the finding says that the others do not
matter: a run counts as near whatever they were. Distances are those of symmetric-log space. Values without an order lie
one apart each, in the order of their names. Runs in which another field is NaN or infinite are not near at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rootward.report.figures.plane_axis import distinct, is_finite, keys, to_float
from rootward.report.trials import read, values
from rootward.searches.conditions.trees.sampling import information
from rootward.space.compression import compress

Floats = NDArray[np.float64]
APART = 1e6
"""How far apart places are whose distance means nothing: farther than any two others."""
FEW = 500
"""So many runs are compared with each place. For more there is a tree, which alone takes half a second to import."""


class Doubt:
    """Over some fields, from the values and the verdicts of runs."""

    def __init__(self, columns: Mapping[str, Sequence[Any]], fails: Sequence[bool]) -> None:
        self._scales = {name: _Scale(values) for name, values in columns.items()}
        places, labels = self._places(columns), np.array(fails, dtype=bool)
        self._ended = [places[labels == label] for label in (False, True)]

    def at(self, columns: Mapping[str, Sequence[Any]], predicted: NDArray[np.bool_]) -> Floats:
        """In bits, at each of several places, where the rule predicts this."""
        places = self._places(columns)
        passing, failing = (_nearest(runs, places) for runs in self._ended)
        same, other = np.where(predicted, failing, passing), np.where(predicted, passing, failing)
        return information(same, other)

    def _places(self, columns: Mapping[str, Sequence[Any]]) -> Floats:
        return np.column_stack([scale.places(columns[name]) for name, scale in self._scales.items()])


def _nearest(runs: Floats, places: Floats) -> Floats:
    """How far the nearest run is from each place."""
    if not len(runs):
        return np.full(len(places), np.inf)
    away = _compared(runs, places) if len(runs) <= FEW else _looked_up(runs, places)
    return np.where(away < APART / 2, away, np.inf)


def _compared(runs: Floats, places: Floats) -> Floats:
    squares = np.zeros((len(places), len(runs)))
    for i in range(places.shape[1]):
        squares += (places[:, i, None] - runs[:, i]) ** 2
    return np.asarray(np.sqrt(squares.min(axis=1)))


def _looked_up(runs: Floats, places: Floats) -> Floats:
    from scipy.spatial import cKDTree

    away, _ = cKDTree(runs).query(places)
    return np.asarray(away)


class _Scale:
    """Where the values of one field lie: two numbers each, the second of which tells special values apart."""

    def __init__(self, seen: Sequence[Any]) -> None:
        numbers = any(map(is_finite, seen))
        others = keys(distinct([value for value in seen if not is_finite(value)]))
        self._known = {key: (0.0, (i + 1) * APART) if numbers else (float(i), 0.0) for i, key in enumerate(others)}

    def places(self, values: Sequence[Any]) -> Floats:
        others = [value for value in values if not is_finite(value)]
        known = iter([self._known.get(key, (0.0, -APART)) for key in keys(others)])
        found = [(compress(to_float(value)), 0.0) if is_finite(value) else next(known) for value in values]
        return np.array(found, dtype=float).reshape(len(values), 2)


# The runs of a search, as a figure needs them: the values of some fields, the verdicts, and one run that failed

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
