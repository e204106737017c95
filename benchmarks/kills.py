"""Kill one part of a running system with SIGKILL, start the same command again until it ends, and compare the answers.

Each line is one verb and one victim, with 20 kills at random moments, at most ten in one run. What is killed is started
again where Rootward does not do that itself: the driver (the command that the user typed), what Dask consists of, a
database server.

- *same answer*: the runs that ended with the answer, and the verdicts, of a run that nobody disturbed.
- *lost*: trials that were in the store before a kill and are not in the end.
- *run again*: trials that were in the store before a kill and were run again after it. (Dask itself repeats a call if
  the worker dies before the driver could tell the scheduler that it has the result; nobody looks at the second one.)
- *cut short*: trials in flight that were run once more.
- *left behind*: processes, temporary files, shared memory and rows of dead processes: after the last run has ended, and
  after `rootward runs clean --older 0s --keep 0`. Every trial starts processes that leave its session. The files that
  stay if nobody is killed do not count; a living Dask worker keeps two empty files for the output of its next trial.

`triage` runs no trials and has no store: it has no guardian and no database, and starts from the beginning.

The benchmark fails if an answer differs, a trial is lost, or something is left after the cleaning.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import ctypes
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import sqlalchemy as sa

import rootward as rw
from rootward.subjects.guardian import adopt_orphans, children_of, family_of

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
from tests.postgres import Server, programs  # noqa: E402

KILLS = 20
KILLS_PER_RUN = 10
PATIENCE = 120.0
"""Seconds after which something hangs."""
MAX_SECONDS_TO_END = 20.0
"""Seconds after which a process that is still there is left behind."""
MAX_SECONDS_TO_START = 2.0
"""Seconds within which the driver is killed while it starts."""
TRACES = 40
"""Number of copies of each recording."""
_FORK = get_context("fork")


# The subjects

LINES = """\
echo "$2" >> "$LOG"
setsid sh -c 'setsid sleep 600 & sleep 600' &
echo scratch > scratch
! { grep -qx 11 "$1" && grep -qx 23 "$1" && grep -qx 42 "$1"; }
"""
FIELDS = """\
echo "$3" >> "$LOG"
setsid sh -c 'setsid sleep 600 & sleep 600' &
echo scratch > scratch
! { [ "$1" -gt 30 ] && [ "$2" = R ]; }
"""
FUNCTIONS = """\
import json, subprocess, sys, time

def begin(candidate):
    if sys.argv[0].endswith("worker.py"):  # a diagnosis also runs the test and the script that it has written
        with open({log!r}, "a") as file:
            file.write(json.dumps(candidate, sort_keys=True) + "\\n")
    subprocess.Popen(["sleep", "600"], start_new_session=True)
    time.sleep(0.005)

def lines(kept):
    begin(kept)
    assert not {{"11\\n", "23\\n", "42\\n"}} <= set(kept)

def fields(config):
    begin(config)
    assert not (config["speed"] > 30 and config["gear"] == "R")
"""
ELEMENTS = '[elements]\nfile = "input.txt"\n'
SPACE = """\
[fields]
speed = { type = "ordinal", values = [10, 20, 40, 50] }
gear = { type = "choice", values = ["P", "R", "D"] }
on = "bool"

