"""Fuzz the command line: whatever it is given, it answers or says what is wrong, quickly and in little memory.

Real files and requests are mutated at random: damaged bits, cuts, duplicated and deleted chunks, splices of two files,
odd numbers (huge, negative, nan, 5,000 digits), removed keys, values of other types, deep nesting, NUL, invalid UTF-8,
very long lines, other encodings. Each mutant goes to the commands that read it, each in a process of its own. Groups:

- *studies*: the study files of the examples and of the documentation, for every verb; subjects are run if the mutation
  left a harmless command.
- *models*: models of `triage` (YAML, UPPAAL, ODX) and recordings of every kind, and certificates.
- *inputs*: what `reduce`, `rule`, `triggers`, `find`, `causes`, `rows`, `instrument`, `import` and `report` read.
- *stores*: SQLite files with damaged bytes; stores in which rows, columns and tables were changed, also with matching
  checksums; rows that unpack to gigabytes; intermediate files of reductions.
- *requests*: bytes sent to `rootward serve`.

Columns:

- *answered*, *refused*: the exit code says that there is an answer; or that there is none, with a message. For
  requests: a status below 400; or another one, or the connection was closed.
- *internal errors*: exit code 70, a signal, a traceback, a refusal without a message; status 500. It must be 0.
- *slowest*: seconds of processor time of one command with all its processes; the limit is 10.
- *memory*: maximum resident memory of one command in MB, including all imports of Rootward (about 170); the limit is
  1,000.

    ./dev exec python benchmarks/fuzz.py [GROUP ...] [--cases 2000] [--seed 0] [--case N]
"""

from __future__ import annotations

import os

os.environ.update(OPENBLAS_NUM_THREADS="1", POLARS_MAX_THREADS="2")  # before numpy is imported

import argparse
import contextlib
import gc
import multiprocessing
import re
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random

from peers.fuzz_files import INPUT, ROOT, Group, make_inputs, make_models, make_studies
from peers.fuzz_process import Result, Server, read_end, run_command
from peers.fuzz_stores import make_stores, write_sample_runs
from peers.mutations import mutate
from peers.tables import rows as print_rows

sys.path.insert(0, str(ROOT))  # for the tests, which know how to make some of the files

CASES = 2000

# Requests

TOKEN = "opensesame"
REQUESTS = [
    *(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\n\r\n" for path in (
        "/", "/parts", "/events", "/runs/1", "/runs/1/parts", "/runs/2/found", "/runs/3/events", "/runs/4/report.html",
        "/static/live.js", "/static/report.css", f"/?token={TOKEN}", f"/runs/1?token={TOKEN}&x=%ff%00", "/runs/99",
    )),
    "POST /runs/1/stop HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nContent-Length: 3\r\n\r\na=1",
    "POST /runs/2/stop HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\na=1\r\n0\r\n\r\n",
    f"HEAD /runs/1 HTTP/1.0\r\nHost: localhost\r\nCookie: rootward={TOKEN}\r\nRange: bytes=0-9\r\n\r\n",
    "OPTIONS * HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site\r\nExpect: 100-continue\r\n\r\n",
    "GET http://localhost/runs/1 HTTP/1.1\r\nHost: [::1]:80\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    "GET /parts HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\nGET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
]  # fmt: skip


def fuzz_requests(folder: Path, seed: int, numbers: Sequence[int]) -> list[Result]:
    """Send mutated requests to two servers, with and without a token."""
    with contextlib.ExitStack() as stack:
        servers = []
        for name, options in (("plain", ()), ("token", ("--token", TOKEN))):
            home = folder / name
            home.mkdir()
            (home / "x.json").write_bytes(INPUT)
            write_sample_runs(home)
            servers.append(Server(home, *options))
            stack.callback(servers[-1].stop)
        return [_send_request(servers, seed, number) for number in numbers]


def _send_request(servers: Sequence[Server], seed: int, number: int) -> Result:
    chance = Random(f"{seed} requests {number}")
    server = chance.choice(servers)
    cookie = f"\r\nCookie: rootward-{server.port}={TOKEN}\r\n\r\n" if chance.random() < 0.8 else "\r\n\r\n"
    starts = [text.replace("\r\n\r\n", cookie, 1).encode() for text in REQUESTS]
    request = mutate(chance, chance.choice(starts), starts)
    if chance.random() < 0.5:
        request = request.rstrip(b"\r\n") + b"\r\n\r\n"
    result, before, begin, said = Result(number, start="request"), server.cpu(), time.monotonic(), b""
    try:
        said = server.ask(request)
    except OSError as error:
        result.defect = f"{type(error).__name__}: {error}"
    result.answered = bool(re.match(rb"HTTP/1\.1 [123]", said))
    result.wall, result.slowest = time.monotonic() - begin, repr(request[:100])
    result.cpu, result.megabytes = server.cpu() - before, server.megabytes()
    errors = server.errors.read_text()
    if re.match(rb"HTTP/1\.1 500", said) or "Traceback" in errors:
        result.defect = f"{said!r} {errors[-2000:]}"
        server.errors.write_text("")
    if result.defect:
        print(f"requests {number}: {request[:200]!r}: {result.defect}", file=sys.stderr, flush=True)
    return result


