"""Fault injection: let the n-th call of one kind fail, as if the machine were in trouble.

The calls of Rootward and of its guardian are counted and made to fail, not those of the subject or of a cluster. A kind
stands for a system call or for a call to the database, and for the error with which it fails most often: no file
handle, no space, no process, a database that is lost. Six kinds fail below SQLite (`faulty_sqlite.py`), two let the
clock jump, and two part the network between Rootward and PostgreSQL. A call fails once, or all calls fail from then on.

A *world* is a verb with a store and an executor. ``check`` runs it with a fault: the answer must be right, or
missing with a message. Then it is run again without the fault, and the answer must be right.
"""

from __future__ import annotations

import builtins
import contextlib
import errno
import io
import logging
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import uuid
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any
from unittest import mock

from sqlalchemy.engine.default import DefaultDialect

import rootward as rw
from rootward.errors import RootwardError
from rootward.lab import execute
from rootward.lab import lab as driver
from rootward.store import store as store_module
from rootward.store.store import Store
from rootward.study.study import Study
from rootward.subjects import guardian, process
from rootward.subjects.command import Command
from tests import faulty_guardian, faulty_sqlite
from tests.postgres import Proxy, Server

SOURCE = os.path.dirname(rw.__file__) + os.sep
ROOT = Path(__file__).parents[1]
ALWAYS = 10**9
"""Number of calls that fail if the trouble stays."""
DAY = 86400.0
PATIENCE = 0.15
"""Seconds to wait for a lost database: short, so that thousands of faults can be tried."""
OUTAGE = 0.05
"""Seconds for which the network is parted, if that happens once."""
MAX_SECONDS = 120
"""Seconds after which a run is taken to hang."""


# Kinds of faults


@dataclass
class Fault:
    """Counts the calls of one kind, and lets some of them fail: from ``first`` on, ``length`` calls."""

    kind: str
    first: int = -1
    length: int = 1
    network: Proxy | None = None
    calls: int = 0

    def is_due(self) -> bool:
        """Count a call, and return True if it is one of those that fail."""
        number, self.calls = self.calls, self.calls + 1
        return self.first <= number < self.first + self.length


Effect = Callable[..., Any]
"""What happens instead of a call. It gets the fault, the real function, and the arguments of the call."""


def _fail_with(number: int) -> Effect:
    def fail(*_: Any, **__: Any) -> Any:
        raise OSError(number, os.strerror(number))

    return fail


def _refuse_thread(*_: Any, **__: Any) -> Any:
    raise RuntimeError("can't start new thread")


def _lose_database(fault: Fault, real: Callable[..., Any], dialect: Any, what: Any = None, *rest: Any, **_: Any) -> Any:
    """Raise the driver's error; the connection is lost, too, if there is one."""
    if dialect.name == "sqlite":
        raise dialect.dbapi.OperationalError(
            "disk I/O error" if fault.kind == "execute" else "database or disk is full"
        )
    if fault.kind != "connect":
        connection = what.connection if hasattr(what, "fetchone") else what
        getattr(connection, "driver_connection", connection).close()
    raise dialect.dbapi.OperationalError("server closed the connection unexpectedly")


def _lose_acknowledgement(fault: Fault, real: Callable[..., Any], *args: Any) -> Any:
    real(*args)
    _lose_database(fault, real, *args)


def _fail_in_sqlite(*_: Any, **__: Any) -> Any:
    raise AssertionError("this kind of call fails inside of SQLite")


def _shift_clock(by: float) -> Effect:
    return lambda fault, real: real() + by


