"""What a Python function may do and say as a subject; the same in the lab's own thread and in worker processes."""

from __future__ import annotations

import functools
import importlib
import json
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rootward as rw
from rootward.verdict import FAIL, OTHER, PASS, UNRESOLVED
from tests.properties import few
from tests.waiting import PATIENCE

Several = Callable[[Any, int], list[rw.Outcome]]
Once = Callable[..., rw.Outcome]


@pytest.fixture(params=[1, 2], ids=["inline", "workers"])
def jobs(request: pytest.FixtureRequest) -> int:
    return int(request.param)


def outcomes(function: Any, candidates: list[Any], jobs: int) -> list[rw.Outcome]:
    seen: list[rw.Outcome] = []

    def search() -> Any:
        seen.extend((yield from rw.all_of(candidates, best=rw.Finding())))
        return rw.Finding()

    with rw.Lab(function, jobs=jobs) as lab:
        lab.run(search())
    return seen


@pytest.fixture
def once(jobs: int) -> Once:
    """The outcome of one trial."""
    return lambda function, candidate=None: outcomes(function, [candidate or {}], jobs)[0]


@pytest.fixture
def several(jobs: int) -> Several:
    """The outcomes of trials of ``{"n": 0}``, ``{"n": 1}`` and so on, in one lab: workers take long to start."""
    return lambda function, count: outcomes(function, [{"n": n} for n in range(count)], jobs)


def returns(*values: Any) -> Callable[[Any], Any]:
    return lambda candidate: values[candidate.get("n", 0)]


# Verdicts


def test_what_it_returns(several: Several) -> None:
    tilted = rw.Outcome(FAIL, signature="tilted", measures={"angle": 31.5})
    expected = [rw.Outcome(PASS), rw.Outcome(FAIL), rw.Outcome(OTHER), tilted]
    assert several(returns(None, FAIL, OTHER, tilted), 4) == expected


@pytest.mark.parametrize("said", [True, np.False_])
def test_a_bare_bool_is_refused_with_the_two_names(once: Once, said: Any) -> None:
    with pytest.raises(rw.SubjectError, match=r"rw\.fails_when.*rw\.passes_when"):
        once(returns(said))


@pytest.mark.parametrize("said", [0, "fail", object])
def test_anything_else_is_refused(once: Once, said: Any) -> None:
    with pytest.raises(rw.SubjectError, match="a subject must return"):
        once(returns(said))


@pytest.mark.parametrize(
    ("predicate", "expected"), [(rw.fails_when, [FAIL, PASS] * 2), (rw.passes_when, [PASS, FAIL] * 2)]
)
def test_predicates(several: Several, predicate: Any, expected: list[rw.Verdict]) -> None:
    found = several(predicate(returns(True, False, np.True_, np.False_)), 4)
    assert [outcome.verdict for outcome in found] == expected


@pytest.mark.parametrize("predicate", [rw.fails_when, rw.passes_when])
def test_an_exception_in_a_predicate_is_not_the_failure(once: Once, predicate: Any) -> None:
    limits: dict[str, int] = {}

    def broken(candidate: Any) -> bool:
        return bool(candidate["speed"] > limits["limit"])

    with pytest.raises(rw.SubjectError, match="broken raised KeyError: 'limit'") as caught:
        once(predicate(broken), {"speed": 7})
    assert '{"speed": 7}' in str(caught.value)


def test_a_predicate_can_say_that_it_cannot_judge(once: Once) -> None:
    def unsure(candidate: Any) -> bool:
        raise rw.Unresolved("no result file")

    assert once(rw.fails_when(unsure), {}).verdict is UNRESOLVED


@pytest.mark.parametrize("said", [None, 1])
def test_a_predicate_says_true_or_false(once: Once, said: Any) -> None:
    with pytest.raises(rw.SubjectError, match="True or False"):
        once(rw.fails_when(returns(said)))


def raises(kind: type[BaseException], *arguments: Any) -> Callable[[Any], None]:
    def subject(candidate: Any) -> None:
        raise kind(*arguments)

    return subject


def test_unresolved(once: Once) -> None:
    outcome = once(raises(rw.Unresolved, "no such gear"))
    assert (outcome.verdict, outcome.detail) == (UNRESOLVED, "no such gear")


def test_an_exception_is_a_failure_with_a_signature(once: Once) -> None:
    def inner(depth: int) -> Any:
        return json.loads("{") if depth == 0 else inner(depth - 1)

    outcome = once(lambda candidate: inner(3))
    line = inner.__code__.co_firstlineno + 1
    assert outcome.verdict is FAIL
    assert outcome.signature == f"JSONDecodeError in inner (test_function.py:{line})"
    assert outcome.detail.startswith("JSONDecodeError: Expecting")


