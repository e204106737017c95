"""A fingerprint changes with what a function does, and not with what it has done."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest

from rootward.subjects.fingerprint import fingerprint


def above(limit: Any) -> Callable[[Any], bool]:
    return lambda candidate: candidate["n"] > limit


def recording(calls: Any) -> Callable[[Any], bool]:
    def subject(candidate: Any) -> bool:
        calls.append(candidate)
        return len(candidate) > 3

    return subject


def counting() -> Callable[[Any], bool]:
    count = 0

    def subject(candidate: Any) -> bool:
        nonlocal count
        count += 1
        return len(candidate) > 3

    return subject


def tallying(tally: dict[str, int]) -> Callable[[Any], bool]:
    def subject(candidate: Any) -> bool:
        tally["calls"] += 1
        return len(candidate) > 3

    return subject


def marking(need: Any) -> Callable[[Any], bool]:
    """It stores into a mapping, but not into what it closes over."""

    def subject(candidate: Any) -> bool:
        seen = {}
        for part in candidate:
            seen[part] = True
        return all(part in seen for part in need)

    return subject


class Marking:
    def __init__(self, need: Any) -> None:
        self.need = need

    def __call__(self, candidate: Any) -> bool:
        seen = {}
        seen[0] = candidate
        return self.need in seen[0]


class Nested:
    def __init__(self, limit: int) -> None:
        self.inner = Bench(limit)

    def fails(self, candidate: Any) -> bool:
        return len(candidate) > self.inner.limit


def in_module(source: str) -> Callable[..., Any]:
    """The function ``subject`` of a module with this source."""
    names: dict[str, Any] = {"__name__": "module"}
    exec(source, names)
    found: Callable[..., Any] = names["subject"]
    return found


class Bench:
    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.runs = 0
        self.seen: list[Any] = []

    def __call__(self, candidate: Any) -> bool:
        self.runs += 1
        self.seen.append(candidate)
        return len(candidate) > self.limit


@dataclass
class Simulator:
    step: float

    def crashes(self, candidate: Any) -> bool:
        return bool(candidate["speed"] * self.step > 1)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (above(1), above(2)),
        (above(1), above(1.0)),
        (above([1, 2]), above([1, 3])),
        (above({"a": 1}), above({"a": 2})),
        (partial(max, 1), partial(max, 2)),
        (Bench(1), Bench(2)),
        (Simulator(1.0).crashes, Simulator(2.0).crashes),
        (marking([3, 4]), marking([7, 9])),
        (Marking(3), Marking(7)),
        (Nested(1).fails, Nested(2).fails),
        (
            in_module("def helper(c): return c > 3\ndef subject(c): return helper(c)"),
            in_module("def helper(c): return c > 7\ndef subject(c): return helper(c)"),
        ),
        (
            in_module("LIMIT = 3\ndef subject(c): return c > LIMIT"),
            in_module("LIMIT = 7\ndef subject(c): return c > LIMIT"),
        ),
        (
            in_module("class Car:\n  def go(self): return 3\ndef subject(c): return Car().go()"),
            in_module("class Car:\n  def go(self): return 7\ndef subject(c): return Car().go()"),
        ),
        (lambda c: c > 1, lambda c: c > 2),
        (lambda c: c.a, lambda c: c.b),
    ],
)
def test_another_function_has_another_fingerprint(one: Callable[..., Any], other: Callable[..., Any]) -> None:
    assert fingerprint(one) != fingerprint(other)


@pytest.mark.parametrize("make", [lambda: recording([]), counting, lambda: tallying({"calls": 0}), lambda: Bench(3)])
def test_what_it_changes_itself_does_not_matter(make: Callable[[], Callable[[Any], bool]]) -> None:
    subject = make()
    before = fingerprint(subject)
    assert subject([1, 2, 3, 4])
    assert fingerprint(subject) == before == fingerprint(make())


def test_a_new_function_over_the_same_record_is_the_same() -> None:
    calls: list[Any] = []
    first = recording(calls)
    before = fingerprint(first)
    first([1])
    assert fingerprint(recording(calls)) == before


def test_what_it_records_in_its_module_does_not_matter() -> None:
    source = "CALLS = []\nCOUNT = 0\ndef subject(c):\n  global COUNT\n  COUNT += 1\n  CALLS.append(c)\n  return c > 3"
    subject = in_module(source)
    before = fingerprint(subject)
    assert subject(5)
    assert fingerprint(subject) == before == fingerprint(in_module(source))


def test_it_is_the_same_in_every_process() -> None:
    code = (
        "from rootward.subjects.fingerprint import fingerprint\n"
        "def make(limits):\n"
        "    return lambda c: c in limits\n"
        "print(fingerprint(make({'b': {3, 1}, 'a': ('x', 2.5, None)})))"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(said) == 1