def _part_network(fault: Fault, real: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Let the network lose all connections, or only stop, for a moment or until the end of the run."""
    assert fault.network is not None
    if fault.first == fault.calls - 1:
        (fault.network.stop if fault.kind == "network stops" else fault.network.cut)()
        end = fault.network.cut if fault.length == ALWAYS and fault.kind == "network stops" else fault.network.heal
        if fault.length == 1 or fault.kind == "network stops":
            timer = threading.Timer(OUTAGE, end)
            timer.daemon = True
            timer.start()
    return real(*args, **options)


_QUERIES = [(DefaultDialect, "do_execute"), (DefaultDialect, "do_executemany")]
KINDS: dict[str, tuple[list[tuple[Any, str]], Effect]] = {
    "open": ([(builtins, "open"), (io, "open"), (os, "open")], _fail_with(errno.EMFILE)),
    "write": ([(os, "write")], _fail_with(errno.ENOSPC)),
    "fork": ([(subprocess, "_fork_exec"), (os, "fork")], _fail_with(errno.EAGAIN)),
    "pipe": ([(os, "pipe")], _fail_with(errno.EMFILE)),
    "socket": ([(socket, "socketpair"), (socket, "send_fds")], _fail_with(errno.EMFILE)),
    "mkdir": ([(os, "mkdir")], _fail_with(errno.ENOSPC)),
    "rename": ([(os, "rename"), (os, "replace")], _fail_with(errno.ENOSPC)),
    "remove": ([(os, "unlink"), (os, "rmdir")], _fail_with(errno.EIO)),
    "thread": ([(threading.Thread, "start")], _refuse_thread),
    **faulty_guardian.KINDS,
    **{kind: ([], _fail_in_sqlite) for kind in faulty_sqlite.possible_kinds()},
    "connect": ([(DefaultDialect, "connect")], _lose_database),
    "execute": (_QUERIES, _lose_database),
    "commit": ([(DefaultDialect, "do_commit")], _lose_database),
    "acknowledge": ([(DefaultDialect, "do_commit")], _lose_acknowledgement),
    "clock forward": ([(time, "time")], _shift_clock(DAY)),
    "clock back": ([(time, "time")], _shift_clock(-DAY)),
    "network cut": (_QUERIES, _part_network),
    "network stops": (_QUERIES, _part_network),
}
"""The calls of each kind, and what happens instead of a call."""
DISK = list(faulty_sqlite.possible_kinds())
NETWORK = [kind for kind in KINDS if kind.startswith("network")]


class _File:
    """An open file whose ``write`` may fail."""

    def __init__(self, file: Any, write: Callable[..., Any]) -> None:
        self._file, self.write = file, write

    def __enter__(self) -> _File:
        self._file.__enter__()
        return self

    def __exit__(self, *error: Any) -> Any:
        return self._file.__exit__(*error)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._file)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def _failing(fault: Fault, real: Callable[..., Any], effect: Effect) -> Callable[..., Any]:
    def call(*args: Any, **options: Any) -> Any:
        if _is_ours() and fault.is_due():
            return effect(fault, real, *args, **options)
        return real(*args, **options)

    return call


def _is_ours() -> bool:
    """Return True if the call comes from Rootward, directly or through a library.

    Dask opens files whenever garbage is collected, which may happen at any moment: these are not ours.
    """
    frame = sys._getframe(2)
    while frame is not None and frame.f_globals.get("__name__") != "distributed.gc":
        if frame.f_code.co_filename.startswith(SOURCE):
            return True
        frame = frame.f_back  # type: ignore[assignment]
    return False


@contextlib.contextmanager
def inject(fault: Fault) -> Iterator[None]:
    """Let calls fail inside of the block."""
    targets, effect = KINDS[fault.kind]
    real_open = builtins.open

    def open_file(*args: Any, **options: Any) -> Any:
        file = real_open(*args, **options)
        return _File(file, _failing(fault, file.write, effect)) if _is_ours() and file.writable() else file

    with contextlib.ExitStack() as stack:
        if fault.kind in faulty_guardian.KINDS:
            stack.enter_context(use_faulty_guardian(fault))
            targets = []
        if fault.kind in faulty_sqlite.KINDS:
            stack.enter_context(faulty_sqlite.inject(fault.kind, lambda: _is_ours() and fault.is_due()))
        for owner, name in targets:
            stack.enter_context(mock.patch.object(owner, name, _failing(fault, getattr(owner, name), effect)))
        if fault.kind == "write":
            for owner in (builtins, io):
                stack.enter_context(mock.patch.object(owner, "open", open_file))
        yield


@contextlib.contextmanager
def use_faulty_guardian(fault: Fault) -> Iterator[Callable[[], dict[str, int]]]:
    """Let calls of the next guardian fail. Yields a function that returns the number of its calls of each kind."""
    with tempfile.NamedTemporaryFile(prefix="calls-") as counter:
        said = "\t".join(map(str, [fault.kind, fault.first, fault.length, counter.name, guardian.__file__]))
        with (
            mock.patch.object(guardian, "__file__", faulty_guardian.__file__),
            mock.patch.dict(os.environ, {faulty_guardian.VARIABLE: said}),
        ):
            yield lambda: faulty_guardian.count_calls(Path(counter.name).read_bytes())
            process._end_guardian(process._guardian)


# Worlds

LINES = [f"line {number}\n" for number in range(3)]
BUG = Command(["/bin/sh", "-c", '! (grep -q "line 0" "$0" && grep -q "line 2" "$0")', "{file}"])
SWITCHES = rw.Space({"a": rw.Bool(), "b": rw.Bool()})
BOTH = Command(["/bin/sh", "-c", '! (test "$0" = true && test "$1" = true)', "{a}", "{b}"])
FAILING = {"a": True, "b": True}
MODEL = ROOT / "examples" / "models" / "ctr.yaml"
TRACES = {
    "stale": ["req CTR set 7", "res CTR ack 7", "req CTR get", "res CTR ret 8"],
    "stale too": ["req CTR set 5", "res CTR ack 5", "req CTR get", "res CTR ret 6"],
    "mute": ["req CTR get", "req CTR get"],
    "good": ["req CTR set 7", "res CTR ack 7", "req CTR get", "res CTR ret 7"],
}


def _reduce(folder: Path, **options: Any) -> Any:
    return rw.reduce(LINES, BUG, flaky=False, **options)


def _rule(folder: Path, **options: Any) -> Any:
    return rw.rule(SWITCHES, BOTH, FAILING, flaky=False, **options)


def _diagnose(folder: Path, **options: Any) -> Any:
    return rw.diagnose(Study("switches", Path("switches.toml"), BOTH, SWITCHES, FAILING), **options)


def _triage(folder: Path, **options: Any) -> Any:
    return rw.triage(rw.load_model(MODEL), rw.read_traces(folder / "traces"), **options)


VERBS: dict[str, tuple[Callable[..., Any], Callable[[Any], Any]]] = {
    "reduce": (_reduce, lambda found: tuple(found.kept)),
    "rule": (_rule, lambda found: str(found.rule)),
    "diagnose": (_diagnose, lambda found: [(str(one.rule), one.certain) for one in found.explanations]),
    "triage": (_triage, lambda found: (found.traces, found.conforming, len(found.classes), len(found.unjudged))),
}
"""Each verb, and the answer in its finding."""


@dataclass(frozen=True)
class World:
    """A verb with a store and an executor."""

    verb: str
    store: str
    executor: str

    def __str__(self) -> str:
        return f"{self.verb}, {self.store}, {self.executor}"


WORLDS = [
    *(
        World(verb, store, executor)
        for verb in ("reduce", "rule", "diagnose")
        for store in ("none", "SQLite", "PostgreSQL")
        for executor in ("local", "Dask")
    ),
    *(World("triage", "none", executor) for executor in ("local", "processes", "Dask")),
]


@dataclass
class Surroundings:
    """What worlds share: a folder, a PostgreSQL server and a Dask cluster. Use it as a context manager."""

    folder: Path
    server: Server | None = None
    _cleanup: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)
    _right: dict[World, Any] = field(default_factory=dict)

    def __enter__(self) -> Surroundings:
        patches: list[Any] = [
            mock.patch.object(driver, "FIRST_PAUSE", 0.0),
            mock.patch.object(store_module, "MAX_WAIT", PATIENCE),
            mock.patch.object(Store._write, "__defaults__", (PATIENCE,)),
            mock.patch.object(process, "MAX_SECONDS_TO_DIE", PATIENCE),
        ]
        for patch in patches:
            self._cleanup.enter_context(patch)
        traces = self.folder / "traces"
        traces.mkdir()
        for name, events in TRACES.items():
            lines = [
                f"{number / 1000},{one.replace(' ', ',CTR,', 1).replace(' ', ',')}" for number, one in enumerate(events)
            ]
            (traces / f"{name}.csv").write_text("\n".join(["time,kind,ecu,operation,payload", *lines, ""]))
        return self

    def __exit__(self, *_: object) -> None:
        self._cleanup.close()

    @cached_property
    def network(self) -> Proxy:
        """The network between Rootward and the server."""
        assert self.server is not None
        return self._cleanup.enter_context(Proxy(self.server))

    @cached_property
    def cluster(self) -> Any:
        """An executor whose workers are threads of this process, so that their calls can fail, too."""
        from distributed import LocalCluster

        options: dict[str, Any] = {"n_workers": 1, "threads_per_worker": 1, "dashboard_address": "127.0.0.1:0"}
        cluster = self._cleanup.enter_context(LocalCluster(processes=False, silence_logs=logging.CRITICAL, **options))
        executor: Any = execute.connect_dask(cluster.scheduler_address)
        self._cleanup.callback(executor.rootward_close)
        return executor

    @contextlib.contextmanager
    def place(self, world: World) -> Iterator[tuple[Path, dict[str, Any]]]:
        """Yield a new folder, and the options of a verb in this world."""
        options: dict[str, Any] = {}
        if world.executor == "Dask":
            options["executor"] = self.cluster
        if world.executor == "processes":
            options["jobs"] = 2
        with tempfile.TemporaryDirectory(dir=self.folder) as name, contextlib.ExitStack() as stack:
            if world.store == "SQLite":
                options["store"] = Path(name, "runs.db")
            if world.store == "PostgreSQL":
                options["store"] = stack.enter_context(self.network.schema(f"s{uuid.uuid4().hex}"))
            yield Path(name), options

    def run(self, world: World, folder: Path, options: dict[str, Any]) -> tuple[bool, Any]:
        """Run a verb and write its report; return whether the finding is complete, and its answer."""
        verb, answer = VERBS[world.verb]
        with contextlib.ExitStack() as opened:
            if "store" in options:
                options = {**options, "store": opened.enter_context(Store(options["store"]))}
            found = verb(self.folder, **options)
            found.report(folder / "report.json")
            return found.complete, answer(found)

    def count_calls(self, world: World) -> dict[str, int]:
        """Return the number of calls of each kind in a run without faults."""
        self.right_answer(world)
        process._end_guardian(process._guardian)
        faults = [Fault(kind) for kind in KINDS if kind not in faulty_guardian.KINDS]
        with self.place(world) as place, use_faulty_guardian(Fault("")) as guarded:
            with contextlib.ExitStack() as stack:
                for fault in faults:
                    stack.enter_context(inject(fault))
                self.run(world, *place)
            process._end_guardian(process._guardian)
            calls = {fault.kind: fault.calls for fault in faults} | guarded()
        return calls if world.store == "PostgreSQL" else calls | dict.fromkeys(NETWORK, 0)

    def right_answer(self, world: World) -> Any:
        """Return the answer without faults. It is also the first run, which imports what others need."""
        if world not in self._right:
            with self.place(world) as place:
                complete, self._right[world] = self.run(world, *place)
            assert complete
        return self._right[world]

    def check(self, world: World, fault: Fault) -> str:
        """Run a world with a fault. If it gives no answer, run it again without the fault. Return what happened.

        It is ``right`` or ``resumed``, or a text that begins with ``wrong`` or ``traceback``.
        """
        right = self.right_answer(world)
        fault.network = self.network if fault.kind in NETWORK else None
        _end_guardian(fault.kind)
        with self.place(world) as place, _noticing_tracebacks() as tracebacks, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # those that say what is wrong
            said = "right"
            try:
                with _time_limit(), inject(fault):
                    complete, answer = self.run(world, *place)
                if complete and answer != right:
                    return f"wrong: {answer}"
                said = "right" if complete else "resumed"
            except RootwardError:
                said = "resumed"
            except OSError as error:  # the command line prints it as a sentence
                said = "resumed" if error.strerror else f"traceback: {error!r}"
            except Exception as error:
                said = f"traceback: {error!r}"
            finally:
                if fault.network is not None:
                    fault.network.heal()
            try:
                with _time_limit():
                    again = (True, right) if said == "right" else self.run(world, *place)
                    shown = self._shown(place[1])
            except Exception as error:
                return f"traceback: again: {error!r}"
            if again != (True, right):
                return f"wrong: again: {again}"
            if not shown:
                return "wrong: the store shows an older finding"
        return f"traceback: {tracebacks[0]}" if tracebacks else said

    def _shown(self, options: dict[str, Any]) -> bool:
        """Return True if the store shows a complete finding for each run that is complete there."""
        if "store" not in options:
            return True
        with Store(options["store"]) as store:
            found = [store.finding(run.id) for run in store.runs() if run.status == "complete"]
        return all(one is not None and one["complete"] for one in found)


def _end_guardian(kind: str) -> None:
    """Let the next trial start a guardian, if calls of this kind are needed for that."""
    if kind in ("open", "fork", "pipe", "socket", *faulty_guardian.KINDS):
        process._end_guardian(process._guardian)


@contextlib.contextmanager
def _noticing_tracebacks() -> Iterator[list[str]]:
    """Yield a list that gets the errors of threads and of destructors."""
    found: list[str] = []
    with (
        mock.patch.object(threading, "excepthook", lambda seen: found.append(f"{seen.thread}: {seen.exc_value!r}")),
        mock.patch.object(sys, "unraisablehook", lambda seen: found.append(f"{seen.object}: {seen.exc_value!r}")),
    ):
        yield found


@contextlib.contextmanager
def _time_limit() -> Iterator[None]:
    def expire(*_: object) -> None:
        raise AssertionError(f"it takes more than {MAX_SECONDS} s")

    before = signal.signal(signal.SIGALRM, expire)
    signal.alarm(MAX_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