[failing]
speed = 50
gear = "R"
on = true
"""


def write_study(folder: Path, verb: str, *, function: bool) -> None:
    """Write what a command needs into its folder."""
    log = folder / "log"
    log.touch()
    for name in ("tmp", "traces"):
        (folder / name).mkdir()
    name, script, more = ("lines", LINES, ELEMENTS) if verb == "reduce" else ("fields", FIELDS, SPACE)
    if verb == "triage":
        for path in (ROOT / "tests" / "data" / "traces").glob("*.asc"):
            for number in range(TRACES):
                (folder / "traces" / f"{path.stem}-{number}.asc").write_bytes(path.read_bytes())
    elif function:
        (folder / "kills_subject.py").write_text(FUNCTIONS.format(log=str(log)))
        (folder / "study.toml").write_text(f'[subject]\nfunction = "kills_subject:{name}"\n\n{more}')
    else:
        (folder / "run.sh").write_text(script)
        given = ["{file}"] if verb == "reduce" else ["{speed}", "{gear}"]
        command = json.dumps(["sh", str(folder / "run.sh"), *given, "{dir}"])
        more = f'cwd = "{{dir}}"\nenv = {{ LOG = "{log}" }}\n\n{more}'
        (folder / "study.toml").write_text(f"[subject]\ncommand = {command}\n{more}")
    (folder / "input.txt").write_text("".join(f"{n}\n" for n in range(1, 65)))


def command_of(verb: str) -> list[str]:
    if verb == "triage":
        model = str(ROOT / "examples" / "models" / "uds_basic.yaml")
        return ["triage", "--model", model, "traces", "--param", "S3=500ms", "--quiet", "--json"]
    return [verb, "study.toml", "--quiet", "--json"]


# What is killed


class Victim:
    """The driver: the process of the command that the user typed."""

    name = "driver"
    verbs = ("reduce", "rule", "diagnose", "triage")
    function = False
    """True if the subject is a Python function."""
    store = ".rootward/rootward.db"

    @contextlib.contextmanager
    def open(self, folder: Path) -> Iterator[None]:
        """Provide what the runs in a folder need."""
        yield

    def options(self) -> list[str]:
        return ["--jobs", "2"]

    def kill(self, session: Session, draw: random.Random) -> bool:
        """Kill the victim; return False if there is none."""
        return end(session.process.pid)

    def processes(self) -> list[int]:
        """The processes that are not left behind, but still needed."""
        return []


class Worker(Victim):
    """A process that calls a Python function, or examines traces."""

    name, function = "local worker", True
    words = (b"rootward.subjects.worker", b"multiprocessing.spawn")

    def kill(self, session: Session, draw: random.Random) -> bool:
        found, others = [], [session.process.pid]
        for pid in (child for other in others for child in children_of(other)):
            is_victim = any(word in words_of(pid) for word in self.words)
            (found if is_victim else others).append(pid)  # not its children: before exec, they look like it
        return bool(found) and end(draw.choice(found))


class Guardian(Worker):
    name, function = "guardian", False
    verbs = ("reduce", "rule", "diagnose")
    words = (b"guardian.py",)


class DaskWorker(Victim):
    name = "Dask worker"

    @contextlib.contextmanager
    def open(self, folder: Path) -> Iterator[None]:
        self._folder, self._workers = folder, []
        self._own = make(folder.with_name(f"{folder.name}-cluster"))
        self._start()
        try:
            yield
        finally:
            for process in [self._scheduler, *self._workers]:
                process.kill()
                process.join()

    def _start(self) -> None:
        where = self._own / "address"
        where.unlink(missing_ok=True)
        self._scheduler = start_fork(self._folder, self._own, serve_scheduler, where)
        wait_until(where.exists)
        self._address = where.read_text()
        self._workers = [self._start_worker() for _ in range(2)]

    def _start_worker(self) -> Any:
        return start_fork(self._folder, self._own, serve_worker, self._address)

    def options(self) -> list[str]:
        return ["--jobs", "2", "--executor", "dask", "--address", self._address]

    def kill(self, session: Session, draw: random.Random) -> bool:
        victim = draw.choice(self._workers)
        self._workers.remove(victim)
        victim.kill()
        victim.join()
        self._workers.append(self._start_worker())
        return True

    def processes(self) -> list[int]:
        return [process.pid for process in [self._scheduler, *self._workers]]


class DaskScheduler(DaskWorker):
    name = "Dask scheduler"

    def kill(self, session: Session, draw: random.Random) -> bool:
        self._scheduler.kill()
        self._scheduler.join()
        for worker in self._workers:  # they end by themselves, but not if they are just being started
            worker.kill()
            worker.join()
        session.wait()
        self._start()
        return True


class Database(Victim):
    name = "PostgreSQL server"
    verbs = ("reduce", "rule", "diagnose")

    def __init__(self, server: Server) -> None:
        self._server, self._number = server, 0

    @contextlib.contextmanager
    def open(self, folder: Path) -> Iterator[None]:
        import psycopg

        self._number += 1
        self._server.start()
        with psycopg.connect(self._server.url(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE kills{self._number}")
        self.store = self._server.url().replace("/postgres?", f"/kills{self._number}?")
        try:
            yield
        finally:
            self._server.stop()

    def options(self) -> list[str]:
        return ["--jobs", "2", "--store", self.store]

    def kill(self, session: Session, draw: random.Random) -> bool:
        self._server.kill()
        self._server.start()
        return True

    def processes(self) -> list[int]:
        return [self._server.process.pid]


def end(pid: int) -> bool:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
        return True
    return False


def words_of(pid: int) -> bytes:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


# A cluster: forked, because importing Dask takes longer than a run


def start_fork(folder: Path, own: Path, serve: Callable[..., Any], *arguments: Any) -> Any:
    """Start a process of the cluster. Its own files are not in the folder of the runs."""

    def run() -> None:
        import dask

        tempfile.tempdir = os.environ["TMPDIR"] = str(folder / "tmp")
        dask.config.set(temporary_directory=str(own))
        os.setsid()
        os.chdir(folder)
        with open(own / "log", "ab") as log:
            os.dup2(log.fileno(), 1)
            os.dup2(log.fileno(), 2)
        asyncio.run(serve(*arguments))

    process = _FORK.Process(target=run)
    process.start()
    return process


async def serve_scheduler(where: Path) -> None:
    from distributed import Scheduler

    async with Scheduler(host="127.0.0.1", port=0, dashboard=False) as scheduler:
        fresh = where.with_suffix(".new")
        fresh.write_text(scheduler.address)
        fresh.replace(where)
        await scheduler.finished()


async def serve_worker(address: str) -> None:
    from distributed import Worker as DaskWorkerServer

    async with DaskWorkerServer(address, host="127.0.0.1", nthreads=1) as worker:
        await worker.finished()


# One run, disturbed or not


class Session:
    """One start of the command."""

    def __init__(self, folder: Path, arguments: list[str]) -> None:
        self._folder = folder
        with open(folder / "out", "wb") as out, open(folder / "err", "ab") as err:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "rootward", *arguments],
                cwd=folder,
                env={**os.environ, "TMPDIR": str(folder / "tmp")},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )

    @property
    def ended(self) -> bool:
        return self.process.poll() is not None

    def wait(self) -> None:
        self.process.wait(PATIENCE)

    def answer(self) -> Any:
        """Return the finding; None if it is not complete."""
        with contextlib.suppress(ValueError):
            found = json.loads((self._folder / "out").read_text())
            return found if found["complete"] else None
        return None


class Rows:
    """The rows of a store, read behind its back."""

    def __init__(self, folder: Path, store: str) -> None:
        self._file = None if "://" in store else folder / store
        url = store.replace("postgresql:", "postgresql+psycopg:") if self._file is None else f"sqlite:///{self._file}"
        self._engine = sa.create_engine(url, poolclass=sa.NullPool)

    def read(self, query: str) -> list[tuple[Any, ...]]:
        if self._file is not None and not self._file.exists():
            return []
        with contextlib.suppress(sa.exc.DBAPIError), self._engine.connect() as connection:
            return [tuple(row) for row in connection.exec_driver_sql(query)]
        return []

    def names(self) -> set[tuple[str, int]]:
        return set(self.read("SELECT key, attempt FROM rootward_trials"))

    def verdicts(self) -> dict[tuple[str, int], str]:
        return {
            (key, attempt): said
            for key, attempt, said in self.read("SELECT key, attempt, verdict FROM rootward_trials")
        }

    def of_dead(self) -> int:
        return len(self.read("SELECT owner FROM rootward_labs") + self.read("SELECT owner FROM rootward_claims"))


@dataclass
class Run:
    """One run, from an empty store to the answer."""

    answer: Any = None
    verdicts: dict[tuple[str, int], str] = field(default_factory=dict)
    seconds: float = 0.0
    start: float = 0.0
    """Seconds until the first trial was stored."""
    kills: int = 0
    lost: list[str] = field(default_factory=list)
    again: list[str] = field(default_factory=list)
    cut_short: int = 0
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    files: set[str] = field(default_factory=set)
    """What stays in the folder after the cleaning."""


def run_once(
    verb: str, victim: Victim, folder: Path, draw: random.Random, moments: list[int], calm: Run | None = None
) -> Run:
    """Run a verb, and kill the victim at these moments: numbers of stored trials.

    If there are as many already when the command is started, it is killed while it starts. `triage`, which stores
    nothing, is killed at any time.
    """
    write_study(folder, verb, function=victim.function)
    run, known = Run(), set(os.listdir("/dev/shm"))
    with victim.open(folder):
        rows, log = Rows(folder, victim.store), folder / "log"
        begun = time.monotonic()
        session = Session(folder, [*command_of(verb), *victim.options()])
        stored: list[tuple[int, set[tuple[str, int]]]] = []
        started = True
        for moment in moments:
            if session.ended and session.answer() is not None:
                break
            if session.ended:
                session, started = Session(folder, [*command_of(verb), *victim.options()]), True
            names = rows.names()
            if verb == "triage":
                sleep(session, draw.uniform(0.0, 0.8 * calm.seconds))
            elif started and len(names) >= moment:
                sleep(session, draw.uniform(0.0, min(calm.start, MAX_SECONDS_TO_START)))
            else:
                wait_until(lambda now=session, least=moment: now.ended or len(rows.names()) >= least)
                time.sleep(draw.uniform(0.0, 0.02))
            started, names = False, rows.names()
            stored.append((len(log.read_text().splitlines()), names))
            if not session.ended and victim.kill(session, draw):
                run.kills += 1
        if calm is None and verb != "triage":
            wait_until(lambda: session.ended or rows.names())
            run.start = time.monotonic() - begun
        for _ in range(KILLS_PER_RUN):
            session.wait()
            if (answer := session.answer()) is not None:
                break
            session = Session(folder, [*command_of(verb), *victim.options()])
        run.seconds = time.monotonic() - begun
        run.answer, run.verdicts = answer, rows.verdicts()
        check_trials(run, folder, victim, stored)
        run.before = left_behind(folder, victim, rows, known)
        clean = [sys.executable, "-m", "rootward", "runs", "clean", "--older", "0s", "--keep", "0"]
        env = {**os.environ, "TMPDIR": str(folder / "tmp")}
        store = ["--store", victim.store]
        subprocess.run([*clean, *store], cwd=folder, env=env, check=True, stdout=subprocess.DEVNULL)
        run.after = left_behind(folder, victim, rows, known)
        run.files = list_files(folder)
        for pid in descendants() - needed_by(victim):
            end(pid)  # so that it is not counted again
    return run


def sleep(session: Session, seconds: float) -> None:
    """Wait, but not longer than the session lasts."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        session.process.wait(seconds)