def test_kinds_of_exceptions(several: Several) -> None:
    kinds: dict[str, tuple[type[BaseException], Any]] = {
        "SystemExit(3)": (SystemExit, 3),
        "SystemExit(bye)": (SystemExit, "bye"),
        "ZeroDivisionError": (ZeroDivisionError, ""),
        "RecursionError": (RecursionError, "deep"),
        "MemoryError": (MemoryError, ""),
        "AssertionError": (AssertionError, "\nsecond"),
    }

    def subject(candidate: dict[str, int]) -> None:
        kind, argument = list(kinds.values())[candidate["n"]]
        raise kind(argument)

    found = several(subject, len(kinds))
    assert {outcome.verdict for outcome in found} == {FAIL}
    assert [(outcome.signature or "").partition(" in subject (test_function.py:")[0] for outcome in found] == [*kinds]


def test_a_recursion_without_end_is_a_failure(once: Once) -> None:
    def down(candidate: Any) -> Any:
        return down(candidate)

    assert (once(down).signature or "").startswith("RecursionError in down")


def test_an_exception_that_cannot_be_printed(once: Once) -> None:
    class Odd(Exception):
        def __str__(self) -> str:
            raise RuntimeError("no text")

    assert (once(raises(Odd)).signature or "").startswith("Odd in subject")


def test_signatures_are_the_same_with_one_job_and_with_two() -> None:
    def subject(kept: list[int]) -> None:
        if 3 in kept and 5 in kept:
            raise ValueError("both")
        if 3 in kept:
            raise KeyError("three")

    one, two = (rw.reduce(range(8), subject, jobs=jobs) for jobs in (1, 2))
    assert one.kept == two.kept == [3, 5]


# What it gets


def test_the_seed_reaches_it_if_it_has_a_place_for_it(once: Once, several: Several) -> None:
    def seeded(candidate: Any, seed: int) -> rw.Outcome:
        return rw.Outcome(PASS, measures={"seed": seed})

    first, second = several(seeded, 2)
    assert 0 <= first.measures["seed"] < 2**31
    assert first.measures["seed"] != second.measures["seed"]
    assert first == once(seeded, {"n": 0})
    assert rw.Function(seeded).seeded
    assert not rw.Function(returns(None)).seeded


def test_a_subject_that_changes_its_candidate_changes_nothing_else(jobs: int) -> None:
    def greedy(kept: list[int]) -> Any:
        failing = 3 in kept
        kept.clear()
        return FAIL if failing else PASS

    assert rw.reduce([1, 2, 3, 4], greedy, jobs=jobs).kept == [3]


class Method:
    def __init__(self, culprit: int) -> None:
        self.culprit = culprit

    def test(self, kept: list[int]) -> rw.Verdict:
        return FAIL if self.culprit in kept else PASS

    __call__ = test


def at(culprit: int, kept: list[int]) -> rw.Verdict:
    return FAIL if culprit in kept else PASS


CALLABLES: dict[str, Callable[[int], Any]] = {
    "a function that closes over something": lambda culprit: lambda kept: FAIL if culprit in kept else PASS,
    "a method": lambda culprit: Method(culprit).test,
    "an object": Method,
    "a partial": lambda culprit: functools.partial(at, culprit),
    "a predicate": lambda culprit: rw.fails_when(lambda kept: culprit in kept),
}


@pytest.mark.parametrize("name", CALLABLES)
def test_any_callable_will_do(name: str) -> None:
    assert rw.reduce(range(6), CALLABLES[name](4)).kept == [4]


@pytest.mark.parametrize("name", few(2, CALLABLES))
def test_any_callable_will_do_in_workers(name: str) -> None:
    assert [outcome.verdict for outcome in outcomes(CALLABLES[name](4), [[4], [3]], jobs=2)] == [FAIL, PASS]


def test_code_that_was_executed_like_a_notebook_cell(jobs: int) -> None:
    cell = "import math\nlimit = 2\ndef check(kept):\n    assert math.prod(k for k in kept if k == 7) < limit\n"
    namespace: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(cell, "<ipython-input-1>", "exec"), namespace)
    found = rw.reduce(range(10), namespace["check"], jobs=jobs)
    assert found.kept == [7]


# Scripts


def script(tmp_path: Path, text: str) -> subprocess.CompletedProcess[str]:
    path = tmp_path / "script.py"
    path.write_text(text)
    return subprocess.run([sys.executable, str(path)], capture_output=True, text=True, timeout=PATIENCE)


SCRIPT = """
import dataclasses
import neighbour
import rootward as rw

print("once")

@dataclasses.dataclass
class Limit:
    value: int

limit = Limit(5)

def helper(kept):
    return limit.value in kept and 2 in kept

def check(kept):
    print("hello", flush=True)
    if helper(kept):
        raise ValueError("found")

print(rw.reduce(range(8), check, jobs=2, store="s.db").kept)
print(rw.reduce(range(8), neighbour.check, jobs=2).kept)
print(rw.reduce(range(8), rw.fails_when(lambda kept: helper(kept)), jobs=2).kept)
"""