# The groups

GROUPS: dict[str, Callable[[Path], Group]] = {
    "studies": make_studies,
    "models": make_models,
    "inputs": make_inputs,
    "stores": make_stores,
}
_prepared: dict[str, Group] = {}


def run_case(group: str, seed: int, number: int, keep: Path | None = None) -> Result:
    chance = Random(f"{seed} {group} {number}")
    with contextlib.ExitStack() as stack:
        folder = keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="fuzz-")))
        start, commands = _prepared[group].make(chance, folder)
        worst = Result(number, start=start, cpu=-1)
        for command in commands:
            result = run_command(command, folder)
            if keep:
                print(command, result, read_end(folder / "command.out")[-1000:], read_end(folder / "command.err"))
            worst.answered &= result.answered
            worst.megabytes = max(worst.megabytes, result.megabytes)
            worst.wall = max(worst.wall, result.wall)
            if result.cpu > worst.cpu:
                worst.cpu, worst.slowest = result.cpu, result.slowest
            if "code 70" in result.defect and "Traceback" not in result.defect and not keep:
                result.defect += _trace(group, seed, number)
            if result.defect and not worst.defect:
                worst.defect = f"`{' '.join(command)}` ({start}): {result.defect}"
                print(f"{group} {number}: {worst.defect}", file=sys.stderr, flush=True)
    return worst


def _trace(group: str, seed: int, number: int) -> str:
    """Run a case again, and return its traceback."""
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        os.environ["ROOTWARD_TRACEBACK"] = "1"
        stack.callback(os.environ.pop, "ROOTWARD_TRACEBACK")
        _, commands = _prepared[group].make(Random(f"{seed} {group} {number}"), Path(folder))
        defects = [run_command(command, Path(folder)).defect for command in commands]
    return "\n".join(filter(None, defects))


def import_all() -> None:
    """Import what the commands import, so that it need not be done for each case."""
    import importlib
    import pkgutil

    import asammdf  # noqa: F401
    import can.io  # noqa: F401
    import httpx  # noqa: F401
    import odxtools  # noqa: F401
    import polars  # noqa: F401
    import pyarrow.parquet  # noqa: F401
    import rosbags.highlevel  # noqa: F401

    import rootward

    for module in pkgutil.walk_packages(rootward.__path__, "rootward."):
        if "__main__" not in module.name and "notebook" not in module.name:
            with contextlib.suppress(ImportError):
                importlib.import_module(module.name)
    gc.collect()
    gc.freeze()


def main() -> None:
    parser = argparse.ArgumentParser(description="See the docstring.")
    parser.add_argument("groups", nargs="*", help=", ".join([*GROUPS, "requests"]))
    parser.add_argument("--cases", type=int, default=CASES, help="number of cases in each group")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--case", type=int, help="run only this case, and keep its folder")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # servers and folders are not left behind
    import_all()
    home = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    lines, defects = [], []
    numbers = range(options.cases) if options.case is None else [options.case]
    with tempfile.TemporaryDirectory(prefix="fuzz-", dir=home) as base:
        tempfile.tempdir = base
        for group in options.groups or [*GROUPS, "requests"]:
            results = _fuzz(group, Path(base, group), options.seed, numbers, options.case is not None)
            bad = [one for one in results if one.defect]
            refused = sum(not one.answered and not one.defect for one in results)
            slowest = max(one.cpu for one in results)
            memory = max(one.megabytes for one in results)
            answered = len(results) - refused - len(bad)
            lines.append(
                [
                    group,
                    f"{len(results):,}",
                    f"{answered:,}",
                    f"{refused:,}",
                    len(bad),
                    f"{slowest:.1f}",
                    f"{memory:.0f}",
                ]
            )
            defects += [(group, one) for one in bad]
            for one in sorted(results, key=lambda one: -one.cpu)[:5]:
                print(f"{group} {one.number}: {one.cpu:.1f} s {one.wall:.1f} s wall, {one.slowest}", file=sys.stderr)
    print((__doc__ or "").partition("    ./dev")[0].strip())
    print(f"\nThe seed was {options.seed}.")
    print_rows(["group", "cases", "answered", "refused", "internal errors", "slowest", "memory"], lines)
    for group, one in defects:
        print(f"\n- {group} {one.number}: {one.defect}")
    sys.exit(1 if defects else 0)


def _fuzz(group: str, folder: Path, seed: int, numbers: Sequence[int], keep: bool) -> list[Result]:
    folder.mkdir()
    if group == "requests":
        return fuzz_requests(folder, seed, numbers)
    _prepared[group] = GROUPS[group](folder)
    if keep:
        os.environ["ROOTWARD_TRACEBACK"] = "1"
        return [run_case(group, seed, number, Path(tempfile.mkdtemp(prefix="case-", dir="/tmp"))) for number in numbers]
    with ProcessPoolExecutor(2, multiprocessing.get_context("fork")) as pool:
        return list(pool.map(run_case, [group] * len(numbers), [seed] * len(numbers), numbers, chunksize=5))


if __name__ == "__main__":
    main()