def wait_until(condition: Callable[[], Any]) -> None:
    limit = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > limit:
            raise SystemExit("something hangs")
        time.sleep(0.02)


def check_trials(run: Run, folder: Path, victim: Victim, stored: list[tuple[int, set[tuple[str, int]]]]) -> None:
    """Count the trials that were lost, and those that were run twice. The log has a line for every start."""
    label = {name: f"{name[0]}-{name[1]}" for name in run.verdicts}
    if victim.function:
        label = label_candidates(folder, victim)
    lines = (folder / "log").read_text().splitlines()
    started = lines if victim.function else [line.rpartition("/")[2] for line in lines]
    count = Counter(label.values())
    for position, names in stored:
        run.lost += map(str, names - run.verdicts.keys())
        certain = {label[name] for name in names & label.keys() if count[label[name]] == 1}
        run.again += [line for line in started[position:] if line in certain and line not in run.again]
    trials = Counter(line for line in started if line in count or victim.function)
    run.cut_short = sum((trials - count).values()) - len(run.again)


def label_candidates(folder: Path, victim: Victim) -> dict[tuple[str, int], str]:
    """Return what a function writes for each stored trial."""

    def label(candidate: Any) -> str:
        if "kept" not in candidate:
            return json.dumps(candidate, sort_keys=True)
        spans = [[*map(int, span.split("-"))] for span in filter(None, candidate["kept"].split(","))]
        return json.dumps([f"{n + 1}\n" for span in spans for n in range(span[0], span[-1] + 1)])

    if not (folder / victim.store).exists():
        return {}
    with rw.Store(folder / victim.store) as store:
        trials = [trial for run in store.runs() for trial in store.trials(run.id)]
    return {(trial["key"], trial["attempt"]): label(trial["candidate"]) for trial in trials}