def test_a_script_without_a_guard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Functions of __main__ travel by value: the script is not imported again, so it needs no `if __name__`.

    Those of a module beside it are found; and the output of the script is its own, whatever the workers print.
    """
    monkeypatch.chdir(tmp_path)
    (tmp_path / "neighbour.py").write_text("def check(kept):\n    assert 4 not in kept\n")
    ran = script(tmp_path, SCRIPT)
    assert (ran.returncode, ran.stdout) == (0, "once\n[2, 5]\n[4]\n[2, 5]\n")
    assert set(ran.stderr.replace("hello", " hello ").split()) == {"hello"}


# Mistakes


def test_what_cannot_be_sent_is_a_clear_error() -> None:
    lock = threading.Lock()

    def subject(kept: list[int]) -> None:
        with lock:
            assert 3 not in kept

    assert rw.reduce(range(5), subject).kept == [3]
    with pytest.raises(rw.InputError, match=r"cannot be sent to a worker process.*jobs=1"):
        rw.reduce(range(5), subject, jobs=2)


def test_what_cannot_be_loaded_is_a_clear_error() -> None:
    class Broken:
        def __reduce__(self) -> Any:
            return int, ("not a number",)

        def __call__(self, kept: list[int]) -> None:
            assert 3 not in kept

    with pytest.raises(rw.InputError, match="cannot be loaded in a worker process"):
        rw.reduce(range(5), Broken(), jobs=2)


def test_an_outcome_that_cannot_be_sent_back_is_a_clear_error(jobs: int) -> None:
    class Local:
        def __reduce__(self) -> Any:
            raise TypeError("stays here")

    def subject(kept: list[int]) -> rw.Outcome:
        return rw.Outcome(FAIL, measures={"x": Local()})  # type: ignore[dict-item]

    if jobs == 2:
        with pytest.raises(rw.InputError, match="cannot be sent back"):
            rw.reduce(range(5), subject, jobs=2)


def test_numpy_numbers_as_measures_can_be_stored(tmp_path: Path, jobs: int) -> None:
    def subject(kept: list[int]) -> rw.Outcome:
        measures: dict[str, Any] = {"a": np.float32(0.5), "b": np.int64(3), "c": float("nan")}
        return rw.Outcome(FAIL if 3 in kept else PASS, signature="s", measures=measures)

    for _ in range(2):
        assert rw.reduce(range(5), subject, jobs=jobs, store=tmp_path / "store.db").kept == [3]


def test_not_a_function() -> None:
    with pytest.raises(rw.InputError, match="a subject must be a function"):
        rw.Function(3)  # type: ignore[arg-type]


# Identity


def identity(function: Callable[..., Any]) -> str:
    return rw.Function(function).identity


def test_identity_follows_code_and_closure() -> None:
    def closed(limit: Any) -> Callable[[Any], Any]:
        return lambda candidate: candidate > limit

    assert identity(closed(1)) == identity(closed(1))
    assert identity(closed(1)) != identity(closed(2))
    assert identity(closed([1])) != identity(closed([2]))
    assert identity(functools.partial(at, 1)) != identity(functools.partial(at, 2))
    assert identity(Method(1)) != identity(Method(2))
    assert identity(Method(1).test) != identity(Method(2).test)
    assert identity(rw.fails_when(closed(1))) != identity(rw.passes_when(closed(1)))
    assert identity(lambda c: c + 1) != identity(lambda c: c + 2)


def test_identity_is_the_same_in_another_process(tmp_path: Path) -> None:
    text = (
        "import rootward as rw\nlimits = {'a', 'b', 'c', 'dd', 'ee'}\n"
        "def make(names, table):\n    def check(c, *, k=3):\n"
        "        return c in {'x', 'y', 'zz', 'w'} or names or table\n"
        "    return check\n"
        "print(rw.Function(make(frozenset(limits), {'k': [1, 2.5, None]})).identity)\n"
    )
    assert len({script(tmp_path, text).stdout for _ in range(2)}) == 1


def test_identity_changes_with_a_local_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "limits_of_brakes.py").write_text("HIGHEST = 5")
    (tmp_path / "brakes.py").write_text(
        "from limits_of_brakes import HIGHEST\nimport limits_of_brakes\n"
        "def far(c):\n    return c['speed'] > limits_of_brakes.HIGHEST\ndef alone(c):\n    return None"
    )
    brakes = importlib.import_module("brakes")

    def identities() -> tuple[str, str]:
        return rw.Function(rw.fails_when(brakes.far)).identity, rw.Function(brakes.alone).identity

    before = identities()
    (tmp_path / "limits_of_brakes.py").write_text("HIGHEST = 7")
    after = identities()
    assert before[0] != after[0]
    assert before[1] == after[1]
