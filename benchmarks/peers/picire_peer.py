"""picire's own delta debugging, unchanged: complements only, from the end, which suits most inputs best.

At the beginning of each round, picire tests again what it has, "to be sure". These tests are not counted and are
answered from memory; otherwise a flaky failure would end the reduction there.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import sys
import types
from array import array
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Any

sys.modules.setdefault("pkg_resources", types.ModuleType("pkg_resources"))  # picire gets its version from it
sys.modules["pkg_resources"].get_distribution = lambda _: types.SimpleNamespace(version=version("picire"))  # type: ignore[attr-defined]
import picire  # noqa: E402
from picire.config_iterators import backward, skip  # noqa: E402

Test = Callable[[Sequence[int]], bool]
OPTIONS: dict[str, Any] = {"subset_iterator": skip, "complement_iterator": backward}


def reduce(size: int, fails: Test) -> tuple[list[int], int]:
    """Reduce 0..size-1, which must fail. Return what is left, and the number of tests including that of the whole."""
    memo = {_name(range(size)): True}

    def test(kept: Sequence[int], _: object) -> picire.Outcome:
        key = _name(kept)
        if key not in memo:
            memo[key] = fails(kept)
        return picire.Outcome.FAIL if memo[key] else picire.Outcome.PASS

    found = picire.DD(test, cache=picire.outcome_cache.OutcomeCache(), **OPTIONS)(list(range(size)))
    return found, len(memo)


def _name(kept: Sequence[int]) -> bytes:
    """Return a short key for a test, because thousands of tests with thousands of elements each are remembered."""
    return hashlib.blake2b(array("I", kept), digest_size=16).digest()


def reduce_parallel(size: int, fails: Test, jobs: int) -> tuple[list[int], int]:
    """Reduce with the parallel algorithm, which starts a process for each test; abandoned tests count, too."""
    started = multiprocessing.Value("i", 0)

    def test(kept: Sequence[int], name: tuple[str, ...]) -> picire.Outcome:
        if "assert" in name:
            return picire.Outcome.FAIL
        with started.get_lock():
            started.value += 1
        return picire.Outcome.FAIL if fails(kept) else picire.Outcome.PASS

    return picire.ParallelDD(test, proc_num=jobs, **OPTIONS)(list(range(size))), started.value + 1
