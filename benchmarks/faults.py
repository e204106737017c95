"""Let every call to the machine fail, one after another, and see whether the answer is right.

Each verb runs on a small subject, with each kind of store and of executor: a *world*. Every call of Rootward that may
fail is made to fail in a run of its own, once and in another run from then on: files, folders, pipes, sockets, threads,
processes, queries and commits; also in the guardian, the process that starts the commands of trials. The clock jumps by
a day, forward or back, and the network between Rootward and PostgreSQL is cut or stops. In a second table, the calls
fail with which SQLite itself opens, reads, writes, synchronises, truncates and maps its files, as in its own tests. If
there is no answer, the same is run again without a fault. `tests/faults.py` says which calls and errors these are.

- *points*: runs with a fault.
- *right*: the answer was right in spite of the fault.
- *resumed*: the run ended with a message instead of a complete answer, or its report could not be written; run again,
  it gave the right answer.
- *wrong*: a complete answer that is wrong, in either run, or a store that shows another one. Target: 0.
- *tracebacks*: an error that is no message, in any thread, or a run that does not end. Target: 0.

    ./dev exec python benchmarks/faults.py [TABLE ...] [--share 0.1]
"""

from __future__ import annotations

import contextlib
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from pathlib import Path

from peers.bench import Bench, run
from peers.tables import rows, say

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.faults import ALWAYS, DISK, KINDS, WORLDS, Fault, Surroundings, World
from tests.postgres import Server, programs

Point = tuple[World, str, int, int]
"""A world, and the kind, the number and the length of a fault."""
RESULTS = ("right", "resumed", "wrong", "traceback")
_server: Server | None = None


@cache
def surroundings() -> Surroundings:
    """Return what the worlds of this process share. It is never closed: it ends with the process."""
    assert _server is not None
    return Surroundings(Path(tempfile.mkdtemp(dir=_server.folder.parent)), _server).__enter__()


def list_points(world: World) -> list[Point]:
    """Return the points of a world: each call of each kind, once and from then on."""
    calls = surroundings().count_calls(world)
    return [
        (world, kind, first, length) for kind in calls for first, length in product(range(calls[kind]), (1, ALWAYS))
    ]


def examine(point: Point) -> str:
    """Return what happens at a point."""
    world, *fault = point
    return surroundings().check(world, Fault(*fault))


@contextlib.contextmanager
def server() -> Iterator[None]:
    """Start a PostgreSQL server, before the processes that use it are started."""
    global _server
    with tempfile.TemporaryDirectory(prefix="rw-", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o755)
        Path(name, "pg").mkdir()
        _server = Server(Path(name, "pg"), programs())
        _server.start()
        try:
            yield
        finally:
            _server.stop()


def own_calls(bench: Bench) -> None:
    """Every call of Rootward fails"""
    examine_kinds(bench, [kind for kind in KINDS if kind not in DISK], WORLDS)


def calls_of_sqlite(bench: Bench) -> None:
    """Every call of SQLite to the disk fails"""
    examine_kinds(bench, DISK, [world for world in WORLDS if world.store == "SQLite"])


def examine_kinds(bench: Bench, kinds: Sequence[str], worlds: Sequence[World]) -> None:
    with server():
        found = [point for points in bench.map(list_points, worlds, lambda _: 1) for point in points]
        chosen = [point for point in found if point[1] in kinds][:: max(1, round(1 / bench.share))]
        results = dict(zip(chosen, bench.map(examine, chosen, lambda _: 1), strict=True))
    show(results, kinds, worlds)


def show(results: dict[Point, str], kinds: Sequence[str], worlds: Sequence[World]) -> None:
    """Print how often each world and each kind of call came out right, and what did not."""
    heads = ["points", "right", "resumed", "wrong", "tracebacks"]
    by_world = [[str(one), *count([text for point, text in results.items() if point[0] == one])] for one in worlds]
    rows(["verb, store, executor", *heads], [*by_world, ["all", *count(list(results.values()))]])
    by_kind = [[kind, *count([text for point, text in results.items() if point[1] == kind])] for kind in kinds]
    rows(["kind of call", *heads], by_kind)
    for (world, kind, first, length), text in results.items():
        if text not in RESULTS[:2]:
            say(f"- {world}: {kind} {first}{' and later' if length == ALWAYS else ''}: {text}")


def count(texts: Sequence[str]) -> list[str]:
    kinds = Counter(text.partition(":")[0] for text in texts)
    return [f"{number:,}" for number in (len(texts), *(kinds[name] for name in RESULTS))]


if __name__ == "__main__":
    run(__doc__, {"own": own_calls, "sqlite": calls_of_sqlite})
