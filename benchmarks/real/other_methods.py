"""Other methods on the same cases: a decision tree on the runs of diagnose, ALO-Trees, HPSL, and Hypothesis.

The tree, ALO-Trees and HPSL predict which configurations fail, so they are judged as diagnose is. Hypothesis states no
condition: it shrinks a failing example and marks the arguments that may have any other value. It is judged by whether
the arguments that it does not mark are those that matter.
"""

from __future__ import annotations

import contextlib
import io
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from peers.condition_learners import Columns

import rootward as rw
from real.corpus import Case, Software, Verdict
from real.judgement import Judgement, judge, relevant_fields

Runs = Sequence[tuple[Mapping[str, Any], Verdict]]
"""The configurations that were run, each with what the software did."""


@dataclass(frozen=True)
class Recorder(Software):
    """The software of a case, and a list of its runs."""

    runs: list[tuple[dict[str, Any], Verdict]]

    def ask(self, candidate: Mapping[str, Any]) -> dict[str, Any]:
        answer = super().ask(candidate)
        self.runs.append((dict(candidate), answer["fails"] or False))
        return answer


def matches(did: Verdict, failure: Verdict) -> bool:
    """Return True if what the software did is this failure."""
    return bool(did) if failure is True else did == failure


class Tree:
    """A decision tree of scikit-learn; a text is described by its value, if listed, and by its length."""

    def __init__(self, case: Case, runs: Runs, failure: Verdict, seed: int) -> None:
        from sklearn.tree import DecisionTreeClassifier

        self.case = case
        fails = [matches(did, failure) for _, did in runs]
        self.tree = DecisionTreeClassifier(random_state=seed).fit(self._matrix([one for one, _ in runs]), fails)

    def holds_many(self, configurations: Sequence[Mapping[str, Any]]) -> NDArray[np.bool_]:
        return np.asarray(self.tree.predict(self._matrix(configurations)), dtype=bool)

    def _matrix(self, rows: Sequence[Mapping[str, Any]]) -> NDArray[np.float64]:
        texts = [name for name, field in self.case.space.items() if isinstance(field, rw.Text)]
        lengths = np.array([[float(len(row[name])) for name in texts] for row in rows]).reshape(len(rows), len(texts))
        return np.hstack([Columns(self.case.space).matrix(rows), lengths])


def judge_tree(case: Case, runs: Runs, failure: Verdict, seed: int) -> Judgement:
    return judge(case, Tree(case, runs, failure, seed), failure)


def judge_alo(case: Case, failure: Verdict, seed: int, budget: rw.Budget) -> Judgement:
    found = rw.rule(case.space, rw.Function(Software(case)), case.failing, method="alo", seed=seed, budget=budget)
    return judge(case, found.rule, failure)


def judge_hpsl(case: Case, failure: Verdict, seed: int, budget: rw.Budget) -> Judgement:
    found = rw.triggers(case.space, rw.Function(Software(case)), case.failing, method="hpsl", seed=seed, budget=budget)
    return judge(case, found.rule, failure)


# Hypothesis


FREE = re.compile(r"^\s*(f\d+)=.*# or any other generated value", re.MULTILINE)


@dataclass(frozen=True)
class Shrunk:
    """What Hypothesis says: whether it found the failure, and the fields that it does not mark as free."""

    found: bool
    fields: frozenset[str] = frozenset()
    right: bool = False
    """The unmarked fields are exactly those that matter."""


class _Failure(Exception):
    pass


def ask_hypothesis(case: Case, failure: Verdict, seed: int, trials: int, seconds: float | None) -> Shrunk:
    """Let Hypothesis look for the failure and explain it."""
    import hypothesis
    from hypothesis import Phase, settings

    software, names = Software(case), {f"f{i}": name for i, name in enumerate(case.space.names)}
    end = time.monotonic() + (seconds or float("inf"))

    def test(**values: Any) -> None:
        if time.monotonic() < end and matches(_did(software, names, values), failure):
            raise _Failure

    phases = (Phase.generate, Phase.target, Phase.shrink, Phase.explain)
    options = settings(max_examples=trials, deadline=None, database=None, phases=phases, report_multiple_bugs=False)
    options = settings(options, suppress_health_check=list(hypothesis.HealthCheck))
    strategies = {short: _strategy(case.space[name]) for short, name in names.items()}
    run: Callable[[], None] = hypothesis.seed(seed)(options(hypothesis.given(**strategies)(test)))
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            run()
    except _Failure as error:
        free = {names[short] for note in getattr(error, "__notes__", ()) for short in FREE.findall(note)}
        fields = frozenset(set(case.space.names) - free)
        return Shrunk(True, fields, fields == relevant_fields(case, failure))
    except hypothesis.errors.HypothesisException:  # such as Flaky, once the time is over
        pass
    return Shrunk(False)


def _did(software: Software, names: Mapping[str, str], values: Mapping[str, Any]) -> Verdict:
    said: Verdict = software.ask({names[short]: value for short, value in values.items()})["fails"] or False
    return said


def _strategy(field: Any) -> Any:
    from hypothesis import strategies

    if isinstance(field, rw.Bool):
        return strategies.booleans()
    if isinstance(field, rw.Int):
        return strategies.integers(field.lo, field.hi)
    if isinstance(field, rw.Float):
        return strategies.floats(field.lo, field.hi, width=field.bits)
    if isinstance(field, rw.Text):
        return strategies.sampled_from(field.values) | strategies.text()
    return strategies.sampled_from(field.values)
