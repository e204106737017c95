"""What a Python function may do and say as a subject; the same in the lab's own thread and in worker processes."""

from __future__ import annotations

import functools
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

Once = Callable[..., rw.Outcome]


@pytest.fixture(params=[1, 2], ids=["inline", "workers"])
def jobs(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture
def once(jobs: int) -> Callable[[Any, Any], rw.Outcome]:
    """The outcome of one trial."""

    def run(function: Any, candidate: Any = None) -> rw.Outcome:
        seen: list[rw.Outcome] = []

        def search() -> Any:
            seen.extend((yield from rw.all_of([{} if candidate is None else candidate], best=rw.Finding())))
            return rw.Finding()

        with rw.Lab(function, jobs=jobs) as lab:
            lab.run(search())
        return seen[0]

    return run


def returns(value: Any) -> Callable[[Any], Any]:
    return lambda candidate: value


# Verdicts


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (None, rw.Outcome(PASS)),
        (FAIL, rw.Outcome(FAIL)),
        (OTHER, rw.Outcome(OTHER)),
        (rw.Outcome(FAIL, signature="tilted", measures={"angle": 31.5}), rw.Outcome(FAIL, "tilted", {"angle": 31.5})),
    ],
)
def test_what_it_returns(once: Once, said: Any, expected: rw.Outcome) -> None:
    assert once(returns(said)) == expected


@pytest.mark.parametrize("said", [True, np.False_])
def test_a_bare_bool_is_refused_with_the_two_names(once: Once, said: Any) -> None:
    with pytest.raises(rw.SubjectError, match=r"rw\.fails_when.*rw\.passes_when"):
        once(returns(said))


@pytest.mark.parametrize("said", [0, "fail", object])
def test_anything_else_is_refused(once: Once, said: Any) -> None:
    with pytest.raises(rw.SubjectError, match="a subject returns"):
        once(returns(said))


@pytest.mark.parametrize("said", [True, np.bool_(True)])
def test_predicates(once: Once, said: Any) -> None:
    assert once(rw.fails_when(returns(said))).verdict is FAIL
    assert once(rw.passes_when(returns(said))).verdict is PASS
    assert once(rw.fails_when(returns(not said))).verdict is PASS
    assert once(rw.passes_when(returns(not said))).verdict is FAIL


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


@pytest.mark.parametrize(
    ("kind", "argument", "name"),
    [
        (SystemExit, 3, "SystemExit(3)"),
        (SystemExit, "bye", "SystemExit(bye)"),
        (ZeroDivisionError, "", "ZeroDivisionError"),
        (RecursionError, "deep", "RecursionError"),
        (MemoryError, "", "MemoryError"),
        (AssertionError, "\nsecond", "AssertionError"),
    ],
)
def test_kinds_of_exceptions(once: Once, kind: type[BaseException], argument: Any, name: str) -> None:
    outcome = once(raises(kind, argument))
    assert outcome.verdict is FAIL
    assert (outcome.signature or "").startswith(f"{name} in subject (test_function.py:")


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


def test_the_seed_reaches_it_if_it_has_a_place_for_it(once: Once) -> None:
    def seeded(candidate: Any, seed: int) -> rw.Outcome:
        return rw.Outcome(PASS, measures={"seed": seed})

    first, second = once(seeded, {"a": 1}), once(seeded, {"a": 2})
    assert 0 <= first.measures["seed"] < 2**31
    assert first.measures["seed"] != second.measures["seed"]
    assert first == once(seeded, {"a": 1})
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


def test_any_callable_will_do(jobs: int) -> None:
    culprit = 4
    subjects = [
        lambda kept: FAIL if culprit in kept else PASS,
        Method(4),
        Method(4).test,
        functools.partial(at, 4),
        rw.fails_when(lambda kept: 4 in kept),
    ]
    for subject in subjects:
        assert rw.reduce(range(6), subject, jobs=jobs).kept == [4]


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


@pytest.mark.parametrize("how", few(1, ["jobs=3, store='s.db'", "jobs=2", "jobs=1"]))
def test_a_script_without_a_guard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    """Functions of __main__ travel by value: the script is not imported again, so it needs no `if __name__`."""
    monkeypatch.chdir(tmp_path)
    ran = script(
        tmp_path,
        "import dataclasses\nimport rootward as rw\nprint('once')\n"
        "@dataclasses.dataclass\nclass Limit:\n    value: int\n"
        "limit = Limit(5)\n"
        "def helper(kept):\n    return limit.value in kept and 2 in kept\n"
        "def check(kept):\n    if helper(kept): raise ValueError('found')\n"
        f"found = rw.reduce(range(10), check, {how})\nprint(found.kept)\n"
        f"print(rw.reduce(range(10), rw.fails_when(lambda kept: helper(kept)), {how}).kept)\n",
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == "once\n[2, 5]\n[2, 5]\n"


def test_a_script_that_imports_its_neighbour(tmp_path: Path) -> None:
    (tmp_path / "neighbour.py").write_text("def check(kept):\n    assert 4 not in kept\n")
    ran = script(
        tmp_path, "import neighbour, rootward as rw\nprint(rw.reduce(range(9), neighbour.check, jobs=2).kept)\n"
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "[4]\n", "")


def test_what_a_worker_prints_goes_to_standard_error(tmp_path: Path) -> None:
    """The output of the script is its own."""
    ran = script(
        tmp_path,
        "import rootward as rw\n"
        "def check(kept):\n    print('hello', flush=True)\n    assert 4 not in kept\n"
        "print(rw.reduce(range(9), check, jobs=2).kept)\n",
    )
    assert ran.stdout == "[4]\n"
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
        measures = {"a": np.float32(0.5), "b": np.int64(3), "c": float("nan")}
        return rw.Outcome(FAIL if 3 in kept else PASS, signature="s", measures=measures)

    for _ in range(2):
        assert rw.reduce(range(5), subject, jobs=jobs, store=tmp_path / "store.db").kept == [3]


def test_not_a_function() -> None:
    with pytest.raises(rw.InputError, match="a subject is a function"):
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
    assert len({script(tmp_path, text).stdout for _ in range(3)}) == 1
