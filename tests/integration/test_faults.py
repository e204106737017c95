"""Every call to the machine may fail: the answer is right, or the run ends with a clear message and can be resumed.

`tests/faults.py` says how. Here, a sample of the calls fails; `benchmarks/faults.py` lets each of them fail.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.faults import ALWAYS, WORLDS, Fault, Surroundings, World
from tests.postgres import Server

SAMPLES, SAMPLES_OF_REST = 2, 24
"""Number of faults in each world."""
pytestmark = [pytest.mark.both, pytest.mark.slow]


@pytest.fixture(scope="module")
def surroundings(tmp_path_factory: pytest.TempPathFactory, postgres_server: Server) -> Iterator[Surroundings]:
    with Surroundings(tmp_path_factory.mktemp("faults"), postgres_server) as opened:
        yield opened


@pytest.mark.parametrize("world", WORLDS, ids=str)
def test_a_call_that_fails_gives_no_wrong_answer(
    world: World, surroundings: Surroundings, pytestconfig: pytest.Config
) -> None:
    samples = SAMPLES_OF_REST if pytestconfig.getoption("rest") else SAMPLES
    points = [
        Fault(kind, first, length)
        for kind, calls in surroundings.count_calls(world).items()
        for first in range(calls)
        for length in (1, ALWAYS)
    ]
    for number in range(min(samples, len(points))):
        fault = points[number * len(points) // samples]
        assert surroundings.check(world, fault) in ("right", "resumed"), fault
