"""Other programs that explain failures: rule learners on given runs, and the public package of BugDoc.

A learner gets a table with one column for each comparison of a parameter with a value, true or false in each run, so
all of them can express the planted causes. It returns rules, the best one first; a rule is a list of columns and the
truth value required of each.
"""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import io
import logging
import random
import re
import signal
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import rootward as rw
from peers.pipelines import History, PipelineCase

EXTRA = 60
"""Number of runs that a learner gets besides the history."""
PATIENCE = 20
"""Seconds of computation after which BugDoc's public package is stopped."""
NEGATED = {"=": "!=", "<=": ">"}
SplitRule = list[tuple[int, bool]]


@dataclass(frozen=True)
class Table:
    """The runs as a learner sees them."""

    literals: list[rw.Atom]
    holds: NDArray[np.bool_]
    failed: NDArray[np.bool_]

    @classmethod
    def of(cls, case: PipelineCase, runs: History) -> Table:
        literals = [atom for name in case.names for atom in _literals(name, case.space[name])]
        holds = [[atom.accepts(run[atom.field]) for atom in literals] for run, _ in runs]
        return cls(literals, np.array(holds), np.array([failed for _, failed in runs]))

    def conjunction(self, rule: SplitRule) -> rw.Conjunction:
        atoms = ((self.literals[column], wanted) for column, wanted in rule)
        return rw.Conjunction(
            atom if wanted else rw.Atom(atom.field, NEGATED[atom.op], atom.value) for atom, wanted in atoms
        )


def _literals(name: str, field: Any) -> list[rw.Atom]:
    """Return ``=`` for every value, and ``<=`` if values are ordered; ``!=`` and ``>`` are their negations."""
    below = [rw.Atom(name, "<=", value) for value in field.values[:-1]] if field.ordered else []
    return [rw.Atom(name, "=", value) for value in field.values] + below


def explain(case: PipelineCase, runs: History, learner: str, goal: str, seed: int) -> list[rw.Conjunction]:
    """Return the rules that a learner derives from the runs: the best one, or all."""
    table = Table.of(case, runs)
    quiet = io.StringIO()
    with warnings.catch_warnings(), contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet):
        warnings.simplefilter("ignore")
        rules = LEARNERS[learner](table, seed, len(case.names))
    return [table.conjunction(rule) for rule in rules[: 1 if goal == "one" else None]]


def random_runs(case: PipelineCase, count: int, rng: np.random.Generator) -> History:
    return [(one, case.fails(one)) for one in (case.draw(rng) for _ in range(count))]


def searched_runs(case: PipelineCase, count: int, seed: int) -> History:
    """Return the runs that SMAC makes while looking for failures."""
    from ConfigSpace import CategoricalHyperparameter, ConfigurationSpace, OrdinalHyperparameter
    from smac import HyperparameterOptimizationFacade, Scenario

    space = ConfigurationSpace(seed=seed)
    for name, values in zip(case.names, case.values, strict=True):
        kind = OrdinalHyperparameter if case.space[name].ordered else CategoricalHyperparameter
        space.add(kind(name, list(values)))
    runs: History = []

    def cost(configuration: Any, seed: int = 0) -> float:
        one = case.space.check({name: _plain(configuration[name]) for name in case.names})
        runs.append((one, case.fails(one)))
        return 1.0 - runs[-1][1]

    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scenario = Scenario(space, deterministic=True, n_trials=count, output_directory=folder, seed=seed)
        HyperparameterOptimizationFacade(scenario, cost, overwrite=True, logging_level=logging.CRITICAL).optimize()
    return runs


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


# Learners


def _tree(table: Table, seed: int, depth: int) -> list[SplitRule]:
    """Return the leaves of an unpruned decision tree in which every run fails, those with the most runs first."""
    from sklearn.tree import DecisionTreeClassifier

    grown = DecisionTreeClassifier(random_state=seed).fit(table.holds, table.failed).tree_
    leaves: list[tuple[float, SplitRule]] = []

    def visit(node: int, path: SplitRule) -> None:
        left, right = grown.children_left[node], grown.children_right[node]
        if left != right:
            visit(left, [*path, (int(grown.feature[node]), False)])
            visit(right, [*path, (int(grown.feature[node]), True)])
        elif grown.impurity[node] == 0 and grown.value[node][0][1] > 0:
            leaves.append((-grown.n_node_samples[node], path))

    visit(0, [])
    return [path for _, path in sorted(leaves)]