# What is left behind


def left_behind(folder: Path, victim: Victim, rows: Rows, known: set[str]) -> list[str]:
    """Return what no living run needs: processes, temporary files, shared memory, rows and files of dead processes."""
    limit = time.monotonic() + MAX_SECONDS_TO_END
    while (alive := descendants() - needed_by(victim)) and time.monotonic() < limit:
        time.sleep(0.02)
    found = [f"process: {words_of(pid).replace(bytes(1), b' ').decode(errors='replace')}" for pid in alive]
    found += [f"temporary file: {name}" for name in os.listdir(folder / "tmp")]
    found += [
        f"shared memory: {name}" for name in set(os.listdir("/dev/shm")) - known if not name.startswith("PostgreSQL.")
    ]
    found += ["row of a dead process"] * rows.of_dead()
    names = {f"{key}-{attempt}" for key, attempt in rows.names()}
    trials = folder / ".rootward" / "trials"
    for path in [*trials.glob("*"), *trials.glob("*/*")]:
        if path.suffix == ".lock" or (path.parent != trials and path.name.partition(".")[0] not in names):
            found.append(f"file of a trial: {path.relative_to(folder)}")
    return found


def descendants() -> set[int]:
    """Return the living descendants of this process, which adopts orphans."""
    return {pid for pid in family_of(os.getpid()) if words_of(pid)}


