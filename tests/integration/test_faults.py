"""Every call to the machine may fail: the answer is right, or the run ends with a clear message and can be resumed.

`tests/faults.py` says how. Here, a sample of the calls fails; `benchmarks/faults.py` lets each of them fail.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.faults import ALWAYS, DISK, KINDS, WORLDS, Fault, Surroundings, World
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
    _check_sample(world, [kind for kind in KINDS if kind not in DISK], surroundings, pytestconfig)


@pytest.mark.skipif(not DISK, reason="this Python contains SQLite, so that its calls cannot be replaced")
@pytest.mark.parametrize("world", [world for world in WORLDS if world.store == "SQLite"], ids=str)
def test_a_disk_that_fails_below_sqlite_gives_no_wrong_answer(
    world: World, surroundings: Surroundings, pytestconfig: pytest.Config
) -> None:
    _check_sample(world, DISK, surroundings, pytestconfig)


def _check_sample(world: World, kinds: list[str], surroundings: Surroundings, pytestconfig: pytest.Config) -> None:
    """Let some calls of these kinds fail, evenly spread."""
    samples = SAMPLES_OF_REST if pytestconfig.getoption("rest") else SAMPLES
    calls = surroundings.count_calls(world)
    points = [Fault(kind, first, length) for kind in kinds for first in range(calls[kind]) for length in (1, ALWAYS)]
    for number in range(min(samples, len(points))):
        fault = points[number * len(points) // samples]
        assert surroundings.check(world, fault) in ("right", "resumed"), fault