def _ripper(table: Table, seed: int, depth: int) -> list[SplitRule]:
    import pandas as pd
    import wittgenstein

    names = [f"c{column}" for column in range(len(table.literals))]
    frame = pd.DataFrame(table.holds.astype(str), columns=names)
    frame["failed"] = table.failed.astype(str)
    learned = wittgenstein.RIPPER(random_state=seed)
    learned.fit(frame, class_feat="failed", pos_class="True")
    rules = [[(int(cond.feature[1:]), cond.val == "True") for cond in rule.conds] for rule in learned.ruleset_.rules]
    return [rule for rule in rules if rule]


def _subgroups(table: Table, seed: int, depth: int) -> list[SplitRule]:
    """Discover subgroups by beam search. The failures of the best subgroup are removed, and the search is repeated
    while any failure is left."""
    import pandas as pd
    import pysubgroup as ps

    names = [f"c{column}" for column in range(len(table.literals))]
    frame = pd.DataFrame(table.holds, columns=names)
    frame["failed"] = table.failed
    selectors = [ps.EqualitySelector(name, wanted) for name in names for wanted in (True, False)]
    found: list[SplitRule] = []
    while frame["failed"].any() and len(found) < 8:
        target = ps.BinaryTarget("failed", True)
        task = ps.SubgroupDiscoveryTask(frame, target, selectors, result_set_size=1, depth=depth, qf=ps.WRAccQF())
        [(_, best, *_)] = ps.BeamSearch(beam_width=10).execute(task).results
        covered = best.covers(frame) & frame["failed"].to_numpy()
        if not covered.any():
            break
        found.append([(int(one.attribute_name[1:]), bool(one.attribute_value)) for one in best.selectors])
        frame = frame[~covered]
    return found


def _skope(table: Table, seed: int, depth: int) -> list[SplitRule]:
    from imodels import SkopeRulesClassifier

    learned = SkopeRulesClassifier(precision_min=0.9, recall_min=0.05, max_depth=depth, random_state=seed)
    learned.fit(table.holds.astype(float), table.failed.astype(int))
    pattern = re.compile(r"X_?(\d+) (<=|>) 0\.5")
    rules = [[(int(column), sign == ">") for column, sign in pattern.findall(str(rule))] for rule in learned.rules_]
    return [rule for rule in rules if rule]


LEARNERS: dict[str, Callable[[Table, int, int], list[SplitRule]]] = {
    "tree": _tree,
    "RIPPER": _ripper,
    "pysubgroup": _subgroups,
    "SkopeRules": _skope,
}
PACKAGES = {
    "tree": ("sklearn",),
    "RIPPER": ("wittgenstein",),
    "pysubgroup": ("pysubgroup",),
    "SkopeRules": ("imodels",),
    "SMAC + tree": ("smac", "sklearn"),
    "BugDoc's shortcut": ("bugdoc",),
    "BugDoc's stacked shortcut": ("bugdoc",),
    "BugDoc's trees": ("bugdoc",),
}


def installed(peer: str) -> bool:
    return all(importlib.util.find_spec(package) for package in PACKAGES.get(peer, ()))


def load(peer: str) -> None:
    """Import the packages of a method, so that this does not count as its time."""
    for package in PACKAGES.get(peer, ()):
        importlib.import_module(package)


# The public package of BugDoc