def needed_by(victim: Victim) -> set[int]:
    return {os.getpid(), *(pid for head in victim.processes() for pid in family_of(head))}


def list_files(folder: Path) -> set[str]:
    """Return the files in a folder, without the answer. The names of sessions, which are random, are replaced."""
    paths = {str(path.relative_to(folder)) for path in folder.rglob("*")}
    paths = {path for path in paths if not path.startswith("study.diagnosis")}  # keeps the test of a partial answer
    return {re.sub(r"\d+-[0-9a-f]{8}/", "SESSION/", path) for path in paths}


def own_shared_memory() -> bool:
    """Let this process and its descendants have a /dev/shm of their own, so that all that is left there is theirs."""
    new_mounts, private, recursive = 0x20000, 0x40000, 0x4000
    libc = ctypes.CDLL(None)
    if os.geteuid() != 0 or libc.unshare(new_mounts):
        return False
    if libc.mount(b"none", b"/", None, private | recursive, None):
        return False
    return libc.mount(b"tmpfs", b"/dev/shm", b"tmpfs", 0, None) == 0


# The table

VOLATILE = {"trials", "asked", "seconds", "evidence"}


def strip(answer: Any) -> Any:
    """Remove what depends on how often the command was started."""
    if isinstance(answer, dict):
        return {name: strip(value) for name, value in answer.items() if name not in VOLATILE}
    return [strip(value) for value in answer] if isinstance(answer, list) else answer


