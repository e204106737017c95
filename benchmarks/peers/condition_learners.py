"""Public learners on the same bugs: they get samples instead of asking questions, and predict the verdict of a
configuration.

Half of the sample is spread over the space, at random or as a Latin hypercube, both with special values. The other half
keeps each value of the failing configuration with probability one half; otherwise a rare failure would not occur. A
number becomes a column on the compressed axis, plus an indicator for each special value; a choice becomes an indicator
for each value.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import io
import logging
import math
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import qmc

import rootward as rw
from peers.condition_points import SPECIAL, specials
from peers.conditions import Bug

Row = Mapping[str, Any]
LIMIT = 1025.0  # infinities are placed here on the compressed axis


# Samples


def random_sample(bug: Bug, count: int, rng: np.random.Generator) -> list[dict[str, Any]]:
    """Draw configurations as the space does: mostly at human scale."""
    return _draw_towards_failing(bug, [bug.space.sample(rng) for _ in range(count)], rng)


def latin_sample(bug: Bug, count: int, rng: np.random.Generator) -> list[dict[str, Any]]:
    """Draw a Latin hypercube: divide each field's axis into as many parts as there are points, with one point in
    each."""
    places = qmc.LatinHypercube(len(bug.space), rng=rng).random(count)
    columns = [_column(field, places[:, i], rng) for i, (_, field) in enumerate(bug.space.items())]
    return _draw_towards_failing(
        bug, [dict(zip(bug.space.names, row, strict=True)) for row in zip(*columns, strict=True)], rng
    )


def _column(field: Any, places: NDArray[np.float64], rng: np.random.Generator) -> list[Any]:
    if not isinstance(field, rw.Int | rw.Float):
        return [field.values[int(place * len(field.values))] for place in places]
    low, high = field.span
    values = field.decompress_many(low + places * (high - low)).tolist()
    special = specials(field)
    for i in np.flatnonzero(rng.random(len(values)) < SPECIAL):
        values[i] = special[int(rng.integers(len(special)))]
    return list(values)


def _draw_towards_failing(bug: Bug, rows: list[dict[str, Any]], rng: np.random.Generator) -> list[dict[str, Any]]:
    """Return the failing configuration and the rows, with every second row drawn towards it."""
    for row in rows[1::2]:
        row.update({name: bug.failing[name] for name in bug.space.names if rng.random() < 0.5})
    return [dict(bug.failing), *rows[1:]]


def searched_sample(bug: Bug, count: int, seed: int) -> list[dict[str, Any]]:
    """Return the runs that SMAC makes while looking for failures, on the compressed axes."""
    from ConfigSpace import CategoricalHyperparameter, ConfigurationSpace, UniformFloatHyperparameter
    from smac import HyperparameterOptimizationFacade, Scenario

    space, rows = ConfigurationSpace(seed=seed), list[dict[str, Any]]()
    for i, (_, field) in enumerate(bug.space.items()):
        numeric = isinstance(field, rw.Int | rw.Float)
        axis = UniformFloatHyperparameter(f"f{i}", *field.span) if numeric else None
        space.add(axis or CategoricalHyperparameter(f"f{i}", list(range(len(field.values)))))

    def cost(configuration: Any, seed: int = 0) -> float:
        places = (configuration[f"f{i}"] for i in range(len(bug.space)))
        rows.append({name: field.decompress(float(p)) for (name, field), p in zip(bug.space.items(), places)})  # noqa: B905
        return 1.0 - bug.fails(rows[-1])

    with tempfile.TemporaryDirectory() as folder:
        scenario = Scenario(space, deterministic=True, n_trials=count, output_directory=folder, seed=seed)
        HyperparameterOptimizationFacade(scenario, cost, overwrite=True, logging_level=logging.CRITICAL).optimize()
    return [dict(bug.failing), *rows[1:]]


# Columns


@dataclass(frozen=True)
class Columns:
    """Converts configurations to a matrix."""

    space: rw.Space

    def matrix(self, rows: Sequence[Row]) -> NDArray[np.float64]:
        parts = [self._of(field, [row[name] for row in rows]) for name, field in self.space.items()]
        return np.hstack(parts)

    @staticmethod
    def _of(field: Any, values: Sequence[Any]) -> NDArray[np.float64]:
        if isinstance(field, rw.Bool):
            return np.array(values, dtype=float)[:, None]
        if not isinstance(field, rw.Int | rw.Float):
            return np.array([[value == one for one in field.values] for value in values], dtype=float)
        places = field.compress_many(values)
        shown = np.clip(np.nan_to_num(places, nan=0.0, posinf=LIMIT, neginf=-LIMIT), -LIMIT, LIMIT)
        if isinstance(field, rw.Int):
            return shown[:, None]
        return np.column_stack([shown, np.isnan(places), places == math.inf, places == -math.inf])


@dataclass(frozen=True)
class Learned:
    """The predictions of a learner."""

    columns: Columns
    predict: Callable[[NDArray[np.float64]], Any]

    def holds_many(self, configurations: Sequence[Row]) -> NDArray[np.bool_]:
        with quiet():
            return np.asarray(self.predict(self.columns.matrix(configurations))).astype(bool)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    silent = io.StringIO()
    with warnings.catch_warnings(), contextlib.redirect_stdout(silent), contextlib.redirect_stderr(silent):
        warnings.simplefilter("ignore")
        yield


# Learners


def _tree(seed: int) -> Any:
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(random_state=seed, class_weight="balanced")


def _figs(seed: int) -> Any:
    from imodels import FIGSClassifier

    return FIGSClassifier(random_state=seed)


def _rulefit(seed: int) -> Any:
    from imodels import RuleFitClassifier

    return RuleFitClassifier(random_state=seed)


def _genetic(seed: int) -> Any:
    from gplearn.genetic import SymbolicClassifier

    functions = ("add", "sub", "mul", "div", "abs", "max", "min")
    return SymbolicClassifier(
        population_size=500, generations=10, function_set=functions, class_weight="balanced", random_state=seed
    )


LEARNERS: dict[str, tuple[str, Callable[[int], Any], tuple[str, ...]]] = {
    "tree, random": ("random", _tree, ("sklearn",)),
    "tree, LHS": ("latin", _tree, ("sklearn",)),
    "FIGS, LHS": ("latin", _figs, ("imodels",)),
    "RuleFit, LHS": ("latin", _rulefit, ("imodels",)),
    "gplearn, random": ("random", _genetic, ("gplearn",)),
    "SMAC + tree": ("searched", _tree, ("smac", "sklearn")),
}
"""The sample, the learner and the packages of each peer."""


def installed(peer: str) -> bool:
    return all(importlib.util.find_spec(package) for package in LEARNERS[peer][2])


def learn(peer: str, bug: Bug, count: int, seed: int) -> Learned:
    """Train a peer on this many runs. If all have one verdict, or the learner gives up, predict the most frequent
    one."""
    sample, make, packages = LEARNERS[peer]
    for package in packages:
        importlib.import_module(package)
    rng = np.random.default_rng([seed, 3])
    with quiet():
        if sample == "searched":
            rows = searched_sample(bug, count, seed)
        else:
            rows = (random_sample if sample == "random" else latin_sample)(bug, count, rng)
        columns, fails = Columns(bug.space), np.array([bug.fails(row) for row in rows])
        try:
            learner = make(seed).fit(columns.matrix(rows), fails.astype(int))
        except (ValueError, IndexError):  # the sample has one class, or too few of the other
            return Learned(columns, lambda matrix: np.full(len(matrix), fails.mean() > 0.5))
    return Learned(columns, learner.predict)