class _Loopback:
    """Replacement for the sockets through which the package talks to workers: answers at once, and counts."""

    PUSH, PULL, POLLIN, NOBLOCK = 1, 2, 3, 4

    def __init__(self, case: PipelineCase) -> None:
        self._case, self._waiting = case, list[str]()
        self.runs = 0

    def send_string(self, message: str) -> None:
        places = ast.literal_eval(message.split("|")[1])
        self.runs += 1
        self._waiting.append(
            str([*places, str(not self._case.fails(dict(zip(self._case.names, places, strict=True))))])
        )

    def poll(self, timeout: int) -> list[tuple[_Loopback, int]]:
        return [(self, self.POLLIN)] if self._waiting else []

    def recv_string(self, flag: int) -> str:
        return self._waiting.pop(0)

    def Context(self) -> _Loopback:  # noqa: N802
        return self

    def Poller(self) -> _Loopback:  # noqa: N802
        return self

    def socket(self, kind: int) -> _Loopback:
        return self

    def nothing(self, *given: Any) -> None:
        pass

    bind = register = unregister = close = term = nothing


def package(case: PipelineCase, runs: History, algorithm: str, goal: str, budget: int) -> tuple[list[Any], int]:
    """Return the causes that BugDoc's own code asserts, and its runs. It gets the history, and no design to run
    first."""
    module = importlib.import_module(f"bugdoc.algos.{ALGORITHMS[algorithm]}")
    logging.getLogger().setLevel(logging.ERROR)  # the package sets it to INFO
    random.seed(0)
    sockets = _Loopback(case)
    module.zmq = sockets
    module.load_runs = lambda filename, names: _load_runs(case, runs)
    options = {} if algorithm == "BugDoc's shortcut" else {"k": 4 if "stacked" in algorithm else 10_000}
    debug = module.AutoDebug(first_solution=goal == "one", max_iter=len(runs) + budget, **options)
    debug.is_poller_not_sync = False
    with _stop_after(PATIENCE):
        debug.run("", {name: [] for name in case.names}, ["result"])
    return [one for one in dict.fromkeys(_read_causes(case, algorithm, debug.believeddecisive)) if one], sockets.runs


@contextlib.contextmanager
def _stop_after(seconds: float) -> Iterator[None]:
    """Stop the package after this time, because making its designs of tests may never end; the causes asserted so far
    are its answer."""

    def stop(number: int, frame: Any) -> None:
        raise _Stopped

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        with contextlib.suppress(_Stopped):
            yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


class _Stopped(Exception):
    pass


ALGORITHMS = {
    "BugDoc's shortcut": "shortcut",
    "BugDoc's stacked shortcut": "stacked_shortcut",
    "BugDoc's trees": "debugging_decision_trees",
}


def _load_runs(case: PipelineCase, runs: History) -> list[Any]:
    """Return the runs as the package would read them from its file if it kept text as text."""
    rows = [[run[name] for name in case.names] for run, _ in runs]
    counts: dict[str, dict[Any, dict[str, int]]] = {name: {} for name in case.names}
    for row, (_, failed) in zip(rows, runs, strict=True):
        for name, value in zip(case.names, row, strict=True):
            counts[name].setdefault(value, {"good": 0, "bad": 0})["bad" if failed else "good"] += 1
    told = [[*row, str(not failed)] for row, (_, failed) in zip(rows, runs, strict=True)]
    return [told, [[*row, not failed] for row, (_, failed) in zip(rows, runs, strict=True)], counts]


def _read_causes(case: PipelineCase, algorithm: str, found: Sequence[Any]) -> Iterable[rw.Conjunction]:
    if algorithm == "BugDoc's trees":
        for kind, path in found:
            if kind == "bad":
                yield rw.Conjunction(_split(case.names[place], value, side) for place, value, side in path)
        return
    for pairs in [found] if algorithm == "BugDoc's shortcut" else found:
        yield rw.Conjunction(rw.Atom(case.names[place], "=", value) for place, value in pairs)


def _split(name: str, value: Any, side: bool) -> rw.Atom:
    """Return a split of its tree as a comparison: numbers are compared by >= or <, other values by = or !=."""
    if isinstance(value, bool) and not side:
        return rw.Atom(name, "=", False)  # less than True
    ops = ("=", "!=") if isinstance(value, bool | str) else (">=", "<")
    return rw.Atom(name, ops[0] if side else ops[1], value)