def same(run: Run, undisturbed: Run) -> bool:
    common = run.verdicts.keys() & undisturbed.verdicts.keys()
    alike = all(run.verdicts[name] == undisturbed.verdicts[name] for name in common)
    return alike and strip(run.answer) == strip(undisturbed.answer)


def measure(verb: str, victim: Victim, kills: int, folder: Path) -> tuple[str, bool]:
    """Return a line of the table, and whether all is well."""
    draw = random.Random(f"{verb} {victim.name}")
    calm = run_once(verb, victim, make(folder / "calm"), draw, [])
    if calm.answer is None or calm.after:
        raise SystemExit(f"{verb}, {victim.name}: the run without kills failed, or left {calm.after}; see {folder}")
    runs: list[Run] = []
    while sum(run.kills for run in runs) < kills:
        number = min(KILLS_PER_RUN, kills - sum(run.kills for run in runs))
        moments = sorted(draw.choices(range(len(calm.verdicts) + 1), k=number))
        run = run_once(verb, victim, make(folder / str(len(runs))), draw, moments, calm)
        run.after += [f"file: {name}" for name in sorted(run.files - calm.files)]
        runs.append(run)
        if not same(run, calm) or run.lost or run.again or run.after:
            trouble = {"same": same(run, calm), "lost": run.lost, "again": run.again, "after": run.after}
            print(f"{folder / str(len(runs) - 1)}: {trouble}", file=sys.stderr)
    before, after = (sum(len(getattr(run, name)) for run in runs) for name in ("before", "after"))
    trials = verb != "triage"
    cells = [
        str(sum(run.kills for run in runs)),
        f"{sum(same(run, calm) for run in runs)} of {len(runs)}",
        str(sum(len(run.lost) for run in runs)) if trials else "",
        str(sum(len(run.again) for run in runs)) if trials else "",
        str(sum(run.cut_short for run in runs)) if trials else "",
        str(before),
        str(after),
    ]
    good = all(same(run, calm) for run in runs) and not after and not any(run.lost for run in runs)
    return f"| {verb}, {victim.name} | {' | '.join(cells)} |", good


def make(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--kills", type=int, default=KILLS)
    options.add_argument("--verbs", nargs="+", default=Victim.verbs)
    options.add_argument("--victims", nargs="+", default=[])
    options.add_argument("--folder", type=Path)
    given = options.parse_args()
    adopt_orphans()
    private = own_shared_memory()
    import distributed  # noqa: F401  # before the cluster is forked

    print(__doc__)
    if not private:
        print("Shared memory of other programs on this machine may be counted.\n")
    print("| | kills | same answer | lost | run again | cut short | left behind | after cleaning |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    with contextlib.ExitStack() as stack:
        folder = given.folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="kills-")))
        place = make(folder / "postgres")
        folder.chmod(0o755)
        server, all_good = Server(place, programs()), True
        for victim in (Victim(), Worker(), Guardian(), DaskWorker(), DaskScheduler(), Database(server)):
            for verb in Victim.verbs:
                if verb not in given.verbs or (given.victims and victim.name not in given.victims):
                    continue
                if verb not in victim.verbs:
                    print(f"| {verb}, {victim.name} | does not apply | | | | | | |")
                    continue
                line, good = measure(verb, victim, given.kills, folder / victim.name.replace(" ", "-") / verb)
                print(line, flush=True)
                all_good = all_good and good
    if not all_good:
        raise SystemExit("an answer differs, a trial is lost, or something is left after the cleaning")


if __name__ == "__main__":
    main()
